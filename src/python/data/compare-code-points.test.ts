import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareCodePoints } from './compare-code-points.ts'

test('characters beyond the BMP come after those at its end', () => {
  expect(['😀', 'ﬀ', 'a', '中', ''].sort(compareCodePoints)).toEqual(['', 'a', '中', 'ﬀ', '😀'])
})

test('strings are ordered as their lists of code points, lone surrogates included', () => {
  const unit = fc.constantFrom('a', 'b', '\ud83d', '\ud83e', '\ude00', '\ude01', '\ue000', '\uffff')
  const text = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''))
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(compareLists(codePoints(a), codePoints(b)))
    }),
  )
})

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!)
}

function compareLists(a: number[], b: number[]): number {
  for (const [index, code] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (code !== other) return Math.sign(code - other)
  }
  return Math.sign(a.length - b.length)
}
