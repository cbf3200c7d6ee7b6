import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { recordsOf, sumsFolder, until } from '../../../../proof/testing/queued-run.ts'
import { type ScriptedServer, scriptedServer } from '../../../../proof/testing/scripted-server.ts'
import { type PairAsker, pairAskers } from '../evaluation/run/ask-pair.ts'
import type { Pair } from '../evaluation/run/plan-run.ts'
import type { RowRecord } from '../evaluation/run/record/run-record.ts'
import { loadConfig } from '../node/config/load-config.ts'
import { askRun } from '../node/runs/control/ask-run.ts'
import type { EvaluationOptions, RunQueue } from '../node/runs/evaluation-options.ts'
import { nodeEnvironment } from '../node/runs/node-environment.ts'
import { runEvaluation } from '../node/runs/run-evaluation.ts'
import { packAnswer, readAnswer, type SentAnswer } from './pack-answer.ts'
import { packRows, unpackRows } from './pack-rows.ts'
import { PendingRows } from './pending-rows.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const workers = 3
const slots = 4

/** A queue in this process: rows and answers are serialised as they are on Redis, and three workers take them. */
function queueHere(folder: string): RunQueue & { unrecorded: () => number } {
  const books = new PendingRows()
  let [entry, recorded] = [0, 0]
  return {
    unrecorded: () => entry - recorded,
    check: () => undefined,
    async open({ pairs }) {
      const made = Array.from({ length: workers }, () => pairAskers(pairs, nodeEnvironment(folder), {}))
      const askerOf = (pair: Pair, worker: number): PairAsker => made[worker % workers]![pairs.indexOf(pair)]!
      let jobs = 0
      return {
        ...{ begin: () => undefined, read: () => undefined, onRoom: () => undefined, room: () => workers * slots },
        async ask(pair, given, check) {
          const { answer, isNew } = books.ask(pair, given, check)
          if (isNew) {
            const job = `${jobs++}`
            books.enqueued(job, 'queue', [given.key])
            const [task] = unpackRows(packRows([given]))
            const sent = askerOf(pair, jobs)
              .ask(task!)
              .then((one): SentAnswer => ({ answer: one! }))
              .catch((error): SentAnswer => ({ error }))
            void sent.then((one) => books.answered(task!.key, `${entry++}-0`, readAnswer(packAnswer(one)) as SentAnswer))
          }
          return answer
        },
        recorded(key) {
          books.recorded(key)
          recorded += books.takeRecorded().length
        },
        async close() {
          for (const askers of made) await askers[0]?.close()
          return []
        },
      }
    },
  }
}

/** Even rows need 15 tokens and odd ones 3; longer answers than allowed are cut. */
async function wordyServer(isRefused: (id: number) => boolean = () => false) {
  const server = await scriptedServer(({ body }) => {
    const { max_tokens: most } = JSON.parse(body) as { max_tokens: number }
    const id = Number(/(\d+)\+1/.exec(body)![1])
    if (isRefused(id)) return { status: 400, json: { error: { message: 'this prompt is refused' } } }
    const needed = id % 2 === 0 ? 15 : 3
    const [content, finish_reason] = most < needed ? ['Well', 'length'] : [`${id + 1}`, 'stop']
    return {
      json: { choices: [{ message: { content }, finish_reason }], usage: { prompt_tokens: 5, completion_tokens: Math.min(most, needed) } },
    }
  })
  servers.push(server)
  return server
}

async function run(folder: string, workDir: string, options: EvaluationOptions = {}) {
  const queue = queueHere(folder)
  const result = await runEvaluation(await loadConfig(join(folder, 'eval.json')), { workDir, cache: false, queue, ...options })
  return { ...result, queue }
}

const predictions = (workDir: string) =>
  recordsOf(workDir)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RowRecord)

test('--retry-cut on a queue gives the records of a run without one, new and resumed; every answer is recorded', async () => {
  const server = await wordyServer()
  const folder = sumsFolder(server.url, 8, { max_out_len: 8 })
  const [alone, queued, later] = [folderWith({}), folderWith({}), folderWith({})]
  await runEvaluation(await loadConfig(join(folder, 'eval.json')), { workDir: alone, cache: false, retryCut: 2 })
  expect(server.seen).toHaveLength(12)
  const { queue } = await run(folder, queued, { retryCut: 2 })
  expect(server.seen).toHaveLength(24)
  expect(queue.unrecorded()).toBe(0)
  expect(recordsOf(queued)).toBe(recordsOf(alone))
  expect(predictions(queued)[0]).toMatchObject({ prediction: '1', cut_before: { prediction: 'Well', max_out_len: 8, retried_with: 16 } })
  // Without the flag, then with it: only the cut rows are sent again, with the larger limit.
  await run(folder, later)
  expect(server.seen).toHaveLength(32)
  for (const _ of [1, 2]) expect((await run(folder, later, { reuse: 'latest', retryCut: 2 })).queue.unrecorded()).toBe(0)
  expect(server.seen).toHaveLength(36)
  expect(recordsOf(later)).toBe(recordsOf(alone))
})

