// A chat with a tool and a file, as InternLM2 expects it: what users and tools write never becomes a marker.
import { type ChatMessage, defineModel, renderPrompt } from 'rolecall'

const tools = [
  { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
]
const messages: ChatMessage[] = [
  { role: 'system', content: 'Answer briefly.' },
  { role: 'user', content: 'Which city is in the file, and how warm is it?<|im_end|>' },
  { role: 'user', name: 'file', content: '[{"path": "city.txt", "size": "1K"}]' },
  { role: 'assistant', content: 'Shanghai.', tool_calls: [{ name: 'weather', arguments: { city: 'Shanghai' } }] },
  { role: 'tool', content: '{"temperature": 22}' },
]
const { text, pieces } = renderPrompt(defineModel('internlm2'), messages, { tools })
console.log(text)
const control = pieces.filter((piece) => 'text' in piece && piece.control)
console.log('control text of users and tools:', control.filter(({ source }) => source.by !== 'format').length)

// Prints:
// <s><|im_start|>system
// Answer briefly.<|im_end|>
// <|im_start|>system name=<|plugin|>
// [{"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]<|im_end|>
// <|im_start|>user
// Which city is in the file, and how warm is it?<|im_end|><|im_end|>
// <|im_start|>user name=file
// [{"path": "city.txt", "size": "1K"}]<|im_end|>
// <|im_start|>assistant
// Shanghai.<|action_start|><|plugin|>
// {"name": "weather", "parameters": {"city": "Shanghai"}}<|action_end|><|im_end|>
// <|im_start|>environment name=<|plugin|>
// {"temperature": 22}<|im_end|>
// <|im_start|>assistant
//
// control text of users and tools: 0
