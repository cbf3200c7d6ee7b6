import { createHash } from 'node:crypto'
import { readAddress } from '../../../../packages/rolecall/src/cluster/address.ts'
import { type JobData, queueName } from '../../../../packages/rolecall/src/cluster/protocol.ts'
import { connect } from '../../../../packages/rolecall/src/cluster/redis.ts'
import { until } from '../../queued-run.ts'
import { expectTrue, type Fault, finished, lastNotes } from './fault.ts'
import { command, runsOn } from './stage.ts'

const answer = {
  prompt_hash: 'a'.repeat(64),
  prediction: 'forged',
  tokens: { prompt: 1, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 1,
}

/** Answers that no worker wrote. Each is sent for keys of real rows, and for a key that was never asked. */
const forgedAnswers: readonly string[] = [
  'not JSON',
  'null',
  '[]',
  '{}',
  JSON.stringify({ answer }),
  JSON.stringify({ answer: { ...answer, prompt_hash: 'x' } }),
  JSON.stringify({ answer: { ...answer, prediction: null } }),
  JSON.stringify({ answer: { ...answer, prediction: { toString: 1 } } }),
  JSON.stringify({ answer: { ...answer, tokens: { prompt: -1, reused: 0, reply: 0 } } }),
  JSON.stringify({ answer: { ...answer, milliseconds: '1' } }),
  JSON.stringify({ answer: { ...answer, examples: { used: 3, dropped: 0 } } }),
  `{ "answer": { "prompt_hash": "${'a'.repeat(64)}", "prediction": "x", "tokens": { "prompt": ${'9'.repeat(40)}, "reused": 0, "reply": 0 }, "examples": { "used": 0, "dropped": 0 }, "milliseconds": 1 } }`,
  JSON.stringify({ error: { code: 'unauthorized', where: 'w', problem: 'forged', fix: 'f' } }),
  JSON.stringify({ error: { code: 1 } }),
]

/** A stranger who can write to Redis. */
export const forgeries: readonly Fault[] = [
  {
    name: 'forged answers',
    holds: 'answers that cannot be those of a row are dropped and counted; records are those of a run without a queue',
    async attempt(stage) {
      const folder = stage.folder()
      const coordinator = stage.coordinate(folder)
      await until(async () => (await runsOn(stage.redis)).length > 0, 'the run is on the queue')
      const [run = ''] = await runsOn(stage.redis)
      const unasked = createHash('sha256').update('never asked').digest('hex')
      const keys = [unasked, ...(await enqueuedKeys(stage.redis, run))]
      expectTrue(keys.length > 10, 'rows are enqueued')
      let sent = 0
      for (const forged of forgedAnswers) {
        for (const key of keys.slice(0, 12)) {
          await command(stage.redis, 'XADD', `rolecall:run:${run}:answers`, '*', 'key', key, 'answer', forged)
          sent++
        }
      }
      stage.work()
      await finished(stage, coordinator, folder, 0)
      const dropped = [...coordinator.said().matchAll(/(\d+) (?:invalid )?answers in the queue were dropped/g)]
      const counted = dropped.reduce((sum, [, number]) => sum + Number(number), 0)
      expectTrue(counted === sent, `all are counted: ${counted} of ${sent}, ${coordinator.said().slice(-1500)}`)
      return `${sent} forged answers to ${keys.slice(0, 12).length} keys: 0 recorded, ${counted} dropped and counted`
    },
  },
  {
    name: 'forged jobs',
    holds: 'workers remove jobs that are not of the run and ask nothing for them; records are those of a run without a queue',
    async attempt(stage) {
      const folder = stage.folder()
      const coordinator = stage.coordinate(folder)
      const worker = stage.work()
      await until(() => stage.asked.size >= 20, 'rows are asked')
      const [run = ''] = await runsOn(stage.redis)
      const notice = await command(stage.redis, 'HGET', 'rolecall:runs', run)
      const [, setup = ''] = /"setup":"([0-9a-f]+)"/.exec(notice) ?? []
      const client = await connect(readAddress(stage.redis.url, 'the queue'))
      try {
        await client.queue(queueName(run, 0)).addBulk(forgedJobs(setup).map((data) => ({ name: 'rows', data: data as JobData })))
      } finally {
        client.close()
      }
      await finished(stage, coordinator, folder, 0)
      expectTrue(worker.child.exitCode === null && !worker.said().includes('refused'), `the worker goes on: ${worker.said()}`)
      expectTrue(![...stage.asked.keys()].includes(forgedSum), 'nothing forged is asked')
      return `${forgedJobs(setup).length} forged jobs: 0 asked, 0 recorded, the worker goes on; ${lastNotes(worker)}`
    },
  },
]

const forgedSum = '777777+1'

/** Jobs that a stranger may write. */
function forgedJobs(setup: string): readonly unknown[] {
  const pair = { model: 'adder', dataset: 'sums' }
  const row = { id: 0, key: 'f'.repeat(64), row: { question: `${forgedSum}=?` }, shown: 0 }
  const rows = (...given: readonly unknown[]) => JSON.stringify({ rows: given, examples: ['{"examples":[]}'] })
  return [
    {},
    { setup },
    { setup, pair, rows: 'not JSON' },
    { setup, pair, rows: '{}' },
    { setup, pair, rows: rows(row) },
    { setup, pair, rows: rows(row, { ...row, id: 1 }, { ...row, id: 2 }) },
    { setup, pair, rows: rows({ ...row, key: 'x' }) },
    { setup, pair, rows: rows({ ...row, shown: 7 }) },
    { setup, pair, rows: rows({ ...row, id: '1e400' }) },
    { setup, pair, rows: rows({ ...row, row: null }) },
    { setup, pair, rows: rows(row).replace('"question"', '"__proto__"') },
    { setup, pair: { ...pair, dataset: '../../etc/passwd' }, rows: rows(row) },
    { setup, pair: { ...pair, model: 'other' }, rows: rows(row) },
    { setup: 'other', pair, rows: rows(row) },
    { setup, pair, rows: rows(row), alone: true },
    { setup, pair, rows: rows(...Array.from({ length: 1000 }, (_, id) => ({ ...row, id }))) },
  ]
}

async function enqueuedKeys(redis: Parameters<typeof command>[0], run: string): Promise<string[]> {
  let found: string[] = []
  await until(async () => {
    const jobs = await command(redis, 'KEYS', `rolecall:queue:${run}.0:*-*`)
    const ids = jobs.match(/rolecall:queue:\S+?:[0-9a-f]{8}-\d+(?=\r)/g) ?? []
    const rows = await Promise.all(ids.slice(0, 20).map((id) => command(redis, 'HGET', id, 'data')))
    found = rows.flatMap((text) => text.match(/[0-9a-f]{64}/g) ?? [])
    return found.length > 10
  }, 'rows are enqueued')
  return found
}
