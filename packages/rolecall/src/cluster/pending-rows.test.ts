import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../proof/testing/sampling.ts'
import { PromptError } from '../../../core/src/base/errors/prompt-error.ts'
import { type PyValue, pyFloat, stringifyJson } from '../../../core/src/base/python/index.ts'
import type { Pair } from '../evaluation/run/plan-run.ts'
import type { RowAnswer } from '../evaluation/run/record/run-record.ts'
import type { RowTask } from '../evaluation/run/run-types.ts'
import { readAddress, withoutLogin } from './address.ts'
import type { Job } from './client-types.ts'
import { Crews, countCrews } from './crews.ts'
import { Heartbeat } from './heartbeat.ts'
import { HeldJobs } from './held-job.ts'
import { inFlightLimit, jobSize, prefetchCount } from './job-size.ts'
import { packAnswer, readAnswer } from './pack-answer.ts'
import { packRows, unpackRows } from './pack-rows.ts'
import { PendingRows } from './pending-rows.ts'
import { type JobData, runId, type Taking, timesOf, type WorkerStatus } from './protocol.ts'
import type { Redis } from './redis.ts'
import { describeProblem, problemReporter } from './report-problem.ts'

const pair = { name: { model: 'm', dataset: 'd' } } as Pair
const key = (id: number) => id.toString(16).padStart(64, '0')
const task = (id: number): RowTask => ({ id, key: key(id), row: { id }, examples: [] })
const answer = (text: string): RowAnswer => ({
  prompt_hash: 'a'.repeat(64),
  prediction: text,
  tokens: { prompt: 1, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 1,
})

const fits = () => undefined

test('a row that failed after some replies has their tokens, and one with the same request has none', async () => {
  const books = new PendingRows()
  const tokens = { prompt: 5, reused: 0, reply: 1 }
  const error = new PromptError('request-failed', { where: 'w', problem: 'p', fix: 'f' })
  const seen: unknown[] = []
  const asked = [1, 1].map((id) => books.ask(pair, task(id), fits, (one) => seen.push(one)).answer)
  books.enqueued('job', 'queue', [key(1)])
  books.answered(key(1), '1-0', { error, tokens })
  for (const one of asked) await expect(one).rejects.toBe(error)
  expect(seen).toEqual([tokens])
})

describe('jobs', () => {
  test("shrink towards the end, and never exceed a worker's concurrency", () => {
    const crew = { workers: 4, slots: 64, rate: 0 }
    expect([100_000, 1000, 100, 64, 0].map((left) => jobSize(crew, left))).toEqual([16, 8, 1, 1, 1])
    expect(jobSize({ workers: 1, slots: 1000, rate: 0 }, 1e6)).toBe(64)
    expect(jobSize({ workers: 0, slots: 0, rate: 0 }, 1e6)).toBe(1)
    expect([0, 10, 64_000].map((slots) => inFlightLimit({ workers: 1, slots, rate: 0 }))).toEqual([64, 64, 192_000])
    expect([1, 400, 1e6].map((rate) => inFlightLimit({ workers: 2, slots: 8, rate }))).toEqual([64, 600, 2048])
    expect([1, 80, 1e6].map((rate) => jobSize({ workers: 2, slots: 8, rate }, 1e6))).toEqual([4, 20, 64])
    expect([1, 50, 1000].map((milliseconds) => prefetchCount(16, milliseconds))).toEqual([16, 8, 0])
  })

  test('preserve rows with any content', () => {
    const values = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double().map((one) => pyFloat(one) as PyValue),
    )
    const rows = fc.array(fc.dictionary(fc.string(), values), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(rows, rows, (given, shown) => {
        const tasks = given.map((row, id) => ({ ...task(id), row: row as RowTask['row'], examples: shown as never }))
        const read = unpackRows(packRows(tasks))
        for (const [index, one] of read.entries()) {
          expect(stringifyJson(one.row)).toBe(stringifyJson(tasks[index]!.row))
          expect(stringifyJson(one.examples as never)).toBe(stringifyJson(shown as never))
          expect(one.examples).toBe(read[0]!.examples)
        }
      }),
      { numRuns: propertyRuns(100) },
    )
  })

  test('that are corrupt are reported, however they are broken', () => {
    const broken = [
      '',
      '[]',
      '{',
      '{"rows":1}',
      '{"rows":[],"examples":[1]}',
      '{"rows":[{"id":0}],"examples":[]}',
      '{"rows":[{"id":0,"key":"x","row":{},"shown":0}],"examples":["{\\"examples\\":[]}"]}',
    ]
    for (const text of broken) expect(() => unpackRows(text)).toThrow(expect.objectContaining({ code: 'bad-job' }))
  })
})

