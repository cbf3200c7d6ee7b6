import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { processorTimer } from '../../../../../../proof/testing/processor-timer.ts'
import { LinearRegExp } from '../../../base/pattern/linear-reg-exp.ts'
import { readHuggingFaceTokenizer } from './hugging-face-tokenizer.ts'

const embedded = JSON.parse(
  readFileSync(new URL('../../../../../rolecall/embedded-model/tokenizer.json', import.meta.url), 'utf8'),
) as object
const read = (changed: object) => readHuggingFaceTokenizer({ ...embedded, ...changed }, {}, 'hostile.json')
const encode = (changed: object, text: string) => read(changed).encodeRun(text, true, () => false).ids
const regex = (source: string) => ({ pattern: { Regex: source } })
const replace = (source: string, content: string) => ({ type: 'Replace', ...regex(source), content })

test('patterns that a backtracking engine never finishes take linear time', () => {
  const text = `${'a'.repeat(4000)}!`
  const timer = processorTimer()
  encode({ normalizer: replace('(a+)+$', 'x') }, text)
  encode({ pre_tokenizer: { type: 'Split', ...regex('(a|a)*b'), behavior: 'Isolated', invert: false } }, text)
  expect(timer()).toBeLessThan(20_000)
})

test('a normalizer that makes texts much longer, and patterns that cannot be bounded, are refused', () => {
  const doubling = { type: 'Sequence', normalizers: Array.from({ length: 40 }, () => replace('a', 'aa')) }
  expect(() => read({ normalizer: doubling })).toThrow('hostile.json: its normalizer can make a text more than 64 times as long')
  expect(() => read({ normalizer: replace('(a+)+\\1', 'x') })).toThrow(/may take for ever/)
})

test('a linear RegExp gives the same results as an ordinary one', () => {
  for (const [source, flags] of [
    ['(a+)(b)?', 'gu'],
    ['\\p{L}+|\\s+', 'gu'],
    ['(?<x>a)|b', 'u'],
    ['', 'gu'],
    ['(?:a|ab)(?:c|bcd)', 'u'],
  ] as const) {
    const [one, other] = [new LinearRegExp(source, flags), new RegExp(source, flags)]
    for (const text of ['aab b abcd', 'été 42', '']) {
      expect(text.replace(one, '<$&>')).toBe(text.replace(other, '<$&>'))
      expect(text.split(one)).toEqual(text.split(other))
      if (other.global)
        expect([...text.matchAll(one)].map((found) => [...found, found.index])).toEqual(
          [...text.matchAll(other)].map((found) => [...found, found.index]),
        )
    }
  }
})
