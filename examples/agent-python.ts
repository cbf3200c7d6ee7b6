// The model writes Python, which runs in a sandbox (npm install deno pyodide), and answers with the result.

import { defineModel } from 'rolecall'
import { askAgent, type Interpreter } from 'rolecall/agents'
import { loadEmbedded, pythonSandbox } from 'rolecall/node'

const { format } = defineModel('internlm2')
const model = await loadEmbedded({ format })
const interpreter: Interpreter = pythonSandbox()
const messages = [{ role: 'user', content: 'Use Python to compute 123 * 45.' }]
const { text, transcript } = await askAgent({ model, format, messages, interpreter })
for (const { reply } of transcript.steps) console.log(reply.text)

// Another way in: what the code tries outside of the sandbox comes to nothing.
const { outputs } = await interpreter.run('open("/etc/hostname").read()')
console.log(outputs.map((output) => (output.kind === 'error' ? output.message : '')).join())
await interpreter.close()
console.log(text)

// Prints:
// I will run this code.
// <|action_start|><|interpreter|>
// ```python
// print(123 * 45)
// ```<|action_end|>
// The result is 5535.
// [Errno 44] No such file or directory: '/etc/hostname'
// The result is 5535.
