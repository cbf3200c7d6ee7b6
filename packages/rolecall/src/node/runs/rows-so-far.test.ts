import { afterEach, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import type { EvaluationOptions } from './evaluation-options.ts'
import { RowsSoFar } from './rows-so-far.ts'
import { runEvaluation } from './run-evaluation.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A server that refuses every fourth row of the first eight requests, and cuts the others of them at the limit if told to. */
async function setUp({ refuses = false, cuts = false } = {}) {
  const server = await scriptedServer(({ number }) => {
    const isFirst = number < 8
    if (refuses && isFirst && number % 4 === 0) return { status: 400, json: { error: { message: 'no' } } }
    const finish_reason = cuts && isFirst && number % 4 === 0 ? 'length' : 'stop'
    return { json: { choices: [{ message: { content: '1' }, finish_reason }], usage: { prompt_tokens: 5, completion_tokens: 1 } } }
  })
  servers.push(server)
  const workDir = folderWith({})
  /** The rows that are done according to each event of a run, the last one aside. */
  return async (prompt: string, rows: number, options: EvaluationOptions = {}) => {
    const config = {
      models: [{ abbr: 'one', type: 'openai', path: 'one', base_url: server.url, format: 'messages', concurrency: 1, max_out_len: 8 }],
      datasets: [
        {
          abbr: 'sums',
          rows: Array.from({ length: rows }, (_, id) => ({ question: `${id}+1=?`, answer: '1' })),
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN' as const, prompt }] } } },
        },
      ],
    }
    const counted = new RowsSoFar()
    const done: number[] = []
    await runEvaluation(config as never, {
      workDir,
      cache: false,
      reuse: 'latest',
      onEvent(event) {
        if (event.kind !== 'start' && event.kind !== 'row') return
        counted.add(event)
        done.push(counted.of(event.pair).done)
      },
      ...options,
    })
    return done
  }
}

test('rows that a resumed run keeps are done from the start', async () => {
  const run = await setUp()
  expect(await run('{question}', 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(await run('{question}', 10)).toEqual([8, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10])
})

test('records of another prompt are not counted once the first of them is sent again', async () => {
  const run = await setUp()
  await run('{question}', 8)
  expect((await run('Add: {question}', 8)).slice(1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('with --retry-errors, all but the failed rows are done from the start', async () => {
  const run = await setUp({ refuses: true })
  await run('{question}', 8)
  const done = await run('{question}', 8, { retryErrors: true })
  expect([done[0], done.at(-1), done.every((one, place) => place === 0 || one >= done[place - 1]!)]).toEqual([6, 8, true])
})

test('with --retry-cut, a run with cut rows is not done before the last of them', async () => {
  const run = await setUp({ cuts: true })
  await run('{question}', 8)
  const done = await run('{question}', 8, { retryCut: 2 })
  expect(done.slice(1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})
