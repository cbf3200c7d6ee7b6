import { TemplateThread } from '../../src/app/node/templates/template-thread.ts'
import type { Attack } from './attack.ts'
import { hostileTemplate } from './template-grammar.ts'

const variables = {
  messages: [
    { role: 'user', content: 'a <b> "c"\n'.repeat(300) },
    { role: 'assistant', content: 'd' },
  ],
}

/** Templates from a grammar, over values that grow: each renders, or ends in an error of the template, before the clock ends it. */
export const templateBombs: Attack = {
  name: 'template bombs',
  holds: 'each ends in a text or an error of its own, by the charge of steps',
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
        // Others of this process take turns.
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      thread.stop()
    }
  },
}

/** Of the processor. A million steps take about one. */
const mostSeconds = 5

/** Seconds by the clock: a machine that is busy with other tests takes many times what it would alone. */
const patience = 120
