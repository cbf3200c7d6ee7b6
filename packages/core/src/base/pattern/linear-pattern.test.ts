import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { pythonRegex } from '../../../../rolecall/src/python/regex/index.ts'
import { LinearPattern, UnsupportedPattern } from './index.ts'

/** A match as both engines report it. */
function ours(source: string, flags: string, text: string) {
  const found = new LinearPattern(source, flags).exec(text)
  return found ? [found.index, found.end, ...found.groups] : undefined
}

function theirs(source: string, flags: string, text: string) {
  const found = new RegExp(source, flags).exec(text)
  return found ? [found.index, found.index + found[0].length, ...found.slice(1)] : undefined
}

describe('a linear pattern matches what JavaScript’s engine matches', () => {
  const cases: [source: string, flags: string, text: string][] = [
    ['', 'u', 'abc'],
    ['b', 'u', 'abc'],
    ['^b', 'u', 'abc'],
    ['c$', 'u', 'abc'],
    ['c$', 'u', 'abc\n'],
    ['a.c', 'u', 'a\nc a-c'],
    ['a.c', 'us', 'a\nc'],
    ['(a|ab)(c|bcd)(d*)', 'u', 'abcd'],
    ['(a+?)(a*)', 'u', 'aaa'],
    ['(a{2,3}?)(a*)', 'u', 'aaaaa'],
    ['x{0}y', 'u', 'xy'],
    ['[a-c\\]]+', 'u', '-b]c-'],
    ['[^a]', 'u', 'ab'],
    ['[\\d--5]+', 'v', '5467'],
    ['[[a-z]&&[aeiou]]+', 'v', 'xyzouk'],
    ['\\p{Lu}\\p{L}*', 'u', 'ein Äpfel'],
    ['\\u{1F600}', 'u', 'x😀'],
    ['\\uD83D\\uDE00', 'u', 'x😀'],
    ['^.$', 'u', '😀'],
    ['\\x41\\u0042\\cJ', 'u', 'AB\n'],
    ['\\bcat\\b', 'u', 'concat cat'],
    ['\\Bcat', 'u', 'cat concat'],
    ['(?<year>\\d{4})-(?<month>\\d\\d)', 'u', 'on 2024-05-06'],
    ['a(?=b)', 'u', 'ac ab'],
    ['a(?!b)', 'u', 'ab ac'],
    ['(?<=\\$)\\d+', 'u', '12 $34'],
    ['(?<![\\s\\S])a', 'u', 'ba'],
    ['ä', 'iu', 'Ä'],
    ['(a*)*', 'u', 'b'],
    ['(?:a|b|)+c', 'u', 'abac'],
    ['(z)|(a)', 'u', 'a'],
  ]
  test.each(cases)('/%s/%s on %j', (source, flags, text) => {
    expect(ours(source, flags, text)).toEqual(theirs(source, flags, text))
  })

  test('for generated patterns', () => {
    /** `isOdd`: repeats something that may be empty; JavaScript has a special rule for empty iterations. */
    type Made = { source: string; mayBeEmpty: boolean; isOdd: boolean }
    const leaf = (source: string): Made => ({ source, mayBeEmpty: !/^(?:[abc.]|\[\^?ab?\]|\\w)$/.test(source), isOdd: false })
    const leaves = ['a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b', '(?=a)', '(?<!b)', ''].map(leaf)
    const isOdd = (parts: readonly Made[]) => parts.some((part) => part.isOdd)
    const sources = (parts: readonly Made[]) => parts.map(({ source }) => source)
    const signs = fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?')
    const { pattern } = fc.letrec<{ pattern: Made }>((tie) => {
      const some = fc.array(tie('pattern'), { minLength: 2, maxLength: 3 })
      return {
        pattern: fc.oneof(
          { maxDepth: 4 },
          fc.constantFrom(...leaves),
          some.map((parts) => ({
            source: sources(parts).join(''),
            mayBeEmpty: parts.every(({ mayBeEmpty }) => mayBeEmpty),
            isOdd: isOdd(parts),
          })),
          some.map((parts) => ({
            source: `(?:${sources(parts).join('|')})`,
            mayBeEmpty: parts.some(({ mayBeEmpty }) => mayBeEmpty),
            isOdd: isOdd(parts),
          })),
          fc.tuple(tie('pattern'), signs).map(([one, sign]) => ({
            source: `(?:${one.source})${sign}`,
            mayBeEmpty: one.mayBeEmpty || /^[*?]|^\{0/.test(sign),
            isOdd: one.isOdd || one.mayBeEmpty,
          })),
        ),
      }
    })
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n', '😀'), maxLength: 8 }), ({ source, isOdd }, text) => {
        expect(new LinearPattern(source, 'u').test(text)).toBe(new RegExp(source, 'u').test(text))
        if (!isOdd) expect(ours(source, 'u', text)).toEqual(theirs(source, 'u', text))
      }),
      { numRuns: propertyRuns(5000) },
    )
  })

  test('all of them, in order', () => {
    const found = (source: string, text: string) => [...new LinearPattern(source).matches(text)].map(({ index }) => index)
    expect(found('a', 'banana')).toEqual([1, 3, 5])
    expect(found('x*', '😀x')).toEqual([...'😀x'.matchAll(/x*/gu)].map(({ index }) => index))
  })
})

test('translated Python patterns are supported', () => {
  for (const [pattern, text] of [
    [String.raw`^\d+$`, '12\n'],
    [String.raw`\bAnswer:\s*(\w+)\.?\Z`, 'The Answer: 四.'],
    ['(?i)ANSWER is (.*)', 'the answer is yes\nno'],
    [String.raw`[^\w\s]+`, 'a, b!'],
  ] as const) {
    const { source, flags } = pythonRegex(pattern)
    expect(ours(source, flags, text)).toEqual(theirs(source, flags.replace('g', ''), text)?.map((one) => one))
  }
})

describe('time is linear in the text for any pattern', () => {
  const bombs = ['(a*)*$', '(a+)+$', '(?:a|a)*$', `${'(\\w*)'.repeat(70)}!$`, '(?:a?){30}a{30}$', '(.*)(.*)(.*)(.*)[^a]$']
  test.each(bombs.map((bomb) => [bomb] as const))('%s', (source) => {
    const pattern = new LinearPattern(`^${source}`)
    expect(pattern.test(`${'a'.repeat(2000)}\n-`)).toBe(false)
  })
})

describe('patterns that cannot be matched in linear time are refused', () => {
  test.each([
    ['(a)\\1'],
    ['(?<x>a)\\k<x>'],
    ['(?=ab)'],
    ['(?<!a+)b'],
    ['(a{1000}){1000}'],
    ['('.repeat(300) + ')'.repeat(300)],
    ['a)'],
    ['['],
    ['(?i:a)'],
  ])('%s', (source) => {
    expect(() => new LinearPattern(source)).toThrow(UnsupportedPattern)
  })
})
