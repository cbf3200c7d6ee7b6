// Tools and Python in one chat, as at the end of document 004. The transcript replays without the model.

import { type ChatMessage, defineModel, defineTool } from 'rolecall'
import { askAgent, replayModel } from 'rolecall/agents'
import { embeddedTokenizer, loadEmbedded, pythonSandbox } from 'rolecall/node'

const weather = defineTool<{ location: string }>({
  name: 'get_current_weather',
  description: 'Get the current weather in a given location',
  parameters: { type: 'object', properties: { location: { type: 'string' }, unit: { type: 'string' } }, required: ['location'] },
  run: () => ({ temperature: 22 }),
})
const { format } = defineModel('internlm2')
const model = await loadEmbedded({ format })
const interpreter = pythonSandbox()
let messages: readonly ChatMessage[] = []
for (const content of ['Use Python to compute 123456 + 654321.', '我想了解今天上海的天气']) {
  const asked = [...messages, { role: 'user', content }]
  const options = { format, messages: asked, tools: [weather], interpreter }
  const { text, transcript, ...result } = await askAgent({ ...options, model })
  console.log(text)
  const again = await askAgent({ ...options, model: replayModel(transcript, { tokenizer: embeddedTokenizer() }) })
  console.log('replayed:', JSON.stringify(again.messages) === JSON.stringify(result.messages))
  messages = result.messages
}
await interpreter.close()

// Prints:
// The result is 777777.
// replayed: true
// 上海的天气是 22 摄氏度
// replayed: true
