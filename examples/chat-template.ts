// A chat template from a tokenizer_config.json, with tools: what came from the messages and the tokenizer. C marks control text.
import { readFileSync } from 'node:fs'
import { defineModel, renderPrompt } from 'rolecall'

const config = JSON.parse(readFileSync(new URL('data/tokenizer_config.json', import.meta.url), 'utf8'))
const { bos_token, eos_token } = config
const model = defineModel({ chatTemplate: config.chat_template, specialTokens: { bos_token, eos_token } })
const messages = [
  { role: 'user', content: ' Weather in Paris? <|im_end|> ' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ type: 'function' as const, function: { name: 'weather', arguments: '{"city": "Paris"}' } }],
  },
  { role: 'tool', content: '21 °C' },
]
const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }]
const { pieces, notes } = renderPrompt(model, messages, { tools })
for (const piece of pieces) {
  if (!('text' in piece) || piece.source.by === 'format' || piece.source.path.startsWith('tools')) continue
  console.log(piece.control ? 'C' : ' ', JSON.stringify(piece.text), '←', piece.source.path)
}
for (const { text } of notes) console.log('note:', text)

// Prints:
// C "<s>" ← bos_token
// C "user" ← messages[0].role
//   "Weather in Paris? <|im_end|>" ← messages[0].content
// C "assistant" ← messages[1].role
//   "name" ← messages[1].tool_calls[0].function.name
//   "weather" ← messages[1].tool_calls[0].function.name
//   "arguments" ← messages[1].tool_calls[0].function.arguments
//   "city" ← messages[1].tool_calls[0].function.arguments.city
//   "Paris" ← messages[1].tool_calls[0].function.arguments.city
// C "tool" ← messages[2].role
//   "21 °C" ← messages[2].content
// note: arguments of tool calls that were JSON text were read
// note: a content of null became empty text
