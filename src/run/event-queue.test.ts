import { expect, test } from 'vitest'
import { eventQueue } from './event-queue.ts'

test('all events are heard in order, and a failure after them', async () => {
  const heard: number[] = []
  const listen = async () => {
    const told = eventQueue<number>(async (emit) => {
      for (let number = 0; number < 200; number++) await emit(number)
      throw new Error('over')
    })
    for await (const number of told) heard.push(number)
  }
  await expect(listen()).rejects.toThrow('over')
  expect(heard).toEqual(Array.from({ length: 200 }, (_, number) => number))
})

test('a slow reader slows down the teller, and one who leaves ends it', async () => {
  let told = 0
  let isOver = false
  const events = eventQueue<number>(async (emit, isWanted) => {
    while (isWanted()) await emit(told++)
    isOver = true
  })
  for await (const number of events) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (number === 3) break
  }
  expect(isOver).toBe(true)
  expect(told).toBeLessThan(200)
})
