import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { brokenReplies } from '../../../../../proof/testing/broken-replies.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { serve } from '../../server/serve-models.ts'
import { loadOpenAI } from './load-openai.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const answer = { json: { choices: [{ message: { role: 'assistant', content: '4' }, finish_reason: 'stop' }] } }

/** A server that breaks HTTP in its replies to requests whose body contains a word. */
async function breakingServer(name: string, word: string): Promise<ScriptedServer> {
  const server = await scriptedServer(({ body }) => (body.includes(word) ? ({ socket }) => brokenReplies[name]!(socket!) : answer))
  cleanups.push(() => server.close())
  return server
}

const names = Object.keys(brokenReplies)

test.each(names)('a request that gets %s is retried, and fails as a request', async (name) => {
  const { url, seen } = await breakingServer(name, '2+2')
  const config = { abbr: 'm', type: 'openai', path: 'm', base_url: url, retries: 1, max_retry_wait: 0, timeout: 2 } as const
  const model = loadOpenAI({ ...config, endpoint: 'completions' })
  cleanups.push(() => model.close?.())
  const prompt = { kind: 'completion' as const, pieces: [{ text: '2+2=', origin: 'field' as const, control: false }], stop: [], notes: [] }
  await expect(model.generate(prompt as never, { maxTokens: 4 })).rejects.toMatchObject({ code: 'request-failed' })
  expect(seen.length).toBe(2)
})

test('a run with such replies goes on: the rows fail, and the others are scored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-broken-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const { url } = await breakingServer('a text that is not HTTP', '3+3')
  const config = {
    models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: url, retries: 1, max_retry_wait: 0 }],
    datasets: [
      {
        abbr: 'sums',
        rows: ['2+2', '3+3', '1+3'].map((question) => ({ question, answer: '4' })),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
        eval_cfg: { evaluator: { type: 'AccEvaluator' } },
      },
    ],
  }
  writeFileSync(join(folder, 'eval.json'), JSON.stringify(config))
  const { code, stdout, stderr } = await rolecall(['run', 'eval.json', '-w', 'out'], folder, { OPENAI_API_KEY: 'none' })
  // 4: some rows failed.
  expect([code, stdout + stderr]).toEqual([4, expect.stringContaining('does not match the HTTP/1.1 protocol')])
  expect(stdout).toContain('1 of 3 rows have no answer: 100.0 is over the other 2')
})

describe('a server in front of such an upstream', () => {
  test.each(names)('answers 502 to %s', async (name) => {
    const { url } = await breakingServer(name, '2+2')
    const front = await serve({
      models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: url, retries: 0, timeout: 2 }],
      log: () => undefined,
    })
    cleanups.push(() => front.close())
    const ask = (content: string) =>
      fetch(`${front.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
      })
    const failed = await ask('2+2=')
    expect([failed.status, await failed.json()]).toMatchObject([502, { error: { code: 'request-failed' } }])
    expect((await ask('1+3=')).status).toBe(200)
  })
})
