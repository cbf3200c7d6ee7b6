// Reads a reply while it is generated: text and arguments as they come, a malformed call as data. How the reply is cut does not matter.
import { parseStream } from 'rolecall'

async function* model() {
  const reply =
    'I will look it up.<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Shanghai", "days": "two"}}<|action_end|>' +
    '<|action_start|><|plugin|>\n{"name": "now", "parameters": {zone: UTC}}<|action_end|> Done.<|im_end|>'
  for (let at = 0; at < reply.length; at += 7) yield reply.slice(at, at + 7)
}

const properties = { city: { type: 'string' }, days: { type: 'integer' } }
const tools = [{ name: 'get_weather', parameters: { type: 'object', properties, required: ['city'] } }]
let text = ''
let written = ''
for await (const event of parseStream('internlm2', model(), { tools })) {
  if (event.type === 'text') text += event.text
  if (event.type === 'call-name') console.log(`${event.name} …`)
  if (event.type === 'arguments') written += event.text
  if (event.type !== 'call-end') continue
  const { call } = event
  console.log(`  arguments as they came: ${written}`)
  written = ''
  if (call.kind === 'call') console.log(`  wrong: ${call.problems?.map(({ path, problem }) => `${path} ${problem}`).join('; ')}`)
  if (call.kind === 'malformed') console.log(`  ${call.error}: ${call.problem}`)
}
console.log(text)

// Prints:
// get_weather …
//   arguments as they came: {"city": "Shanghai", "days": "two"}
//   wrong: days expected an integer, found "two"
// now …
//   arguments as they came: {zone: UTC}
//   malformed: not JSON: line 1, column 32: expected a key in double quotes, found 'zone'
// I will look it up. Done.
