import { expect, test } from 'vitest'
import { heldConsumer } from '../../../../proof/testing/held-consumer.ts'
import { timesOf } from './protocol.ts'

test('rows of a job whose lock is lost are not sent, and taken again it sends none twice', async () => {
  const worker = await heldConsumer(5)
  try {
    worker.give('1')
    await expect.poll(() => worker.asked.length, { timeout: 60_000 }).toBe(2)
    worker.lost[0]!()
    worker.answerAll()
    await expect.poll(() => worker.consumer.status.done, { timeout: 60_000 }).toBe(2)
    expect(worker.asked).toEqual(['row 0', 'row 1'])
    // Another job; taken again while two of its rows are in flight.
    worker.give('2')
    await expect.poll(() => worker.asked.length, { timeout: 60_000 }).toBe(4)
    worker.lost[1]!()
    worker.answerOne()
    worker.give('2', { attemptsStarted: 2, stalledCounter: 1 })
    await expect.poll(() => worker.lost.length, { timeout: 60_000 }).toBe(3)
    await expect.poll(() => worker.answeredAll(), { timeout: 10_000 }).toBe(7)
    expect(worker.asked.slice(2).toSorted()).toEqual(['row 0', 'row 1', 'row 2', 'row 3', 'row 4'])
    await expect.poll(() => worker.completed, { timeout: 60_000 }).toEqual(['2'])
  } finally {
    await worker.close()
  }
})

test('the last row in flight of a lost job does not complete it if it was taken again meanwhile', async () => {
  const worker = await heldConsumer(5)
  try {
    worker.give('1')
    await expect.poll(() => worker.asked.length, { timeout: 60_000 }).toBe(2)
    worker.lost[0]!()
    worker.answerOne()
    await expect.poll(() => worker.consumer.status.done, { timeout: 60_000 }).toBe(1)
    const readOn = worker.holdReads()
    worker.give('1', { attemptsStarted: 2, stalledCounter: 1 })
    await expect.poll(() => worker.lost.length, { timeout: 60_000 }).toBe(2)
    worker.answerOne()
    await expect.poll(() => worker.consumer.status.done, { timeout: 60_000 }).toBe(2)
    expect([worker.completed, [...worker.renewed]]).toEqual([[], ['1']])
    readOn()
    await expect.poll(() => worker.asked.length, { timeout: 60_000 }).toBe(4)
    expect([worker.completed, [...worker.renewed]]).toEqual([[], ['1']])
    await expect.poll(() => worker.answeredAll(), { timeout: 10_000 }).toBe(5)
    expect(worker.asked.toSorted()).toEqual(['row 0', 'row 1', 'row 2', 'row 3', 'row 4'])
    await expect.poll(() => worker.completed, { timeout: 60_000 }).toEqual(['1'])
    expect([...worker.renewed]).toEqual([])
  } finally {
    await worker.close()
  }
})

test('a job that is lost while its answered rows are read is not sent', async () => {
  const worker = await heldConsumer(5)
  try {
    const readOn = worker.holdReads()
    worker.give('1', { attemptsStarted: 2 })
    await expect.poll(() => worker.lost.length, { timeout: 60_000 }).toBe(1)
    worker.lost[0]!()
    const takes = worker.takes()
    readOn()
    await expect.poll(() => worker.takes(), { timeout: 60_000 }).toBeGreaterThan(takes)
    expect([worker.consumer.status.underWay, worker.asked]).toEqual([0, []])
  } finally {
    await worker.close()
  }
})

test('a lost job that is taken again at the moment of stopping is released at once', async () => {
  const worker = await heldConsumer(5)
  try {
    worker.give('1')
    await expect.poll(() => worker.asked.length, { timeout: 60_000 }).toBe(2)
    worker.lost[0]!()
    const takes = worker.takes()
    worker.answerOne()
    await expect.poll(() => worker.takes(), { timeout: 60_000 }).toBeGreaterThan(takes)
    const stopped = worker.consumer.stop()
    let released = 0
    worker.give('1', { attemptsStarted: 2, moveToWait: async () => released++ })
    await expect.poll(() => released, { timeout: 60_000 }).toBe(1)
    worker.answerAll()
    await stopped
    expect(worker.completed).toEqual([])
  } finally {
    await worker.close()
  }
})

test('a job that a busy process reads too late is sent unless another worker has it', async () => {
  const worker = await heldConsumer(1)
  try {
    await expect.poll(() => worker.takes(), { timeout: 60_000 }).toBeGreaterThan(0)
    const processedOn = Date.now() - timesOf({}).lock
    worker.locks.set('1', 'of another worker').set('3', worker.token())
    for (const id of ['1', '2', '3']) worker.give(id, { processedOn })
    await expect.poll(() => worker.lost.length, { timeout: 60_000 }).toBe(2)
    await expect.poll(() => worker.asked.length, { timeout: 60_000 }).toBe(2)
    worker.answerAll()
    await expect.poll(() => worker.completed.toSorted(), { timeout: 60_000 }).toEqual(['2', '3'])
    expect(worker.asked).toHaveLength(2)
  } finally {
    await worker.close()
  }
})
