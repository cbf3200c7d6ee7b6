import { describe, expect, test } from 'vitest'
import type { FindReplacement } from './charsmap.ts'
import { type NormalizationRules, normalize } from './normalize.ts'

const keepSpaces: NormalizationRules = { dummySpace: 'none', removeExtraWhitespaces: false, escapeWhitespaces: true, isBeginning: true }
const removeSpaces: NormalizationRules = { ...keepSpaces, removeExtraWhitespaces: true }

/** The original text of each unit of the normalized text. */
function origins(original: string, rules: NormalizationRules): string[] {
  const { text, starts, ends } = normalize(original, rules)
  return [...text].map((unit, index) => `${unit}:${original.slice(starts[index], ends[index])}`)
}

function replaceWith(replacements: Record<string, string>): FindReplacement {
  return (text, at) => {
    const found = Object.keys(replacements).find((source) => text.startsWith(source, at))
    return found === undefined ? undefined : { text: replacements[found]!, length: found.length }
  }
}

describe('spaces', () => {
  test('become ▁ and are kept', () => {
    expect(normalize(' a  b ', keepSpaces).text).toBe('▁a▁▁b▁')
  })
  test('stay spaces when the model does not escape them', () => {
    expect(normalize('a b', { ...keepSpaces, escapeWhitespaces: false }).text).toBe('a b')
  })
  test('that are extra are removed, and belong to the text before them', () => {
    expect(origins('  a   b  ', removeSpaces)).toEqual(['a:  a', '▁:   ', 'b:b  '])
  })
  test('at the beginning belong to the dummy space', () => {
    expect(origins('  a', { ...removeSpaces, dummySpace: 'before' })).toEqual(['▁:  ', 'a:a'])
  })
  test('at the end belong to the dummy space there', () => {
    expect(origins('a  ', { ...removeSpaces, dummySpace: 'after' })).toEqual(['a:a', '▁:  '])
  })
  test('where the text continues are not at its beginning', () => {
    expect(origins('  a', { ...removeSpaces, isBeginning: false })).toEqual(['▁:  ', 'a:a'])
  })
  test('alone give nothing, even with a dummy space', () => {
    expect(normalize('   ', { ...removeSpaces, dummySpace: 'before' }).text).toBe('')
    expect(normalize('▁', { ...removeSpaces, dummySpace: 'before' }).text).toBe('')
  })
})

describe('the dummy space', () => {
  test('covers nothing', () => {
    expect(origins('ab', { ...keepSpaces, dummySpace: 'before' })).toEqual(['▁:', 'a:a', 'b:b'])
    expect(origins('ab', { ...keepSpaces, dummySpace: 'after' })).toEqual(['a:a', 'b:b', '▁:'])
  })
  test('is not added to an empty text', () => {
    expect(normalize('', { ...keepSpaces, dummySpace: 'before' }).text).toBe('')
  })
})

describe('replacements', () => {
  const replace = replaceWith({ é: 'é', ﬁ: 'fi', '\u0001': '', '\t': ' ' })
  test('several characters that become one are its origin together', () => {
    expect(origins('xe\u0301y', { ...keepSpaces, replace: replaceWith({ 'e\u0301': 'é' }) })).toEqual(['x:x', 'é:e\u0301', 'y:y'])
  })
  test('a character that becomes several is the origin of each', () => {
    expect(origins('ﬁn', { ...keepSpaces, replace })).toEqual(['f:ﬁ', 'i:ﬁ', 'n:n'])
  })
  test('a character that disappears belongs to the previous one, and the first ones to the next', () => {
    expect(origins('\u0001a\u0001\u0001b\u0001', { ...keepSpaces, replace })).toEqual(['a:\u0001a\u0001\u0001', 'b:b\u0001'])
  })
  test('characters that become a space are treated as one', () => {
    expect(origins('a\t b', { ...removeSpaces, replace })).toEqual(['a:a', '▁:\t ', 'b:b'])
  })
})

test('user-defined symbols are not normalized, but their spaces are escaped', () => {
  const rules = {
    ...removeSpaces,
    replace: replaceWith({ a: 'b' }),
    symbolLength: (text: string, at: number) => (text.startsWith('a  a', at) ? 4 : 0),
  }
  expect(origins('aa  aa', rules)).toEqual(['b:a', 'a:a', '▁: ', '▁: ', 'a:a', 'b:a'])
})
