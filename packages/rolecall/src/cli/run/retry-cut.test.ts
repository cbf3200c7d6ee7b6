import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordsOf, sumsFolder } from '../../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'

/** Answers odd rows in 3 tokens and even ones in 15; longer answers than allowed are cut. */
function wordyServer() {
  return scriptedServer(({ body }) => {
    const { max_tokens: most } = JSON.parse(body) as { max_tokens: number }
    const first = Number(/(\d+)\+1/.exec(body)![1])
    const needed = first % 2 === 0 ? 15 : 3
    const isCut = most < needed
    return {
      json: {
        choices: [{ message: { content: isCut ? 'Well' : String(first + 1) }, finish_reason: isCut ? 'length' : 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: Math.min(most, needed) },
      },
    }
  })
}

const recordsIn = (folder: string) =>
  recordsOf(join(folder, 'runs'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RowRecord)

test('--retry-cut asks cut rows once more with a larger limit, in a new run or a resumed one, and records both answers', async () => {
  const server = await wordyServer()
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache']
  const whole = sumsFolder(server.url, 4, { max_out_len: 8 })
  const { code, stderr, stdout: table } = await rolecall([...run, '--retry-cut', '2x'], whole)
  expect([code, stderr]).toEqual([0, expect.any(String)])
  expect(server.seen).toHaveLength(6)
  const records = recordsIn(whole)
  expect(records.map(({ prediction, score, tokens }) => [prediction, score, tokens.reply])).toEqual([
    ['1', 1, 23],
    ['2', 1, 3],
    ['3', 1, 23],
    ['4', 1, 3],
  ])
  expect(records[0]!.cut_before).toEqual({ prediction: 'Well', max_out_len: 8, retried_with: 16 })
  expect(table.replace(/\s+/g, ' ')).toContain(
    'the first answer hit the limit of 8 tokens; this is the answer with a limit of 16 (2 of 4 rows)',
  )
  const folder = sumsFolder(server.url, 4, { max_out_len: 4 })
  await rolecall(run, folder)
  expect(server.seen).toHaveLength(10)
  // 8 tokens are still too few: the rows stay cut, and the same limit is not tried again.
  for (const _ of [1, 2]) await rolecall([...run, '-r', '--retry-cut', '2'], folder)
  expect(server.seen).toHaveLength(12)
  expect(recordsIn(folder)[0]).toMatchObject({ prediction: 'Well', finish: 'length', cut_before: { retried_with: 8 } })
  const tokensIn = () => recordsIn(folder).reduce((sum, { tokens }) => sum + tokens.reply, 0)
  const before = tokensIn()
  const { stdout } = await rolecall([...run, '-r', '--retry-cut', '4x', '--json', '--events', 'events.jsonl'], folder)
  // Only the second attempts are part of what this part of the run sent.
  const events = readFileSync(join(folder, 'events.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(events.at(-2)!)).toMatchObject({ event: 'progress', sent: 2, tokens: { reply: tokensIn() - before } })
  expect(server.seen).toHaveLength(14)
  expect(JSON.parse(stdout)).toMatchObject({ results: [{ rows: 4, cut: 0, value: 100 }] })
  expect(recordsIn(folder)[0]).toMatchObject({
    cut_before: { prediction: 'Well', max_out_len: 4, retried_with: 16 },
    tokens: { reply: 27 },
  })
  await server.close()
})

test('a retry that the server refuses leaves the cut answer, with a note', async () => {
  const server = await scriptedServer(({ body }) =>
    (JSON.parse(body) as { max_tokens: number }).max_tokens > 8
      ? { status: 400, json: { error: { message: 'max_tokens is too large' } } }
      : {
          json: {
            choices: [{ message: { content: '1' }, finish_reason: 'length' }],
            usage: { prompt_tokens: 5, completion_tokens: 8 },
          },
        },
  )
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache', '--retry-cut', '2x']
  const folder = sumsFolder(server.url, 1, { max_out_len: 8 })
  for (const more of [[], ['-r']]) {
    expect((await rolecall([...run, ...more], folder)).code).toBe(0)
    expect(recordsIn(folder)).toMatchObject([
      {
        prediction: '1',
        score: 1,
        tokens: { reply: 8 },
        notes: [{ code: 'retry-cut', text: expect.stringContaining('max_tokens is too large') }],
      },
    ])
  }
  await server.close()
})

test('invalid factors are errors', async () => {
  for (const value of ['1x', '0', '-2', 'x', 'twice']) expect((await rolecall(['run', '--retry-cut', value])).code).toBe(2)
})

test('max_cost_per_row counts both attempts: a cut answer that has cost as much is not retried, and stays', async () => {
  const server = await wordyServer()
  // The first attempt of a row costs 13 USD.
  const priced = (most: number) => ({ max_out_len: 8, price: { input: 1_000_000, output: 1_000_000 }, max_cost_per_row: most })
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache', '--retry-cut', '2x']
  const poor = sumsFolder(server.url, 1, priced(13))
  expect((await rolecall(run, poor)).code).toBe(0)
  expect(server.seen).toHaveLength(1)
  const [record] = recordsIn(poor)
  expect(record).toMatchObject({ prediction: 'Well', finish: 'length', notes: [{ code: 'retry-cut' }] })
  expect(record!.notes![0]!.text).toMatch(/^it was not retried with 16 tokens: it has cost 13\.00 USD .* max_cost_per_row is 13$/)
  const rich = sumsFolder(server.url, 1, priced(14))
  await rolecall(run, rich)
  expect(server.seen).toHaveLength(3)
  expect(recordsIn(rich)[0]).toMatchObject({ prediction: '1', cut_before: { retried_with: 16 } })
  await server.close()
})
