import { expect, test } from 'vitest'
import type { Piece } from '../../../../../core/src/base/text/index.ts'
import { scoredText } from './scored-text.ts'

const piece = (text: string, control = false): Piece => ({ text, control, source: { by: 'template', path: 'doc_to_text' } })
const answerPiece = (text: string): Piece => ({ ...piece(text), answer: true })

function scored(pieces: Piece[], answer?: { start: number; end: number }) {
  const given = { kind: 'completion' as const, pieces, stop: [], notes: [], bos: 'none' as const, ...(answer && { answer }) }
  const { prompt, isScored } = scoredText(given)
  const texts = prompt.pieces.map((one) => ('text' in one ? one.text : '?'))
  const range = prompt.answer && texts.slice(prompt.answer.start, prompt.answer.end)
  return { context: texts.filter((_, index) => !isScored(index)), scored: texts.filter((_, index) => isScored(index)), range }
}

test('white space at the end of the context is scored with the answer, as in lm-evaluation-harness', () => {
  const parts = { context: ['Q?', '\nAnswer:'], scored: [' \n', ' (A)'] }
  expect(scored([piece('Q?'), piece('\nAnswer: \n'), answerPiece(' (A)')])).toEqual({ ...parts, range: undefined })
  expect(scored([piece('Q?'), piece('\nAnswer: \n'), piece(' (A)')], { start: 2, end: 3 })).toEqual({ ...parts, range: [' (A)'] })
})

test('also over several pieces, and after the header of a chat turn; what follows the answer is not scored', () => {
  const pieces = [piece('<|im_start|>assistant\n', true), piece(' '), piece('yes'), piece('<|im_end|>\n', true)]
  expect(scored(pieces, { start: 2, end: 3 })).toEqual({
    context: ['<|im_start|>assistant', '<|im_end|>\n'],
    scored: ['\n', ' ', 'yes'],
    range: ['yes'],
  })
  expect(scored([piece('Q'), piece('\n'), answerPiece('yes'), answerPiece('!')])).toEqual({
    context: ['Q'],
    scored: ['\n', 'yes', '!'],
    range: undefined,
  })
})

test('a context without white space at its end, of white space only, or of ids stays as it is', () => {
  expect(scored([piece('Q:'), answerPiece(' yes')]).scored).toEqual([' yes'])
  expect(scored([piece(' \n'), answerPiece('yes')])).toEqual({ context: [' \n'], scored: ['yes'], range: undefined })
  const ids: Piece = { ids: [1], source: { by: 'tokenizer', path: 'bos' } }
  expect(scored([ids, piece(' '), answerPiece('yes')]).scored).toEqual([' ', 'yes'])
  expect(scored([answerPiece('alone')]).scored).toEqual(['alone'])
})

test('with an empty answer, only white space at the end of the context is scored', () => {
  expect(scored([piece('Q')])).toMatchObject({ context: ['Q'], scored: [] })
  expect(scored([piece('Q:'), piece('\nA: ')], { start: 2, end: 2 })).toMatchObject({ context: ['Q:', '\nA:'], scored: [' '] })
  expect(scored([])).toMatchObject({ context: [], scored: [] })
})
