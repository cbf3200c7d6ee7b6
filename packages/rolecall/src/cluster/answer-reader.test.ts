import { expect, test } from 'vitest'
import type { Pair } from '../evaluation/run/plan-run.ts'
import { AnswerReader } from './answer-reader.ts'
import { packAnswer } from './pack-answer.ts'
import { PendingRows } from './pending-rows.ts'
import type { QueueClient } from './redis.ts'

const key = 'a'.repeat(64)
const pair = { name: { model: 'm', dataset: 'd' } } as Pair
const answer = packAnswer({
  answer: {
    ...{ prompt_hash: key, prediction: '4', milliseconds: 1 },
    ...{ tokens: { prompt: 1, reused: 0, reply: 1 }, examples: { used: 0, dropped: 0 } },
  },
})

/** The reader of a stream, whose entries answer these rows, and a missing job with one row. */
function reading(answered: readonly string[]) {
  const books = new PendingRows()
  void books.ask(pair, { id: 1, key, row: {}, examples: [] }, () => undefined).answer
  books.enqueued('missing', 'queue', [key])
  const entries = answered.map((one, index) => [`1-${index + 1}`, ['key', one, 'answer', answer]] as const)
  /** Rows that are enqueued again, because the job was looked for before each read. */
  const again: number[] = []
  const redis = {
    async xread(...given: (string | number)[]) {
      again.push(...books.seen('missing', false, reader.reads).map(({ task }) => task.id))
      await new Promise((resolve) => setTimeout(resolve, 1))
      const from = entries.findIndex(([id]) => id === given.at(-1)) + 1
      return [['stream', entries.slice(from, from + Number(given[given.indexOf('COUNT') + 1]))]]
    },
    xdel: async () => 1,
    disconnect: () => undefined,
  }
  const listeners = { split: () => undefined, trouble: () => undefined }
  const reader = new AnswerReader({ again: () => redis } as unknown as QueueClient, 'run', books, listeners)
  return { reader, books, again }
}

test('a row whose answer lies behind a backlog of others is not enqueued again', async () => {
  const { reader, books, again } = reading([...Array.from({ length: 2500 }, (_, index) => `${index}`), key])
  const following = reader.follow()
  await expect.poll(() => books.rows, { timeout: 30_000 }).toBe(0)
  reader.stop()
  await following
  expect(again).toEqual([])
})

test('a row of a missing job is enqueued again after all answers have been read, in batches or none', async () => {
  for (const before of [0, 3, 500]) {
    const { reader, again } = reading(Array.from({ length: before }, (_, index) => `${index}`))
    const following = reader.follow()
    await expect.poll(() => again, { timeout: 30_000 }).toEqual([1])
    reader.stop()
    await following
  }
})