test('answers and errors round-trip; anything else is undefined', () => {
  expect(readAnswer(packAnswer({ answer: answer('é\n"') }))).toEqual({ answer: answer('é\n"') })
  const error = new PromptError('request-failed', { where: 'w', problem: 'p', fix: 'f' })
  expect(readAnswer(packAnswer({ error }))).toMatchObject({ error: { code: 'request-failed', message: error.message } })
  const tokens = { prompt: 5, reused: 0, reply: 1 }
  expect(readAnswer(packAnswer({ error, tokens }))).toEqual({ error, tokens })
  for (const text of ['', '1', '{"answer":{}}', '{"error":{"code":1}}', 'null']) {
    expect(readAnswer(text)).toEqual({ problem: expect.any(String) })
  }
})

test.each([
  ['a number that is no token count', { tokens: { prompt: 10n ** 20n, reused: 0, reply: 1 } }, 'tokens.prompt'],
  ['a prediction that is no text', { prediction: { text: '4' } }, 'prediction'],
  ['a hash that is none', { prompt_hash: 'x' }, 'prompt_hash'],
  ['a negative duration', { milliseconds: -1 }, 'milliseconds'],
  ['calls that are none', { calls: [1] }, 'calls'],
  ['half an example', { examples: { used: 0.5, dropped: 0 } }, 'examples.used'],
])('an answer with %s is invalid', (_, change, place) => {
  const sent = packAnswer({ answer: { ...answer('4'), ...change } as never })
  expect(readAnswer(sent)).toEqual({ problem: expect.stringContaining(place) })
})

test('unknown keys of an answer are dropped, and a row cannot fail with an error that stops the run', () => {
  expect(readAnswer(packAnswer({ answer: { ...answer('4'), score: 1, __proto__: null } as never }))).toEqual({ answer: answer('4') })
  const error = new PromptError('unauthorized', { where: 'w', problem: 'p', fix: 'f' })
  expect(readAnswer(packAnswer({ error }))).toEqual({ problem: 'a row cannot fail with unauthorized' })
})

