import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serve } from '../../../packages/rolecall/src/server/serve-models.ts'

// A proxy in a separate process that reports its memory; `proxyMemory` is the other end.

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const server = await serve({
  models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: process.argv[2]!, format: 'messages', retries: 0 }],
})

process.on('message', (ask) => {
  if (ask === 'end') process.exit(0)
  collectGarbage()
  process.send!(process.memoryUsage())
})
process.send!({ url: server.url })
