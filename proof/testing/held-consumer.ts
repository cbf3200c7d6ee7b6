import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { JobConsumer } from '../../packages/rolecall/src/cluster/job-consumer.ts'
import { packRows } from '../../packages/rolecall/src/cluster/pack-rows.ts'
import { type RunNotice, setupHash, timesOf } from '../../packages/rolecall/src/cluster/protocol.ts'
import type { QueueClient } from '../../packages/rolecall/src/cluster/redis.ts'
import { SharedSlots } from '../../packages/rolecall/src/cluster/shared-slots.ts'
import type { Config } from '../../packages/rolecall/src/evaluation/config/config-schema.ts'
import type { RowTask } from '../../packages/rolecall/src/evaluation/run/run-types.ts'
import type { OpenQueue } from '../../packages/rolecall/src/node/runs/evaluation-options.ts'
import { runEvaluation } from '../../packages/rolecall/src/node/runs/run-evaluation.ts'

/** A config with one model, `m`, and one dataset, `d`. */
export const additionConfig = {
  models: [{ abbr: 'm', type: 'openai' as const, path: 'm', base_url: 'http://127.0.0.1:1/v1', format: 'messages' }],
  datasets: [
    {
      abbr: 'd',
      rows: [{ question: '1+1=?' }],
      reader_cfg: { input_columns: ['question'] },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
}

/** A worker with two rows at once, whose jobs are given as they come; the model's server leaves requests open. */
export async function heldConsumer(rows: number, heartbeat: { ready?: Promise<void> } = {}) {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk))
    request.on('end', () => {
      asked.push(/row \d+/.exec(body)![0])
      const reply = { choices: [{ message: { role: 'assistant', content: '2' }, finish_reason: 'stop' }] }
      answers.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const model = { ...additionConfig.models[0]!, base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
  const dataset = { ...additionConfig.datasets[0]!, rows: Array.from({ length: rows }, (_, id) => ({ question: `row ${id}` })) }
  const given = { models: [model], datasets: [dataset] }
  const setup = { folder: '', files: [], config: JSON.stringify(given), selection: {}, keepPrompts: false }
  const notice: RunNotice = { version: '', setup: setupHash(setup), models: [{ model: 'm' }], host: '', started: '' }
  const tasks = await tasksOf(given)
  const data = { setup: notice.setup, pair: { model: 'm', dataset: 'd' }, rows: packRows(tasks) }
  const jobs: object[] = []
  const [completed, lost]: [string[], (() => void)[]] = [[], []]
  let [takes, token] = [0, '']
  const taker = {
    getNextJob: async (mine: string) => {
      token = mine
      takes++
      return jobs.shift() ?? sleep(20).then(() => jobs.shift())
    },
    toKey: (id: string) => id,
    startStalledCheckTimer: async () => undefined,
    close: async () => undefined,
  }
  /** Locks by job; an active job without an entry has none. */
  const locks = new Map<string, string>()
  /** Jobs whose locks the heartbeat renews. */
  const renewed = new Set<string>()
  /** The answered keys of each job. */
  const answered = new Map<string, string[]>()
  let reading: Promise<void> | undefined
  const redis = {
    ...{ del: async () => 1, status: 'ready', get: async () => JSON.stringify(setup) },
    async rolecallAppendAnswers(...[, done = '', , ...given]: string[]) {
      const found = given.filter((_, place) => place % 2 === 0)
      answered.set(done, [...(answered.get(done) ?? []), ...found])
      return found.length
    },
    rolecallHoldJobs: async (_base: string, _lock: number, job: string, mine: string) => ((locks.get(job) ?? mine) === mine ? [] : [0]),
    async smembers(done: string) {
      const found = answered.get(done) ?? []
      await reading
      return found
    },
  }
  const consumer = new JobConsumer({
    client: { redis, taker: () => taker } as unknown as QueueClient,
    heartbeat: {
      ...heartbeat,
      tell({ kind, job }: { kind: string; job: string }, onLost: () => void) {
        if (kind === 'hold') lost.push(onLost)
        if (kind === 'hold') renewed.add(job)
        else renewed.delete(job)
      },
    } as never,
    ...{ times: timesOf({}), run: 'r', queue: 'r.0', model: { model: 'm' }, notice, slots: new SharedSlots(() => 2), prepare: {} },
    onTrouble: () => undefined,
  })
  return {
    ...{ consumer, asked, completed, lost, locks, renewed, token: () => token, takes: () => takes },
    /** Redis does not return the answered keys of a job until the function that this returns is called. */
    holdReads() {
      let release = () => {}
      reading = new Promise((resolve) => (release = resolve))
      return () => release()
    },
    give: (id: string, more: object = {}) =>
      jobs.push({
        ...{ id, attemptsStarted: 1, stalledCounter: 0, data, moveToWait: async () => {}, ...more },
        moveToCompleted: async () => void completed.push(id),
      }),
    answerOne: () => answers.shift()?.(),
    answerAll() {
      for (const answer of answers.splice(0)) answer()
    },
    /** Answers the requests so far; returns the number of rows whose answers are in Redis. */
    answeredAll() {
      this.answerAll()
      return consumer.status.done
    },
    async close() {
      await consumer.stop(true)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The rows of a run as its coordinator would enqueue them. */
export async function tasksOf(given: Config): Promise<RowTask[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-tasks-'))
  const tasks: RowTask[] = []
  const open: OpenQueue = {
    ...{ begin: () => undefined, read: () => undefined, onRoom: () => undefined, room: () => 1, recorded: () => undefined },
    ask: async (_, task) => {
      tasks.push(task)
      return undefined
    },
    close: async () => [],
  }
  try {
    await runEvaluation(given, { workDir: folder, cache: false, queue: { check: () => undefined, open: async () => open } })
    return tasks
  } finally {
    rmSync(folder, { recursive: true })
  }
}
