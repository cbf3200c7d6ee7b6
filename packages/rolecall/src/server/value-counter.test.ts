import { expect, test } from 'vitest'
import { processorTimer } from '../../../../proof/testing/processor-timer.ts'
import { ValueCounter } from './value-counter.ts'

/** Whole, and in pieces of every length up to 7: a body arrives in any. */
function isTooMuch(json: string, most: number): boolean {
  const answers = [json.length, 1, 2, 3, 5, 7].map((length) => {
    const counter = new ValueCounter(most)
    for (let at = 0; at < json.length; at += length) counter.add(json.slice(at, at + length))
    return counter.isTooMuch
  })
  expect(new Set(answers).size).toBe(1)
  return answers[0]!
}

test('objects, lists and strings are counted, whatever the strings contain', () => {
  const json = JSON.stringify({ a: ['{"', '\\', '"[', '\\"', 'a\\\\'], n: Array.from({ length: 50 }, () => 7) })
  // An object, two keys, two lists, five strings.
  expect(isTooMuch(json, 10)).toBe(false)
  expect(isTooMuch(json, 9)).toBe(true)
  expect(isTooMuch('"unclosed '.padEnd(100), 5)).toBe(false)
  expect(isTooMuch(JSON.stringify(Array.from({ length: 1000 }, () => 'x\\')), 1001)).toBe(false)
})

test('decimals and long integers count like strings, other integers a tenth, escapes and space a hundredth', () => {
  expect(isTooMuch('[1.5, 1e3, 1234567890123456]', 4)).toBe(false)
  expect(isTooMuch('[1.5, 1e3, 1234567890123456]', 3)).toBe(true)
  expect(isTooMuch(`[${'9'.repeat(64)}]`, 4)).toBe(true)
  const integers = JSON.stringify(Array.from({ length: 52 }, () => 7))
  expect([isTooMuch(integers, 6), isTooMuch(integers, 5)]).toEqual([false, true])
  const escapes = JSON.stringify(`${'\n'.repeat(250)}${'x'.repeat(1000)}`)
  expect([isTooMuch(escapes, 3), isTooMuch(escapes, 2)]).toEqual([false, true])
  expect([isTooMuch(`{${' '.repeat(290)}}`, 3), isTooMuch(`{${' '.repeat(290)}}`, 2)]).toEqual([false, true])
})

test('a megabyte of escapes without a closing quote is counted in linear time', () => {
  const elapsed = processorTimer()
  new ValueCounter(1e9).add(`"${'\\n'.repeat(500_000)}`)
  expect(elapsed()).toBeLessThan(2000)
})

test('megabytes of strings without an escape are counted in linear time', () => {
  const elapsed = processorTimer()
  new ValueCounter(1e9).add(JSON.stringify(Array.from({ length: 5000 }, () => 'x'.repeat(1000))))
  expect(elapsed()).toBeLessThan(2000)
})
