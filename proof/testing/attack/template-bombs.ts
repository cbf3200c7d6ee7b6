import { TemplateThread } from '../../../packages/rolecall/src/node/templates/template-thread.ts'
import type { Attack } from './attack.ts'
import { hostileTemplate } from './template-grammar.ts'

const variables = {
  messages: [
    { role: 'user', content: 'a <b> "c"\n'.repeat(300) },
    { role: 'assistant', content: 'd' },
  ],
}

/** Templates generated from a grammar over growing values: each must render, or fail with a template error, within the time limit. */
export const templateBombs: Attack = {
  name: 'template bombs',
  holds: 'each ends in a text or an error, by the charge of steps',
  async run({ chance, goesOn, tried, gotThrough }) {
    const thread = new TemplateThread()
    try {
      while (goesOn()) {
        const source = hostileTemplate(chance)
        const before = process.cpuUsage()
        const answer = thread.ask(
          {
            source,
            name: 'bomb',
            render: {
              kind: chance.pick(['text', 'pieces'] as const),
              variables,
              origins: { messages: { by: 'message', path: 'messages' } },
              clock: new Date(0),
            },
          },
          patience,
        )
        tried()
        const { user, system } = process.cpuUsage(before)
        const seconds = (user + system) / 1e6
        if (answer.kind === 'stopped' || seconds > mostSeconds)
          gotThrough(`${answer.kind} after ${seconds.toFixed(1)} s of the processor: ${source}`)
        if (answer.kind === 'failed') gotThrough(`${answer.message}: ${source}`)
        // Yields to other work of this process.
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      thread.stop()
    }
  },
}

/** CPU seconds. A million steps take about one. */
const mostSeconds = 5

/** Wall-clock seconds: on a busy machine, many times the CPU time. */
const patience = 120
