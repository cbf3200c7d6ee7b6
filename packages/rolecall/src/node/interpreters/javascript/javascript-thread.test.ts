import { expect, test } from 'vitest'
import { runInThread } from './javascript-thread.ts'

const body = (code: string) => ({ kind: 'body', code, parameters: ['output'] }) as const

test('functions are called in a thread, one after another', async () => {
  const results = await Promise.all([1, 2, 3].map((number) => runInThread(body('return output + 1'), [number])))
  expect(results).toEqual([{ value: 2 }, { value: 3 }, { value: 4 }])
})

test('a single operation that takes minutes ends with its thread, and the next call works', async () => {
  const slow = 'const list = []; for (;;) list.push(new Array(1e5).fill(list.length))'
  expect(await runInThread(body(slow), ['a'])).toEqual({ problem: 'it took more than 5 s' })
  expect(await runInThread(body('return output'), ['a'])).toEqual({ value: 'a' })
}, 30_000)
