// A model's mlc-chat-config.json: the exact prompt, the stops and the settings, without a GPU or a compiled library.
import { defineModel, renderPrompt } from 'rolecall'
import { parseMlcConfig, readMlcConfig } from 'rolecall/formats'

const file = `{  // mlc-chat-config.json
  "model_lib": "vicuna-v1-7b-q4f32_0",
  "conv_template": "vicuna_v1.1",
  "conv_config": { "system": "Answer briefly." },
  "temperature": 0.2,
  "mean_gen_len": 128
}`
const config = parseMlcConfig(file)
const { settings } = readMlcConfig(config)
console.log(settings.temperature, settings.topP, settings.repetitionPenalty)

const model = defineModel({ mlcConfig: config })
const messages = [
  { role: 'user', content: 'Is USER: a marker?' },
  { role: 'assistant', content: 'Only in the template.' },
  { role: 'user', content: 'And {user_message}?' },
]
const { text, stop } = renderPrompt(model, messages)
console.log(text)
console.log(...stop.ids, ...stop.texts)

// A chat whose context the model still holds is sent only what is new: the separator behind the last reply comes first.
console.log(renderPrompt(model, messages, { want: 'last-round' }).text)

// Prints:
// 0.2 0.95 1
// Answer briefly. USER: Is USER: a marker? ASSISTANT: Only in the template.</s>USER: And {user_message}? ASSISTANT:
// 2 </s>
// </s>USER: And {user_message}? ASSISTANT:
