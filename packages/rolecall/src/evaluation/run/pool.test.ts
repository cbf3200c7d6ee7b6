import { expect, test } from 'vitest'
import { pool } from './pool.ts'

/** Two at a time. */
async function* numbers(count: number, onTake: (number: number) => void = () => {}): AsyncGenerator<Iterable<number>> {
  function* some(from: number): Generator<number> {
    for (let number = from; number < Math.min(from + 2, count); number++) {
      onTake(number)
      yield number
    }
  }
  for (let number = 0; number < count; number += 2) yield some(number)
}
const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

test('a slow item does not block others, and concurrency stays within the limit', async () => {
  let [running, most] = [0, 0]
  const done: number[] = []
  await pool({
    given: numbers(20),
    atOnce: () => 4,
    async work(number) {
      most = Math.max(most, ++running)
      await after(number === 0 ? 80 : 1)
      running--
      return number
    },
    onResult: (number) => void done.push(number),
  })
  expect(most).toBe(4)
  expect(done.at(-1)).toBe(0)
  expect([...done].sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, number) => number))
})

test('synchronous results take no slot', async () => {
  const done: number[] = []
  await pool({ given: numbers(5), atOnce: () => 1, work: (number) => number, onResult: (number) => void done.push(number) })
  expect(done).toEqual([0, 1, 2, 3, 4])
})

test('after a failure nothing more starts, work in progress finishes, and the failure is thrown', async () => {
  const started: number[] = []
  const done: number[] = []
  const run = pool({
    given: numbers(50),
    atOnce: () => 3,
    async work(number) {
      started.push(number)
      await after(number === 2 ? 1 : 30)
      if (number === 2) throw new Error('two')
      return number
    },
    onResult: (number) => void done.push(number),
  })
  await expect(run).rejects.toThrow('two')
  expect(started).toEqual([0, 1, 2])
  expect(done).toEqual([0, 1])
})

test('failures of the source, of synchronous work and of result listeners are thrown, too', async () => {
  const failing = (message: string): never => {
    throw new Error(message)
  }
  const options = () => ({ given: numbers(3), atOnce: () => 2, work: async (number: number) => number, onResult: () => {} })
  await expect(pool({ ...options(), given: numbers(3, (number) => number === 1 && failing('source')) })).rejects.toThrow('source')
  await expect(pool({ ...options(), work: () => failing('work') })).rejects.toThrow('work')
  await expect(pool({ ...options(), onResult: () => failing('result') })).rejects.toThrow('result')
})

test('additional slots are used before anything has finished', async () => {
  let [room, look] = [1, () => {}]
  const started: number[] = []
  const ends: (() => void)[] = []
  const run = pool({
    given: numbers(3),
    atOnce: () => room,
    onRoom: (told) => (look = told),
    work(number) {
      started.push(number)
      return new Promise<number>((resolve) => ends.push(() => resolve(number)))
    },
    onResult: () => {},
  })
  await after(10)
  expect(started).toEqual([0])
  room = 3
  look()
  await after(10)
  expect(started).toEqual([0, 1, 2])
  for (const end of ends) end()
  await run
})

test('concurrent result listeners are awaited, and failures of all of them are thrown', async () => {
  const results = [after(30).then(() => Promise.reject(new Error('the first is late'))), after(1)]
  const run = pool({
    given: numbers(2),
    atOnce: () => 4,
    work: async (number) => {
      await after(5)
      return number
    },
    onResult: (number) => results[number],
  })
  await expect(run).rejects.toThrow('the first is late')
})

test('nothing is taken while the result listener is busy', async () => {
  const taken: number[] = []
  let free = () => {}
  const run = pool({
    given: numbers(10, (number) => taken.push(number)),
    atOnce: () => 8,
    work: (number) => number,
    onResult: (number) => (number === 2 ? new Promise<void>((resolve) => (free = resolve)) : undefined),
  })
  await after(10)
  expect(taken).toEqual([0, 1, 2])
  free()
  await run
  expect(taken).toHaveLength(10)
})