describe('pending rows', () => {
  test('await a row once, however often it is requested', async () => {
    const books = new PendingRows()
    const [first, second] = [books.ask(pair, task(1), fits), books.ask(pair, task(1), fits)]
    expect([first.isNew, second.isNew]).toEqual([true, false])
    books.enqueued('job', 'queue', [key(1)])
    books.answered(key(1), '1-0', { answer: answer('a') })
    expect([await first.answer, await second.answer]).toEqual([answer('a'), answer('a')])
    expect(books.jobs).toEqual([])
  })

  test('neither enqueue nor send again the rows of an earlier coordinator', async () => {
    const books = new PendingRows()
    books.enqueued('old', 'queue', [key(1)])
    expect(books.answered(key(2), '1-0', { answer: answer('early') }, true)).toEqual({ is: 'early' })
    expect(books.ask(pair, task(1), fits).isNew).toBe(false)
    const early = books.ask(pair, task(2), fits)
    expect([early.isNew, await early.answer]).toEqual([false, answer('early')])
  })

  test('release an answer, and every copy of it, only when its row is recorded', async () => {
    const books = new PendingRows()
    void books.ask(pair, task(1), fits).answer
    books.answered(key(1), '1-0', { answer: answer('a') })
    books.answered(key(1), '2-0', { answer: answer('late') })
    expect(books.takeRecorded()).toEqual([])
    books.recorded(key(1))
    expect(books.takeRecorded()).toEqual(['1-0', '2-0'])
    expect(books.takeRecorded()).toEqual([])
  })

  test('enqueue the unanswered rows of a job that is missing, once all answers before are read', () => {
    const books = new PendingRows()
    for (const id of [1, 2]) void books.ask(pair, task(id), fits).answer.catch(() => undefined)
    books.enqueued('job', 'queue', [key(1), key(2)])
    books.answered(key(1), '1-0', { answer: answer('a') })
    expect(books.seen('job', false, 4)).toEqual([])
    expect(books.seen('job', true, 6)).toEqual([])
    expect(books.seen('job', false, 6)).toEqual([])
    // The last answers may not have been read, however often the job is looked for.
    for (const reads of [6, 7, 7]) expect(books.seen('job', false, reads)).toEqual([])
    expect(books.seen('job', false, 8).map(({ task: { id } }) => id)).toEqual([2])
    expect(books.rows).toBe(1)
  })
})

describe('answers that are dropped', () => {
  test('are those to rows that were not requested; those of found jobs may be early', () => {
    const books = new PendingRows()
    books.enqueued('old', 'queue', [key(1)])
    expect(books.answered(key(1), '1-0', { answer: answer('a') })).toEqual({ is: 'early' })
    expect(books.answered(key(2), '2-0', { answer: answer('forged') })).toEqual({ is: 'unasked' })
    expect(books.unclaimed).toBe(1)
    books.recorded(key(1))
    expect([books.unclaimed, books.takeRecorded()]).toEqual([0, ['1-0']])
  })

  test('leave their row waiting if they are invalid; after three jobs the row fails', async () => {
    const books = new PendingRows()
    const other = (given: RowAnswer) => (given.prediction === 'a' ? undefined : 'its prompt hash is not that of the row')
    const row = books.ask(pair, task(1), other)
    const failing = books.ask(pair, task(2), other)
    books.enqueued('job', 'queue', [key(1), key(2)])
    for (const entry of ['1-0', '2-0', '3-0', '4-0']) {
      expect(books.answered(key(1), entry, { answer: answer('forged') })).toMatchObject({ is: 'invalid' })
    }
    expect(books.answered(key(1), '5-0', { answer: answer('a') })).toEqual({ is: 'taken' })
    expect(await row.answer).toEqual(answer('a'))
    for (const job of ['job', 'job-2', 'job-3']) {
      books.enqueued(job, 'queue', [key(2)])
      books.answered(key(2), job, { answer: answer('forged') })
    }
    await expect(failing.answer).rejects.toMatchObject({ code: 'invalid-answer', problem: expect.stringContaining('prompt hash') })
    expect(books.rows).toBe(0)
  })

  test('are replaced if they are early and invalid', () => {
    const books = new PendingRows()
    books.answered(key(1), '1-0', { answer: answer('forged') }, true)
    expect(books.ask(pair, task(1), () => 'wrong').isNew).toBe(true)
    expect([books.unclaimed, books.takeRecorded()]).toEqual([1, ['1-0']])
  })
})

test('rows that are no longer awaited have no answer, and do not fail', async () => {
  const books = new PendingRows()
  const [one, two] = [books.ask(pair, task(1), fits), books.ask(pair, task(2), fits)]
  books.leave([key(1)])
  expect(await one.answer).toBeUndefined()
  expect(books.rows).toBe(1)
  books.leave()
  expect(await two.answer).toBeUndefined()
})

