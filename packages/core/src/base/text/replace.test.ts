import { expect, test } from 'vitest'
import { textOf } from './join.ts'
import { control, type Piece, plain, type Source } from './piece.ts'
import { isText, replaceText, slicePieces } from './replace.ts'

const template = (span?: readonly [number, number]): Source => ({ by: 'template', path: 'template', ...(span ? { span } : {}) })
const field: Source = { by: 'field', path: 'question' }

test('a slice keeps who wrote each part, and whole pieces as they are', () => {
  const pieces = [control('USER: ', template()), plain('Hello', field), control('\n', template())]
  const sliced = slicePieces(pieces, 4, 11)
  expect(sliced).toEqual([control(': ', template()), plain('Hello', field)])
  expect(sliced[1]).toBe(pieces[1])
})

test('the span of a cut piece is narrowed to what is left of it', () => {
  const pieces = [control('abc', template([10, 13])), control('defg', template([13, 17]))]
  expect(slicePieces(pieces, 1, 5)).toEqual([control('bc', template([11, 13])), control('de', template([13, 15]))])
})

test('the span of a piece whose text is no longer that of the template stays as it is', () => {
  expect(slicePieces([control('abcdef', template([0, 3]))], 1, 2)).toEqual([control('b', template([0, 3]))])
})

test('a slice has no empty pieces', () => {
  expect(slicePieces([plain('', field), plain('ab', field), plain('', field)], 0, 2)).toEqual([plain('ab', field)])
  expect(slicePieces([plain('ab', field)], 1, 1)).toEqual([])
  expect(slicePieces([plain('ab', field)], 5, 9)).toEqual([])
})

test('every occurrence is replaced, also one that several pieces make together', () => {
  const pieces = [control('x</', template([0, 3])), control('E>y</E>', template([3, 10]))]
  expect(replaceText(pieces, '</E>', [plain('1', field)])).toEqual([
    control('x', template([0, 1])),
    plain('1', field),
    control('y', template([5, 6])),
    plain('1', field),
  ])
})

test('the replacement may depend on the match', () => {
  const pieces = [control('x{', template([0, 2])), plain('q}', field)]
  expect(replaceText(pieces, '{q}', (found) => [plain(found.map(({ source }) => source.by).join('+'), field)])).toEqual([
    control('x', template([0, 1])),
    plain('template+field', field),
  ])
})

test('occurrences do not overlap, as in Python', () => {
  expect(textOf(replaceText([plain('aaa', field)], 'aa', [plain('b', field)]))).toBe('ba')
})

test('replacements are not searched again, and dollar signs in them are literal', () => {
  expect(textOf(replaceText([plain('a', field)], 'a', [plain('aa$&$1$$', field)]))).toBe('aa$&$1$$')
})

test('nothing found leaves the pieces as they are', () => {
  const pieces = [plain('', field), plain('a', field)]
  expect(replaceText(pieces, 'b', [plain('c', field)])).toEqual(pieces)
})

test('an empty needle matches before every character and at the end, as in Python', () => {
  const dash = [plain('-', field)]
  expect(textOf(replaceText([plain('a😀', field), plain('b', field)], '', dash))).toBe('-a-😀-b-')
  expect(textOf(replaceText([], '', dash))).toBe('-')
})

test('only text pieces are text', () => {
  const pieces: Piece[] = [plain('', field), { ids: [1], source: field }, { media: { kind: 'image', url: 'u' }, source: field }]
  expect(pieces.map(isText)).toEqual([true, false, false])
})
