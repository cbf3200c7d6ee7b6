import { describe, expect, test } from 'vitest'
import { quotedTerm, readTerms, toggledTerm, tokensOf, valueTerm } from './filter-terms.ts'

describe('the filter line', () => {
  test('has terms about columns, rows, values, numbers and texts', () => {
    expect(readTerms('good:right B:wrong disagree level=hard tokens=256..1024 B.tokens=..9 reply~"it depends" light')).toEqual([
      { kind: 'answer', word: 'right', at: 'good', source: 'good:right' },
      { kind: 'answer', word: 'wrong', at: 'B', source: 'B:wrong' },
      { kind: 'row', word: 'disagree', source: 'disagree' },
      { kind: 'value', name: 'level', value: 'hard', source: 'level=hard' },
      { kind: 'range', measure: 'tokens', range: { from: 256, to: 1024 }, source: 'tokens=256..1024' },
      { kind: 'range', measure: 'tokens', range: { to: 9 }, at: 'B', source: 'B.tokens=..9' },
      { kind: 'text', field: 'reply', text: 'it depends', isPattern: false, source: 'reply~"it depends"' },
      { kind: 'text', field: 'any', text: 'light', isPattern: false, source: 'light' },
    ])
  })

  test('quotes search for words that are terms, patterns stand between slashes, and a minus negates', () => {
    expect(readTerms('"cut" /a b[/]c/ reply~/x y/ -cut km/h -5')).toEqual([
      { kind: 'text', field: 'any', text: 'cut', isPattern: false, source: '"cut"' },
      { kind: 'text', field: 'any', text: 'a b[/]c', isPattern: true, source: '/a b[/]c/' },
      { kind: 'text', field: 'reply', text: 'x y', isPattern: true, source: 'reply~/x y/' },
      { kind: 'answer', word: 'cut', source: '-cut', isNegated: true },
      { kind: 'text', field: 'any', text: 'km/h', isPattern: false, source: 'km/h' },
      { kind: 'text', field: 'any', text: '-5', isPattern: false, source: '-5' },
    ])
  })

  test('what is being typed is no error: an open quote goes on to the end, an open slash is a letter', () => {
    expect(tokensOf('cut reply~"a b')).toEqual(['cut', 'reply~"a b'])
    expect(readTerms('reply~"a b')).toMatchObject([{ kind: 'text', field: 'reply', text: 'a b' }])
    expect(tokensOf('/a b')).toEqual(['/a', 'b'])
    expect(readTerms('tokens=many nobody:odd')).toMatchObject([
      { kind: 'unknown', problem: 'range' },
      { kind: 'unknown', problem: 'word', at: 'nobody' },
    ])
  })

  test('names and texts survive being written into a line, whatever they contain', () => {
    for (const text of ['plain', 'two words', 'a"b\\c', 'cut', 'x=y', '-5', '/a/', '量子 力学', 'a:right', '\u2028 x']) {
      expect(readTerms(quotedTerm(text))).toMatchObject([{ kind: 'text', text }])
      expect(readTerms(valueTerm(text, text))).toMatchObject([{ kind: 'value', name: text, value: text }])
    }
  })

  test('a line of a hundred thousand quotes is read at once', () => {
    const started = performance.now()
    readTerms('"'.repeat(100_000))
    readTerms('/'.repeat(2000))
    readTerms(`${'a~'.repeat(50_000)}`)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('clicking a term twice removes it', () => {
    expect(toggledTerm('cut', 'level=hard')).toBe('cut level=hard')
    expect(toggledTerm('cut level=hard', 'cut')).toBe('level=hard')
  })
})
