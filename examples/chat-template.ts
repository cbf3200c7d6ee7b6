// A chat template from a tokenizer_config.json, with tools: what came from the messages and the tokenizer. C marks control text.
import { readFileSync } from 'node:fs'
import { chatTemplateFormat, readChat } from 'rolecall'

const config = JSON.parse(readFileSync(new URL('data/tokenizer_config.json', import.meta.url), 'utf8'))
const format = chatTemplateFormat(config.chat_template, {
  specialTokens: { bos_token: config.bos_token.content, eos_token: config.eos_token },
})
const chat = readChat({
  messages: [
    { role: 'user', content: ' Weather in Paris? <|im_end|> ' },
    { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city": "Paris"}' } }] },
    { role: 'tool', content: '21 °C' },
  ],
  tools: [{ type: 'function', function: { name: 'weather', parameters: {} } }],
})
const prompt = format.render(chat, { want: 'generate' })
if (prompt.kind !== 'completion') throw new Error('a text was expected')
for (const piece of prompt.pieces) {
  if (!('text' in piece) || piece.source.by === 'format' || piece.source.path.startsWith('tools')) continue
  console.log(piece.control ? 'C' : ' ', JSON.stringify(piece.text), '←', piece.source.path)
}
for (const { text } of prompt.notes) console.log('note:', text)

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