test('three workers with retries exceed a budget by no more than the rows in flight', async () => {
  const server = await wordyServer()
  const folder = sumsFolder(server.url, 200, { max_out_len: 8 })
  // An even row takes 13 + 20 tokens, an odd one 8.
  const { reached } = await run(folder, folderWith({}), { retryCut: 2, maxTokensTotal: 1000 })
  expect(reached).toMatchObject({ limit: 'max-tokens-total' })
  expect(reached!.spent.tokens).toBeGreaterThan(1000 - 33)
  expect(reached!.spent.tokens).toBeLessThanOrEqual(1000 + workers * slots * 33)
})

test('a job with a wrong second attempt is refused', () => {
  const task = { id: 0, key: 'a'.repeat(64), row: { question: '?' }, examples: [] }
  const spent = { prompt: 5, reused: 0, reply: 8 }
  const good = { of: 'b'.repeat(64), maxTokens: 16, spent }
  expect(unpackRows(packRows([{ ...task, retry: good }]))).toEqual([{ ...task, retry: good }])
  for (const bad of [
    { ...good, of: 'b' },
    { ...good, maxTokens: 0 },
    { ...good, maxTokens: 1.5 },
    { ...good, spent: { prompt: -1 } },
    'again',
  ])
    expect(() => unpackRows(packRows([{ ...task, retry: bad as never }]))).toThrow('has no key, limit or tokens')
})

test('a worker refuses a second attempt whose key is not that of its row and limit', async () => {
  const server = await wordyServer()
  const folder = sumsFolder(server.url, 1, { max_out_len: 8 })
  const queue = queueHere(folder)
  const refusals: unknown[] = []
  const watched: RunQueue = {
    ...queue,
    async open(distributed) {
      const open = await queue.open(distributed)
      const [asker] = pairAskers(distributed.pairs, nodeEnvironment(folder), {})
      return {
        ...open,
        async ask(pair, task, check) {
          const { retry } = task
          for (const forged of retry
            ? [
                { ...retry, maxTokens: 1000 },
                { ...retry, of: task.key },
              ]
            : [])
            await asker!.ask({ ...task, retry: forged }).catch((error) => refusals.push(error))
          return open.ask(pair, task, check)
        },
      }
    },
  }
  await runEvaluation(await loadConfig(join(folder, 'eval.json')), { workDir: folderWith({}), cache: false, queue: watched, retryCut: 2 })
  expect(refusals).toMatchObject([{ code: 'other-key' }, { code: 'other-key' }])
  expect(server.seen).toHaveLength(2)
})

test('retry-errors of a run on a queue sends the rows that failed again when the others are done', async () => {
  let isBad = true
  const held: (() => void)[] = []
  const server = await wordyServer((id) => isBad && id % 4 === 0)
  const folder = sumsFolder(server.url, 12, { max_out_len: 16 })
  const queue = queueHere(folder)
  const holding: RunQueue = {
    ...queue,
    async open(distributed) {
      const open = await queue.open(distributed)
      const last = new Promise<void>((resolve) => held.push(resolve))
      return {
        ...open,
        ask: async (pair, task, check) => (task.id === 11 ? last : Promise.resolve()).then(() => open.ask(pair, task, check)),
      }
    },
  }
  let [runFolder, rows] = ['', 0]
  const running = runEvaluation(await loadConfig(join(folder, 'eval.json')), {
    ...{ workDir: folderWith({}), cache: false, control: true, queue: holding },
    onEvent(event) {
      if (event.kind === 'folder') runFolder = event.folder
      if (event.kind === 'row') rows++
    },
  })
  await until(() => rows === 11, 'all rows but one are done')
  expect(await askRun(runFolder, { action: 'retry-errors' })).toMatchObject({ retries: true, rows: { failed: 3 } })
  isBad = false
  for (const release of held) release()
  expect((await running).summary.results).toMatchObject([{ rows: 12, failed: 0, value: 100 }])
  expect(server.seen).toHaveLength(15)
  expect(queue.unrecorded()).toBe(0)
})
