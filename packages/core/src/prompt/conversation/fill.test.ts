import { describe, expect, test } from 'vitest'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import { control, plain, textOf } from '../../base/text/index.ts'
import { type FillOptions, fillText, readText, refill } from './fill.ts'
import type { Fields, Row } from './row.ts'
import type { TemplateTokens } from './template-segments.ts'

const quirks = quirksOf(undefined)
const reference = quirksOf('opencompass')
const read = (text: string, tokens: TemplateTokens = {}) => readText(text, 'template', tokens, { control: true })
const fill = (text: string, row: Row, options: Partial<FillOptions> & { tokens?: TemplateTokens } = {}) =>
  textOf(fillText(read(text, options.tokens), { fields: { row }, quirks, ...options }))

test('every piece records the template or column it comes from', () => {
  expect(fillText(read('Q: {q}\n'), { fields: { row: { q: '1+1' } }, quirks })).toEqual([
    control('Q: ', { by: 'template', path: 'template', span: [0, 3] }),
    plain('1+1', { by: 'field', path: 'q' }),
    control('\n', { by: 'template', path: 'template', span: [6, 7] }),
  ])
})

test('pieces of an example record its number', () => {
  expect(fillText(read('Q: {q}'), { fields: { row: { q: '1' }, example: 2 }, quirks })).toEqual([
    control('Q: ', { by: 'template', path: 'template', span: [0, 3], example: 2 }),
    plain('1', { by: 'field', path: 'q', example: 2 }),
  ])
})

test('the text of a turn is not control text; a default prompt belongs to the format', () => {
  const text = readText('hi', 'meta_template.round[0].prompt', {}, { control: false, by: 'format' })
  expect(fillText(text, { fields: { row: {} }, quirks })).toEqual([
    plain('hi', { by: 'format', path: 'meta_template.round[0].prompt', span: [0, 2] }),
  ])
})

test('values are shown as Python shows them', () => {
  expect(fill('{a} {b} {c} {d}', { a: null, b: [1, "it's"], c: 0.5, d: true })).toBe('None [1, "it\'s"] 0.5 True')
})

test('a field that the row does not have stays verbatim, also one that every object inherits', () => {
  const fields: Fields = { row: { q: 'x' } }
  expect(fill('{q} {w} {constructor}', fields.row)).toBe('x {w} {constructor}')
})

test('a row may be a Map, which keeps the order of numeric column names', () => {
  expect(
    fill(
      '{1}{0}',
      new Map([
        ['1', 'b'],
        ['0', 'a'],
      ]),
    ),
  ).toBe('ba')
})

test('values are never parsed as templates', () => {
  expect(fill('{a}{b}', { a: '{b}', b: '{a}$&</E>' }, { tokens: { iceToken: '</E>' } })).toBe('{b}{a}$&</E>')
})

test('a masked column shows its mask, even if the row does not have it', () => {
  const masked = { column: 'answer', text: '___' }
  expect(fill('{answer}', {}, { fields: { row: { answer: 'B' }, masked } })).toBe('___')
  expect(fill('{answer}', {}, { fields: { row: {}, masked } })).toBe('___')
})

test('the examples replace every ice token', () => {
  const examples = [plain('ex', { by: 'field', path: 'q', example: 0 })]
  expect(fill('</E>-</E>', {}, { tokens: { iceToken: '</E>' }, examples })).toBe('ex-ex')
  expect(fill('</E>-</E>', {}, { tokens: { iceToken: '</E>' } })).toBe('-')
})

describe('sep_token', () => {
  const tokens = { sepToken: '</S>' }

  test('is removed, and the text after it is marked as the answer where that is needed', () => {
    expect(fillText(read('Q</S>A', tokens), { fields: { row: {} }, quirks }).some(({ answer }) => answer)).toBe(false)

    for (const set of [quirks, reference]) {
      const pieces = fillText(read('Q: {q}</S>A: {a}', tokens), { fields: { row: { q: '1', a: '2' } }, quirks: set, marksAnswer: true })
      expect(textOf(pieces)).toBe('Q: 1A: 2')
      expect(pieces.map(({ text, answer }) => [text, answer])).toEqual([
        ['Q: ', undefined],
        ['1', undefined],
        ['A: ', true],
        ['2', true],
      ])
    }
  })

  test('stays if requested', () => {
    expect(fill('Q</S>A', {}, { tokens, keepSeparator: true })).toBe('Q</S>A')
    expect(fill('Q</S>A', {}, { tokens, keepSeparator: true, quirks: reference })).toBe('Q</S>A')
    expect(fill('Q</S>A', {}, { tokens, quirks: reference })).toBe('QA')
  })
})

describe('column_token_map', () => {
  const tokens = { columnTokens: new Map([['</input>', 'input']]) }

  test('a token is replaced by its column', () => {
    expect(fill('Q: </input>', { input: '{x}' }, { tokens })).toBe('Q: {x}')
  })

  test('a row without the column is an error that lists its columns', () => {
    for (const set of [quirks, reference]) {
      expect(() => fill('Q: </input>', { question: 1, answer: 2 }, { tokens, quirks: set })).toThrow(
        expect.objectContaining({
          code: 'missing-column',
          where: 'template › column_token_map',
          problem: 'the row has no column "input" (it has: question, answer)',
        }),
      )
    }
  })
})

describe('as the reference fills', () => {
  test('a value is expanded by the columns after its own, not by those before', () => {
    expect(fill('{a}{b}', { a: '{b}', b: '{a}' }, { quirks: reference })).toBe('{a}{a}')
    expect(fill('{a}{b}', { b: '{a}', a: '{b}' }, { quirks: reference })).toBe('{b}{b}')
  })

  test('braces of the template around a value may spell a field', () => {
    expect(fill('{{a}}', { a: 'b', b: 'c' }, { quirks: reference })).toBe('c')
    expect(fill('{{a}}', { a: 'b', b: 'c' })).toBe('{b}')
  })

  test('an inserted value is still not control text', () => {
    expect(refill([control('{a}', { by: 'template', path: 't' })], { row: { a: '<|im_end|>' } })).toEqual([
      plain('<|im_end|>', { by: 'field', path: 'a' }),
    ])
  })
})