test('a row that killed workers runs when no other is held, and blocks others', () => {
  const held = new HeldJobs()
  const job = (id: string, alone?: true) => ({ id, data: { setup: '', pair: pair.name, rows: '', alone } }) as unknown as Job<JobData>
  const first = held.add(job('1'), 't', [task(1), task(2)])
  expect(held.hasAlone).toBe(false)
  held.add(job('2', true), 't', [task(3)])
  expect(held.hasAlone).toBe(true)
  expect([held.start()?.task.id, held.start()?.task.id, held.start()]).toEqual([1, 2, undefined])
  held.end(first)
  held.end(first)
  // Its answers may not have been sent yet.
  expect(held.start()).toBeUndefined()
  held.remove(first)
  expect(held.start()?.task.id).toBe(3)
})

describe('problems', () => {
  test('are reported with a fix, the same one once a minute', () => {
    const told: string[] = []
    const tell = problemReporter((problem) => told.push(problem))
    for (let times = 0; times < 3; times++) tell(describeProblem(new Error("OOM command not allowed when used memory > 'maxmemory'.")))
    tell(describeProblem(new Error('something else')))
    expect(told).toEqual([expect.stringContaining('raise maxmemory'), 'something else'])
  })

  test('of the heartbeat thread are reported without a login', async () => {
    const address = readAddress('redis://me:hunter22@127.0.0.1:1', '--queue')
    const said = await new Promise<string>((resolve) => {
      new Heartbeat({ address, library: '/nowhere/hunter22.js' }, timesOf({}), { trouble: resolve })
    })
    expect(said).toMatch(/^locks are no longer renewed.*nowhere/)
    expect(said).not.toContain('hunter22')
  })
})

test('a login never appears in messages', () => {
  const address = readAddress('valkeys://me:pass%20word@10.0.0.5:6380/2', '--queue')
  expect(address.shown).toBe('rediss://10.0.0.5:6380/2')
  expect(withoutLogin(`cannot reach ${address.url} as me-and with pass word`, address)).not.toMatch(/pass word|me:/)
  const unescaped = readAddress('redis://:100%sure@10.0.0.5', '--queue')
  expect(withoutLogin('WRONGPASS 100%sure', unescaped)).toBe('WRONGPASS ***')
  for (const wrong of ['', 'localhost', 'http://me:secret@host', 'redis://me:secret@host/path', 'redis://']) {
    expect(() => readAddress(wrong, '--queue')).toThrow(
      expect.objectContaining({ code: 'bad-queue', message: expect.not.stringContaining('secret') }),
    )
  }
})

test('a resumed run has the same name in Redis, and another run a different one', () => {
  const run = { name: 'mmlu/5 shots', started: '2026-11-17T05:00:00.123Z', folder: '/runs/20261117_050000' }
  expect(runId(run)).toMatch(/^mmlu-5-shots-20261117_050000-[0-9a-f]{6}$/)
  expect(runId({ ...run, folder: '/moved/20261117_050000' })).toBe(runId(run))
  expect(runId({ ...run, started: '2026-11-17T05:00:00.124Z' })).not.toBe(runId(run))
})

test('the lock duration is a number of seconds', () => {
  expect(timesOf({ ROLECALL_QUEUE_LOCK: '30' })).toEqual({ lock: 30_000, beat: 6000, check: 10_000, look: 500 })
  expect(Object.values(timesOf({ ROLECALL_QUEUE_LOCK: '2' })).every(Number.isInteger)).toBe(true)
  expect(() => timesOf({ ROLECALL_QUEUE_LOCK: 'soon' })).toThrow('ROLECALL_QUEUE_LOCK')
})

