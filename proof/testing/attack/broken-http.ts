import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { stopsRun } from '../../../packages/rolecall/src/model/language-model/stops-run.ts'
import { loadOpenAI } from '../../../packages/rolecall/src/node/models/load-openai.ts'
import { serve } from '../../../packages/rolecall/src/server/serve-models.ts'
import { brokenReplies } from '../broken-replies.ts'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack } from './attack.ts'

/** Servers whose replies are not HTTP: broken connections like any other. */
export const brokenHttp: Attack = {
  name: 'broken HTTP',
  holds: 'a reply that is not HTTP fails one request of a run, and is a 502 of serve',
  async run({ chance, goesOn, tried, gotThrough }) {
    let name = ''
    const answer = { json: { choices: [{ message: { role: 'assistant', content: '4' }, finish_reason: 'stop' }] } }
    const upstream = await scriptedServer(({ body }) => (body.includes('1+3') ? answer : ({ socket }) => brokenReplies[name]!(socket!)))
    const config = { abbr: 'm', type: 'openai', path: 'm', base_url: upstream.url, timeout: 2, max_retry_wait: 0 } as const
    const front = await serve({ models: [{ ...config, retries: 0 }], log: () => undefined })
    const names = Object.keys(brokenReplies)
    try {
      while (goesOn()) {
        name = chance.pick(names)
        const endpoint = chance.pick(['chat', 'completions'] as const)
        const model = loadOpenAI({ ...config, retries: 1, endpoint })
        const prompt = { kind: 'chat' as const, messages: [{ role: 'user', content: [] }], stop: [], notes: [] }
        const outcome: unknown = await model.generate(prompt as never, { maxTokens: 4 }).catch((error: unknown) => error)
        await model.close?.()
        if (!(outcome instanceof PromptError) || stopsRun(outcome)) gotThrough(`a run that gets ${name} ends with ${String(outcome)}`)
        const failed = await statusOf(front.url, { stream: chance.once(2), content: '2+2=' })
        if (failed !== 502) gotThrough(`serve answers ${failed} to ${name}`)
        const next = await statusOf(front.url, { stream: false, content: '1+3=' })
        if (next !== 200) gotThrough(`serve answers ${next} to the request after ${name}`)
        tried()
      }
    } finally {
      await front.close()
      await upstream.close()
    }
  },
}

async function statusOf(url: string, { stream, content }: { stream: boolean; content: string }): Promise<number> {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content }] }),
  })
  await reply.text()
  return reply.status
}
