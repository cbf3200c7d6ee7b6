import { monitorEventLoopDelay } from 'node:perf_hooks'
import { serve } from '../../../packages/rolecall/src/server/serve-models.ts'

// A server in a separate process that measures how long its event loop is blocked; `blockedLoops` is the other end.

const template =
  '{% if messages[0].content == "slow" %}{% for i in range(990) %}{% for j in range(990) %}{% endfor %}{% endfor %}{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}'
const server = await serve({
  log: (text) => console.error(text),
  models: [
    { abbr: 'tiny', type: 'embedded', format: 'internlm2' },
    { abbr: 'proxy', type: 'openai', path: 'm', base_url: process.argv[2]!, format: 'messages', retries: 0 },
    { abbr: 'template', type: 'embedded', chat_template: template },
  ],
})

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let longest = 0
let last = { wall: performance.now(), processor: process.cpuUsage() }
/**
 * A delay is a block only as far as this process has used the processor in it: other processes of the machine delay ticks, too. Work of
 * other threads counts if this thread waits for it.
 */
setInterval(() => {
  const { user, system } = process.cpuUsage(last.processor)
  const now = performance.now()
  longest = Math.max(longest, Math.min(now - last.wall, (user + system) / 1000))
  last = { wall: now, processor: process.cpuUsage() }
}, 2)

process.on('message', (ask) => {
  if (ask === 'end') process.exit(0)
  process.send!({ longest: Math.min(longest, delay.max / 1e6) })
  longest = 0
  delay.reset()
})
process.send!({ url: server.url })