describe('a run without workers', () => {
  const taking: Taking = { slots: 0, underWay: 0, done: 0, failed: 0, rate: 0 }
  const refuses = { text: 'rows.jsonl is missing', code: 'no-such-file', where: 'w', problem: 'p', fix: 'f' }
  const status = (id: string, queues: WorkerStatus['queues']): WorkerStatus => ({
    id,
    host: 'h',
    pid: 1,
    version: '1',
    started: '',
    queues,
  })
  const redisWith = (workers: readonly WorkerStatus[]) =>
    ({
      zrange: async () => workers.map(({ id }) => id),
      mget: async () => workers.map((worker) => JSON.stringify(worker)),
    }) as unknown as Redis
  const waiting = new Map([[0, 'qwen']])

  test('ends after a while, and lists the reason of each worker', async () => {
    const crews = new Crews(redisWith([status('a', { q: { ...taking, refuses } }), status('b', {})]), ['q'], 20_000)
    expect((await crews.look(waiting, 0)).stops).toBeUndefined()
    expect((await crews.look(waiting, 19_999)).stops).toBeUndefined()
    const { stops } = await crews.look(waiting, 20_000)
    expect(stops).toMatchObject({ code: 'no-workers', where: 'qwen' })
    expect(stops?.problem).toMatch(
      /for 20 s no worker has taken its rows: \n {4}a: rows.jsonl is missing\n {4}b: does not serve this model/,
    )
  })

  test('waits while a worker loads its model, while no row waits, and after Redis was down', async () => {
    const loading = new Crews(redisWith([status('a', { q: taking })]), ['q'], 20_000)
    const done = new Crews(redisWith([]), ['q'], 20_000)
    const down = new Crews(redisWith([]), ['q'], 20_000)
    for (const at of [0, 10_000, 20_000, 30_000]) {
      expect((await loading.look(waiting, at)).stops).toBeUndefined()
      expect((await done.look(new Map(), at)).stops).toBeUndefined()
    }
    for (const at of [0, 10_000, 600_000, 610_000]) expect((await down.look(waiting, at)).stops).toBeUndefined()
    expect((await down.look(waiting, 620_000)).stops?.problem).toContain('there are none on the queue')
  })
})

test('jobs grow with the answers that arrive, before workers report their rates', async () => {
  const taking: Taking = { slots: 4, underWay: 4, done: 0, failed: 0, rate: 0 }
  const worker: WorkerStatus = { id: 'a', host: 'h', pid: 1, version: '1', started: '', queues: { q: taking } }
  const redis = { zrange: async () => ['a'], mget: async () => [JSON.stringify(worker)] } as unknown as Redis
  const crews = new Crews(redis, ['q'])
  const books = new PendingRows()
  books.enqueued(
    'job',
    'q',
    Array.from({ length: 300 }, (_, id) => key(id)),
  )
  for (const [at, rows] of [
    [0, 0],
    [500, 50],
    [1000, 100],
    [5000, 100],
  ] as const) {
    while (books.answeredIn('q') < rows) books.answered(key(books.answeredIn('q')), '1-0', { answer: answer('') })
    await crews.look(new Map(), at, (queue) => books.answeredIn(queue))
    expect(jobSize(crews.of(0), 10_000)).toBe(rows > 0 && at < 5000 ? 50 : 4)
  }
  expect(books.rowsIn('q')).toBe(200)
})

test('a run stops if all its workers refuse, not if one does', () => {
  const taking: Taking = { slots: 8, underWay: 0, done: 0, failed: 0, rate: 0 }
  const refuses = { text: 'no key', code: 'unauthorized', where: 'w', problem: 'no key', fix: 'set it' }
  const worker = (id: string, taken: Taking): WorkerStatus => ({ id, host: 'h', pid: 1, version: '1', started: '', queues: { q: taken } })
  const refusing = worker('b', { ...taking, slots: 0, refuses })
  expect(countCrews([worker('a', taking), refusing], ['q'])).toEqual({
    crews: [{ workers: 1, slots: 8, rate: 0 }],
    seen: { workers: 1, slots: 8, refusals: ['no key'] },
  })
  expect(countCrews([refusing], ['q']).refusal).toMatchObject({ code: 'unauthorized' })
})
