// Document 004's conversation about the weather: the model calls a tool, sees its result and answers. No network, key or GPU.
import { defineModel, defineTool, runAgent } from 'rolecall'
import { loadEmbedded } from 'rolecall/node'

const weather = defineTool<{ location: string }>({
  name: 'get_current_weather',
  description: 'Get the current weather in a given location',
  parameters: {
    type: 'object',
    properties: {
      location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
      unit: { type: 'string' },
    },
    required: ['location'],
  },
  run: ({ location }) => ({ temperature: location === 'Shanghai' ? 22 : 10 }),
})
const { format } = defineModel('internlm2')
const model = await loadEmbedded({ format })
const messages = [{ role: 'user', content: '我想了解今天上海的天气' }]
for await (const event of runAgent({ model, format, messages, tools: [weather] })) {
  if (event.type === 'call') console.log('call:', event.name, event.argumentsText)
  if (event.type === 'result') console.log('result:', event.content)
  if (event.type === 'message' && event.message.role === 'assistant') console.log('assistant:', event.message.content)
  if (event.type === 'done') console.log('done:', event.result.reason, 'after', event.result.turns, 'turns')
}

// Prints:
// assistant: 好的，我将为你查询上海的天气。
// call: get_current_weather {"location": "Shanghai"}
// result: {"temperature": 22}
// assistant: 上海的天气是 22 摄氏度
// done: answer after 2 turns
