import { describe, expect, test } from 'vitest'
import type { Note } from '../../base/errors/note.ts'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import { control, plain, textOf } from '../../base/text/index.ts'
import type { Conversation, Item, LooseText, Section, Turn } from '../conversation/conversation.ts'
import { plainFormat } from './plain-format.ts'

const say = (role: string, text: string, given: Partial<Turn> = {}): Turn => ({
  role,
  path: role,
  content: [plain(text, { by: 'template', path: role })],
  ...given,
})
const loose = (text: string): LooseText => ({ loose: [control(text, { by: 'template', path: 'loose' })], path: 'loose' })
const round = (...items: Item[]): Section => ({ kind: 'round', items })

function render(sections: readonly Section[], want: 'generate' | 'complete' = 'complete', compat?: 'opencompass') {
  const prompt = plainFormat(quirksOf(compat)).render({ kind: 'dialogue', sections, notes: [] }, { want })
  if (prompt.kind !== 'completion') throw new Error('not a completion')
  const { answer, pieces } = prompt
  return { ...prompt, text: textOf(pieces), answered: answer && textOf(pieces.slice(answer.start, answer.end)) }
}

test('newlines join turns and loose texts, whatever their roles', () => {
  expect(render([{ kind: 'begin', items: [loose('Solve.')] }, round(say('HUMAN', 'x'), say('X', 'y'))]).text).toBe('Solve.\nx\ny')
})

test('the newlines are the format’s', () => {
  expect(render([round(say('HUMAN', 'x'), say('BOT', 'y'))]).pieces[1]).toEqual(control('\n', { by: 'format', path: 'plain' }))
})

test('an empty text adds nothing, but the next still starts on a new line', () => {
  expect(render([round(say('HUMAN', ''), say('BOT', 'y'))]).text).toBe('\ny')
  expect(render([round(say('HUMAN', 'x'), { role: 'BOT', path: 'p' }, say('HUMAN', ''), say('BOT', 'y'))]).text).toBe('x\ny')
  expect(render([{ kind: 'begin', items: [loose('')] }, round(say('HUMAN', 'x'))]).text).toBe('\nx')
  expect(render([round(say('HUMAN', 'x'), say('BOT', ''))]).text).toBe('x')
})

test('a turn on a separate line has its newline even before its text', () => {
  const own = (text: string) => say('BOT', text, { ownLine: true })
  expect(render([round(say('HUMAN', 'x'), own('y'))]).text).toBe('x\ny')
  expect(render([round(say('HUMAN', 'x'), own(''))], 'generate')).toMatchObject({ text: 'x\n', answer: { start: 2, end: 2 } })
  expect(render([round(own(''), say('HUMAN', 'x'))]).text).toBe('\nx')
  expect(render([round(say('HUMAN', 'x'), { role: 'BOT', path: 'p', ownLine: true })], 'generate').text).toBe('x\n')
})

test('a turn is its begin, text and end; the reference has only the text', () => {
  const override = {
    begin: [control('<', { by: 'template', path: 'b' })],
    end: [{ ids: [7], source: { by: 'template', path: 'e' } as const }],
  }
  const sections = [round(say('HUMAN', 'x', { override }), say('BOT', '', { override: { end: override.end } }))]
  expect(render(sections).pieces.map((piece) => ('ids' in piece ? piece.ids : textOf([piece])))).toEqual(['<', 'x', [7], '\n', '', [7]])
  expect(render(sections, 'complete', 'opencompass').text).toBe('x')
})

test('turns are counted, including empty ones', () => {
  const { pieces } = render([round(say('HUMAN', 'x'), say('BOT', ''), loose('-'), say('HUMAN', 'y'))])
  expect(pieces.map((piece) => [textOf([piece]), piece.turn])).toEqual([
    ['x', 0],
    ['\n', undefined],
    ['-', undefined],
    ['\n', undefined],
    ['y', 2],
  ])
})

describe('the answer', () => {
  test('is the text of the last turn of the dialogue', () => {
    expect(render([round(say('HUMAN', 'x'), say('BOT', 'y'))]).answered).toBe('y')
    expect(render([round(say('HUMAN', 'x'), say('BOT', 'y')), { kind: 'end', items: [loose('Done.')] }]).answered).toBe('y')
  })

  test('is not the text after the round', () => {
    expect(render([round(say('HUMAN', 'x'), say('BOT', 'y')), { kind: 'end', items: [say('HUMAN', 'Thanks')] }]).answered).toBe('y')
  })

  test('is never an example', () => {
    expect(render([round(say('HUMAN', 'x')), { kind: 'example', inside: 'end', items: [say('BOT', 'e')] }]).answered).toBe('x')
  })

  test("is the template's marked answer, if there is one", () => {
    const content = [plain('So ', { by: 'template', path: 'p' }), { ...plain('2', { by: 'field', path: 'a' }), answer: true as const }]
    expect(render([round(say('HUMAN', 'x'), say('BOT', '', { content }))]).answered).toBe('2')
  })

  test('is empty and at the end in generation', () => {
    const { answer, pieces } = render([round(say('HUMAN', 'x'), say('BOT', 'A: '))], 'generate')
    expect(textOf(pieces)).toBe('x\nA: ')
    expect(answer).toEqual({ start: pieces.length, end: pieces.length })
  })
})

test('a string template is unchanged', () => {
  const content = [control('a', { by: 'template', path: 't' }), { ...plain('b', { by: 'field', path: 'a' }), answer: true as const }]
  const conversation: Conversation = { kind: 'text', content, notes: [] }
  expect(plainFormat(quirksOf(undefined)).render(conversation, { want: 'complete' })).toMatchObject({
    pieces: content,
    answer: { start: 1, end: 2 },
  })
})

test('notes are passed on', () => {
  const notes: Note[] = [{ code: 'rounds-cut', text: 'y' }]
  expect(plainFormat(quirksOf(undefined)).render({ kind: 'text', content: [], notes }, { want: 'generate' }).notes).toEqual(notes)
})
