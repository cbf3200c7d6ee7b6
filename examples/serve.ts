// A server in front of the embedded model. Any client of OpenAI's API can talk to it; here `fetch`, which hears a call in pieces.
import { serve } from 'rolecall/node'

const server = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })
const parameters = { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] }
const weather = { name: 'get_current_weather', description: 'Get the current weather in a given location', parameters }
const messages = [{ role: 'user', content: '我想了解今天上海的天气' }]
const response = await fetch(`${server.url}/v1/chat/completions`, {
  method: 'POST',
  body: JSON.stringify({ model: 'tiny', messages, tools: [{ type: 'function', function: weather }], stream: true }),
})

type Choice = {
  delta: { content?: string; tool_calls?: { function: { name?: string; arguments: string } }[] }
  finish_reason: string | null
}
let said = ''
const called: string[] = []
for (const event of (await response.text()).split('\n\n')) {
  if (!event.startsWith('data: {')) continue
  const [choice] = (JSON.parse(event.slice('data: '.length)) as { choices: Choice[] }).choices
  said += choice!.delta.content ?? ''
  for (const { function: call } of choice!.delta.tool_calls ?? []) called.push(call.name ?? call.arguments)
  if (choice!.finish_reason !== null) console.log(choice!.finish_reason)
}
console.log(said)
console.log(called.join(' · '))
await server.close()

// Prints:
// tool_calls
// 好的，我将为你查询上海的天气。
// get_current_weather · {" · location · ": ·  " · S · hanghai · "}
