import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capitalize, casefold, characterTests, isDigit, isUpper, swapCase, titleCase } from './characters.ts'
import { floatOf, intOf } from './numbers.ts'
import { compareCodePoints, splitSpace, strip, stripEnd, stripStart } from './strings.ts'

test('white space is what Python takes for it', () => {
  expect(strip('\x1c\u3000 a \x85')).toBe('a')
  expect(strip('\ufeffa')).toBe('\ufeffa')
  expect(splitSpace(' a\x1fb\u2003c ')).toEqual(['a', 'b', 'c'])
})

test('characters beyond the BMP are stripped whole', () => {
  expect(strip('😀a😀', '😀')).toBe('a')
  expect(stripStart('😀a😀', '😀')).toBe('a😀')
  expect(stripEnd('😀a😀', '😀')).toBe('😀a')
})

test('upper case is a property of characters, title case is not upper case', () => {
  expect(['A', 'Ⓐ', '𝐀', 'ǅ', 'a', '中'].map(isUpper)).toEqual([true, true, true, false, false, false])
})

test('digits are those of any script and superscripts', () => {
  expect(['12', '٣', '²', '①', '', '1.5', '½'].map(isDigit)).toEqual([true, true, true, true, false, false, false])
})

test('case is folded as Unicode says', () => {
  expect(casefold('STRAẞE ς ﬁ İ ı Ꭰ ꭰ ᾳ')).toBe('strasse σ fi i̇ ı Ꭰ Ꭰ αι')
  expect(['yES', 'ǆ', 'ßA', 'ŉ', 'აბ', 'ΑΣ', 'İX', ''].map(capitalize)).toEqual(['Yes', 'ǅ', 'Ssa', 'ʼN', 'აბ', 'Ας', 'İx', ''])
  expect(['Hello ǅ', 'ΑΣ', 'ﬁ'].map(swapCase)).toEqual(['hELLO ǅ', 'ας', 'FI'])
  expect(titleCase("they're ǆ ßa აბ")).toBe("They'Re ǅ Ssa აბ")
})

test('ideographs can be numeric', () => {
  expect(['一', '萬', '½', '中', ''].map(characterTests.isnumeric!)).toEqual([true, true, true, false, false])
})

test('numbers are read as float() and int() read them', () => {
  expect([' 1_000 ', '１２', '1e3', '.5', '5.', 'inf', '-Infinity'].map(floatOf)).toEqual([1000, 12, 1000, 0.5, 5, Infinity, -Infinity])
  expect(floatOf('nan')).toBeNaN()
  for (const wrong of ['', '.', 'e5', '1__0', '_1', '1,000', '0x10', '1 2', null]) expect(floatOf(wrong)).toBeUndefined()
  expect([' 1_0 ', '-٣', '+5', true, 2.9].map(intOf)).toEqual([10n, -3n, 5n, 1n, 2n])
  for (const wrong of ['1.0', '', '²', null]) expect(intOf(wrong)).toBeUndefined()
})

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
