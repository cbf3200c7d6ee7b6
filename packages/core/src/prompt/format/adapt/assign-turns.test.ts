import { describe, expect, test } from 'vitest'
import type { Note } from '../../../base/errors/note.ts'
import { plain } from '../../../base/text/index.ts'
import type { Section, Turn } from '../../conversation/conversation.ts'
import { assignTurns } from './assign-turns.ts'
import type { Ask } from './script.ts'
import { answeredBy, type Traits } from './traits.ts'

const say = (role: string, text = role, given: Partial<Turn> = {}): Turn => ({
  role,
  content: [plain(text, { by: 'template', path: 't' })],
  path: text,
  ...given,
})
const section = (kind: Section['kind'], ...items: Turn[]): Section => ({ kind, items })

const common: Traits = { formatName: 'the format', looseText: 'as-user', readsContent: false }
const free: Traits = { ...common, rounds: answeredBy('assistant', ['user', 'tool']), replyRole: 'assistant' }
const speakers = new Map(['user', 'thoughts', 'assistant'].map((name) => [name, { name, generate: name === 'assistant', path: name }]))
const whole: Traits = { ...common, rounds: { order: [...speakers.values()], speakers, isWhole: true }, replyRole: 'assistant' }

function take(sections: readonly Section[], traits: Traits, want: Ask['want'] = 'generate') {
  const notes: Note[] = []
  const { lines, next } = assignTurns(sections, traits, { want }, notes)
  const said = lines.map((line) => ('loose' in line ? '' : `${line.path}${line.answer ? '*' : ''}`))
  return { said, next: next?.role, notes: notes.map(({ code }) => code) }
}

describe('the model speaks', () => {
  test('at its turn of the last round; that turn and everything after it is omitted', () => {
    const sections = [
      section('begin', say('user', 'a')),
      section('example', say('user', 'b'), say('assistant', 'c')),
      section('round', say('user', 'd'), say('assistant', 'e'), say('user', 'f'), say('assistant', 'g')),
      section('end', say('user', 'h')),
    ]
    expect(take(sections, free)).toEqual({ said: ['a', 'b', 'c', 'd', 'e', 'f'], next: 'assistant', notes: [] })
    expect(take(sections, free, 'complete').said).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g*', 'h'])
  })

  test('after the last round if the dataset gives it no turn', () => {
    const sections = [section('round', say('user', 'a'), say('assistant', 'b'), say('user', 'c')), section('end', say('user', 'd'))]
    expect(take(sections, free)).toEqual({ said: ['a', 'b', 'c'], next: 'assistant', notes: [] })
    expect(take(sections, free, 'complete').said).toEqual(['a', 'b', 'c*', 'd'])
  })

  test('after a tool result, which starts a round like user text', () => {
    const sections = [section('round', say('user', 'a'), say('assistant', 'b'), say('tool', 'c'))]
    expect(take(sections, free)).toMatchObject({ said: ['a', 'b', 'c'], next: 'assistant' })
  })

  test('in the role that the dataset marks, or not at all if it unmarks it', () => {
    const marked = [section('round', say('user', 'a', { override: { generate: true } }), say('assistant', 'b'))]
    expect(take(marked, free)).toMatchObject({ said: [], next: 'user' })
    const silent = [
      section('round', say('user', 'a'), say('assistant', 'b', { override: { generate: false } })),
      section('end', say('user', 'c')),
    ]
    expect(take(silent, free)).toEqual({ said: ['a', 'b', 'c'], next: undefined, notes: ['no-generating-role'] })
  })

  test('in a round that is written whole, in which every role has its place', () => {
    const sections = [section('round', say('user', 'a'), say('assistant', 'b'), say('user', 'c'))]
    expect(take(sections, whole)).toEqual({
      said: ['a', 'thoughts', 'b', 'c', 'thoughts'],
      next: 'assistant',
      notes: ['empty-turn', 'empty-turn'],
    })
    expect(take(sections, whole, 'complete').said).toEqual(['a', 'thoughts', 'b', 'c', 'thoughts', 'assistant*'])
  })

  test('after the last message of a chat, whatever its role', () => {
    const sections = [section('chat', say('user', 'a'), say('assistant', 'b'))]
    expect(take(sections, free)).toMatchObject({ said: ['a', 'b'], next: 'assistant' })
    expect(take(sections, free, 'complete').said).toEqual(['a', 'b*'])
    expect(take([], free)).toMatchObject({ said: [], next: 'assistant' })
  })

  test('only at a turn that the dataset marks, without rounds', () => {
    const sections = [section('round', say('A', 'a'), say('B', 'b', { override: { generate: true } }), say('C', 'c'))]
    expect(take(sections, common)).toMatchObject({ said: ['a'], next: 'B' })
    expect(take(sections, common, 'complete')).toMatchObject({ said: ['a', 'b', 'c*'], next: undefined })
    const first = [section('round', say('A', 'a', { override: { generate: true } }), say('B', 'b'))]
    expect(take(first, common)).toMatchObject({ said: [], next: 'A' })
    expect(take([section('round', say('A', 'a'))], common)).toMatchObject({ said: ['a'], next: undefined, notes: ['no-generating-role'] })
    expect(take(sections, { ...common, continues: true })).toMatchObject({ said: ['a', 'b', 'c'], next: undefined, notes: [] })
  })
})

test('examples inside a round that is written whole have no place', () => {
  const inside: Section = { kind: 'example', inside: 'round', items: [say('user', 'a')] }
  expect(() => take([inside, section('round', say('user', 'b'))], whole)).toThrow(expect.objectContaining({ where: 'round' }))
  const placed = { ...inside, placedAt: 'template.round[0]' }
  expect(() => take([placed, section('round', say('user', 'b'))], whole)).toThrow(expect.objectContaining({ where: 'template.round[0]' }))
})
