import { describe, expect, test } from 'vitest'
import { eventQueue } from './event-queue.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
const later = () => new Promise((resolve) => setTimeout(resolve, 1))

test('all events arrive in order, then the result of the work', async () => {
  const queue = eventQueue<number, string>(async (emit) => {
    for (const number of numbers(200)) await emit(number)
    return 'over'
  })
  const heard: number[] = []
  let next = await queue.next()
  for (; !next.done; next = await queue.next()) heard.push(next.value)
  expect(heard).toEqual(numbers(200))
  expect(next.value).toBe('over')
})

test('a failure is thrown after the events emitted before it', async () => {
  const heard: number[] = []
  const listen = async () => {
    const told = eventQueue<number>(async (emit) => {
      for (const number of numbers(200)) void emit(number)
      throw new Error('over')
    })
    for await (const number of told) heard.push(number)
  }
  await expect(listen()).rejects.toThrow('over')
  expect(heard).toEqual(numbers(200))
})

test('the work starts only when the stream is read', async () => {
  let hasBegun = false
  const queue = eventQueue(async () => {
    hasBegun = true
  })
  await later()
  expect(hasBegun).toBe(false)
  await queue.next()
  expect(hasBegun).toBe(true)
})

describe('a slow reader', () => {
  test('slows down the work', async () => {
    let told = 0
    const queue = eventQueue<number>(async (emit, left) => {
      while (!left.aborted) await emit(told++)
    })
    await queue.next()
    await later()
    const ahead = told
    await later()
    // The reader holds one batch, one waits; then the work waits.
    expect(told).toBe(ahead)
    expect(told).toBeLessThanOrEqual(2 * 64)
    await queue.return()
  })

  test('blocks none of several concurrent producers forever', async () => {
    const queue = eventQueue<number>(async (emit) => {
      await Promise.all(numbers(500).map(async (number) => emit(number)))
    })
    const heard: number[] = []
    for await (const number of queue) heard.push(number)
    expect(heard).toEqual(numbers(500))
  })

  test('does not block producers that do not wait', async () => {
    const queue = eventQueue<number>(async (emit) => {
      for (const number of numbers(1000)) void emit(number)
    })
    let heard = 0
    for await (const _ of queue) heard++
    expect(heard).toBe(1000)
  })
})

describe('a reader who leaves', () => {
  async function leaveAfterFirst(queue: AsyncGenerator<number, unknown, undefined>): Promise<void> {
    for await (const _ of queue) break
  }

  test('ends the work, and waits for its end', async () => {
    let isOver = false
    await leaveAfterFirst(
      eventQueue<number>(async (emit, left) => {
        while (!left.aborted) await emit(1)
        await later()
        isOver = true
      }),
    )
    expect(isOver).toBe(true)
  })

  test('wakes all waiting producers, and their later events are dropped', async () => {
    let ended = 0
    await leaveAfterFirst(
      eventQueue<number>(async (emit) => {
        await Promise.all(
          numbers(300).map(async (number) => {
            await later()
            await emit(number)
            await emit(number)
            ended++
          }),
        )
      }),
    )
    expect(ended).toBe(300)
  })

  test('gets no error for the abort it requested', async () => {
    const byReason = eventQueue<number>(async (emit, left) => {
      await emit(1)
      await new Promise((_, reject) => left.addEventListener('abort', () => reject(left.reason)))
    })
    await expect(leaveAfterFirst(byReason)).resolves.toBeUndefined()
    const byName = eventQueue<number>(async (emit, left) => {
      await emit(1)
      await new Promise((resolve) => left.addEventListener('abort', resolve))
      throw new DOMException('stopped', 'AbortError')
    })
    await expect(leaveAfterFirst(byName)).resolves.toBeUndefined()
  })

  test('gets any other failure', async () => {
    const whileEnding = eventQueue<number>(async (emit, left) => {
      await emit(1)
      await new Promise((resolve) => left.addEventListener('abort', resolve))
      throw new Error('the disk is full')
    })
    await expect(leaveAfterFirst(whileEnding)).rejects.toThrow('the disk is full')
    const unheard = eventQueue<number>(async (emit) => {
      void emit(1)
      void emit(2)
      throw new Error('the disk is full')
    })
    await expect(leaveAfterFirst(unheard)).rejects.toThrow('the disk is full')
  })

  test('with an error gets that error', async () => {
    const listen = async () => {
      const queue = eventQueue<number>(async (emit) => {
        await emit(1)
        throw new Error('of the work')
      })
      for await (const _ of queue) throw new Error('of the reader')
    }
    await expect(listen()).rejects.toThrow('of the reader')
  })
})
