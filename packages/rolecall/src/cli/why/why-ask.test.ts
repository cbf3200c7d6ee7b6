import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import type { AskedCause } from '../../workbench/why/ask-causes.ts'
import type { WhyReport } from '../../workbench/why/explain.ts'
import { askedLines } from './show-why.ts'

let server: ScriptedServer
let folder: string

/** The model is right if the prompt says to think, whatever the temperature. */
beforeAll(async () => {
  server = await scriptedServer(({ body }) => ({
    json: {
      choices: [{ message: { content: body.includes('Think') ? '4' : '5' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 1 },
    },
  }))
  const config = (prompt: string, temperature: number) =>
    JSON.stringify({
      models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: server.url, format: 'messages', max_out_len: 8, temperature, seed: 1 }],
      datasets: [
        {
          abbr: 'sums',
          rows: ['2+2=?', '1+3=?', '0+4=?'].map((question) => ({ question, answer: '4' })),
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt }] } } },
          eval_cfg: { evaluator: { type: 'AccEvaluator' } },
        },
      ],
    })
  folder = folderWith({ 'plain.json': config('{question}', 0), 'think.json': config('Think first.\n{question}', 0.5) })
  for (const name of ['plain', 'think'])
    expect(await rolecall(['run', `${name}.json`, '--no-cache', '-w', name], folder)).toMatchObject({ code: 0 })
})
afterAll(() => server.close())

const why = (...words: string[]) => rolecall(['why', 'plain', 'think', ...words], folder, { ROLECALL_CACHE: join(folder, 'cache') })

test('--ask sends a few rows with prompt and settings of the second run each alone, and shows what changes the score', async () => {
  const before = server.seen.length
  const { code, stdout, stderr } = await why('--ask', `openai:m@${server.url}`, '--ask-rows', '2', '--json')
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('6 requests') })
  expect(JSON.parse(stdout)).toMatchObject({
    difference: 1,
    causes: [{ cause: 'instruction + temperature', effect: 1 }],
    asked: [{ cause: 'instruction + temperature', rows: [0, 1], first: 0, second: 1, again: 0, prompt: 1, settings: 0, failed: 0 }],
  })
  const { asked, ...report } = JSON.parse(stdout) as WhyReport & { asked: AskedCause[] }
  expect(askedLines([{ ...asked[0]!, rows: [], failed: 6 }], report).lines).toEqual([
    'instruction + temperature  no row got all its replies: 6 requests failed or have no score',
  ])
  const sent = server.seen
    .slice(before)
    .map(({ path, body }) => ({ path, ...(JSON.parse(body) as { temperature: number; max_tokens: number }) }))
  expect(sent).toHaveLength(6)
  expect(sent.map(({ temperature }) => temperature).sort()).toEqual([0, 0, 0, 0, 0.5, 0.5])
  expect(sent[0]).toMatchObject({ path: '/v1/chat/completions', max_tokens: 8, messages: [{ role: 'user', content: '2+2=?' }] })
  const shown = await why('--ask', `openai:m@${server.url}`, '--export', 'why.html')
  expect(readFileSync(join(folder, 'why.html'), 'utf8')).toContain(
    '<li>instruction + temperature  3 rows: recorded +100.0, prompt alone +100.0',
  )
  expect(shown.stdout).toContain('3 rows: recorded +100.0, prompt alone +100.0, settings alone 0.0, asked again 0.0')
})

test('mistakes: an unknown model, a page that cannot be written, a server that refuses, scoring that cannot be executed', async () => {
  expect(await why('--ask', 'gpt-4')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error --ask\n {2}"gpt-4" is not a model/) })
  const before = server.seen.length
  const noCause = await why('--ask', `openai:m@${server.url}`, '--rows', 'luck')
  expect(noCause).toMatchObject({ code: 2, stderr: expect.stringContaining('"luck" is not one of the causes') })
  expect(server.seen).toHaveLength(before)
  const refusing = await scriptedServer(() => ({ status: 401, json: { error: { message: 'no' } } }))
  const unwritable = await why('--ask', `openai:m@${refusing.url}`, '--export', folder)
  expect([unwritable.code, unwritable.stderr, refusing.seen]).toEqual([2, expect.stringContaining('this is a folder, not a file'), []])
  const refused = await why('--ask', `openai:m@${refusing.url}`, '--export', 'refused.html')
  await refusing.close()
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('401') })
  expect(existsSync(join(folder, 'refused.html'))).toBe(false)
  const rows = ['A', 'B'].map(
    (prediction) => `${JSON.stringify({ prompt: 'Q', prediction, gold: 'A', score: Number(prediction === 'A') })}\n`,
  )
  const files = folderWith({ 'a.jsonl': rows[0]!, 'b.jsonl': rows[1]! })
  const unscored = await rolecall(['why', 'a.jsonl', 'b.jsonl', '--ask', `openai:m@${server.url}`], files, {
    ROLECALL_CACHE: join(folder, 'cache'),
  })
  expect(unscored).toMatchObject({ code: 2, stderr: expect.stringContaining('the scoring of neither run can be executed') })
})
