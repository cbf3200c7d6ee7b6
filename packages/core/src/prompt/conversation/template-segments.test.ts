import { expect, test } from 'vitest'
import { readSegments, type TemplateTokens } from './template-segments.ts'

/** The segments in short: text verbatim, everything else by its kind. */
function read(text: string, tokens: TemplateTokens = {}) {
  return readSegments(text, tokens).map((segment) => {
    if (segment.kind === 'text') return segment.text
    return segment.kind === 'field' ? { field: segment.name } : segment.kind
  })
}

test('names in braces are fields, with their span', () => {
  expect(readSegments('Q: {question}\n', {})).toEqual([
    { kind: 'text', text: 'Q: ', span: [0, 3] },
    { kind: 'field', name: 'question', byToken: false, text: '{question}', span: [3, 13] },
    { kind: 'text', text: '\n', span: [13, 14] },
  ])
})

test('there are no escapes: doubled braces are a brace and a field', () => {
  expect(read('{{a}}')).toEqual(['{', { field: 'a' }, '}'])
})

test('any name may be a field, since the row decides; unclosed braces are text', () => {
  expect(read('{选项 A}{}{a!r}{a.b}')).toEqual([{ field: '选项 A' }, { field: '' }, { field: 'a!r' }, { field: 'a.b' }])
  expect(read('{a')).toEqual(['{a'])
  expect(read('a}{')).toEqual(['a}{'])
  expect(read('')).toEqual([])
})

test('the ice token, the separator and column tokens are found anywhere', () => {
  const tokens = { iceToken: '</E>', sepToken: '</S>', columnTokens: new Map([['</input>', 'input']]) }
  expect(read('</E>Q: </input></S>{a}</E>', tokens)).toEqual(['ice', 'Q: ', { field: 'input' }, 'separator', { field: 'a' }, 'ice'])
})

test('a field of column_token_map records its token', () => {
  expect(readSegments('<q>', { columnTokens: new Map([['<q>', 'question']]) })).toEqual([
    { kind: 'field', name: 'question', byToken: true, text: '<q>', span: [0, 3] },
  ])
})

test('a column token may look like a field', () => {
  expect(read('{in}{out}', { columnTokens: new Map([['{in}', 'question']]) })).toEqual([{ field: 'question' }, { field: 'out' }])
})

test('tokens are plain text, without regular-expression syntax', () => {
  expect(read('a.b$(x)[y]|*', { iceToken: '$(x)', sepToken: '|*', columnTokens: new Map([['[y]', 'y']]) })).toEqual([
    'a.b',
    'ice',
    { field: 'y' },
    'separator',
  ])
  expect(read('aXb', { iceToken: 'a.b' })).toEqual(['aXb'])
})

test('an empty token never matches', () => {
  expect(read('ab', { iceToken: '', sepToken: '' })).toEqual(['ab'])
})
