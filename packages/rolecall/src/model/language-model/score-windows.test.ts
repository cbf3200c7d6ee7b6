import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scoreWindows } from './score-windows.ts'

/** The windows of lm-evaluation-harness for a text after one prefix token: what is sent, and the tokens that count. */
function harnessWindows(count: number, most: number): { sent: number[]; counted: number[] }[] {
  const tokens = Array.from({ length: count - 1 }, (_, index) => index + 1)
  const size = most - 1
  const windows = [{ sent: [0, ...tokens.slice(0, size)], counted: tokens.slice(0, size) }]
  for (let done = Math.min(size, tokens.length); done < tokens.length; ) {
    const end = done + Math.min(tokens.length - done, size)
    const counted = tokens.slice(done, end)
    windows.push({ sent: tokens.slice(end - size - 1, end), counted })
    done = end
  }
  return windows
}

test('a text after a prefix token is scored in the windows of lm-evaluation-harness', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 20 }), (count, most) => {
      const range = (start: number, end: number) => Array.from({ length: end - start }, (_, index) => start + index)
      const windows = scoreWindows(count, 1, most).map(({ start, end, counted }) => ({
        sent: range(start, end),
        counted: range(counted, end),
      }))
      expect(windows).toEqual(harnessWindows(count, most))
    }),
  )
})

test('an answer with room for a token of its context needs one request, and each token of a longer one counts once', () => {
  expect(scoreWindows(100, 95, 8)).toEqual([{ start: 92, end: 100, counted: 95 }])
  expect(scoreWindows(8, 0, 8)).toEqual([{ start: 0, end: 8, counted: 0 }])
  expect(scoreWindows(100, 92, 8)).toEqual([
    { start: 91, end: 99, counted: 92 },
    { start: 92, end: 100, counted: 99 },
  ])
})
