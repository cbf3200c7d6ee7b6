import { describe, expect, test } from 'vitest'
import { control, plain, textOf } from '../../../base/text/index.ts'
import type { Conversation, Item, Turn } from '../../conversation/conversation.ts'
import { adaptConversation } from './adapt-conversation.ts'
import type { Traits } from './traits.ts'

const say = (role: string, given: Partial<Turn> = {}): Turn => ({
  role,
  content: [plain('Hi', { by: 'template', path: 'p' })],
  path: 'template.begin[0]',
  ...given,
})
const loose = (text: string): Item => ({ loose: [control(text, { by: 'template', path: 'template.begin[1]' })], path: 'template.begin[1]' })

function adapt(items: readonly Item[], traits: Partial<Traits> = {}) {
  const conversation: Conversation = {
    kind: 'dialogue',
    sections: [{ kind: 'begin', items }],
    notes: [{ code: 'rounds-cut', text: 'before' }],
  }
  const script = adaptConversation(
    conversation,
    { want: 'complete' },
    { formatName: 'the format', looseText: 'verbatim', readsContent: false, ...traits },
  )
  if (script.kind === 'text') throw new Error('not a text')
  return {
    said: script.lines.map((line) => ('loose' in line ? textOf(line.loose) : line.role)),
    notes: script.notes.slice(1),
    first: script.notes[0],
    lines: script.lines,
    system: script.system && textOf(script.system),
  }
}

test('a developer message of a chat becomes a system message; one in a template must be a role of the format', () => {
  const message = { role: 'developer', content: 'Hi' }
  const { said, notes } = adapt([say('developer', { message })], { roles: ['SYSTEM', 'HUMAN'] })
  expect(said).toEqual(['SYSTEM'])
  expect(notes).toMatchObject([{ code: 'developer-as-system' }])
  expect(adapt([say('developer', { message })], { roles: ['developer', 'system'] })).toMatchObject({ said: ['developer'], notes: [] })
  expect(() => adapt([say('developer')], { roles: ['SYSTEM', 'HUMAN'] })).toThrow('role "developer" is not in the format')
})

test('a string template has no turns to adapt', () => {
  const conversation: Conversation = { kind: 'text', content: [], notes: [] }
  const traits: Traits = { formatName: 'f', roles: [], looseText: 'error', readsContent: false }
  expect(adaptConversation(conversation, { want: 'generate' }, traits)).toEqual({ kind: 'text', content: [], notes: [] })
})

describe('roles', () => {
  test('that the format knows stay as they are', () => {
    expect(adapt([say('HUMAN', { fallbackRole: 'BOT' })], { roles: ['HUMAN', 'BOT'] })).toMatchObject({ said: ['HUMAN'], notes: [] })
  })

  test('are all accepted by a format that does not write them', () => {
    expect(adapt([say('ANYONE')]).said).toEqual(['ANYONE'])
  })

  test('that it does not know use their fallback role, with a note', () => {
    expect(adapt([say('SYSTEM', { fallbackRole: 'HUMAN' })], { roles: ['HUMAN', 'BOT'] })).toMatchObject({
      said: ['HUMAN'],
      notes: [{ code: 'fallback-role', where: 'template.begin[0]', text: 'the format has no role "SYSTEM", so "HUMAN" is used' }],
    })
  })

  test('also use the other name of the fallback role', () => {
    expect(adapt([say('JUDGE', { fallbackRole: 'HUMAN' })], { roles: ['user', 'assistant'] }).said).toEqual(['user'])
  })

  test('of chat messages map to those of evaluation templates, both ways and without a note', () => {
    const chat = ['user', 'assistant', 'system']
    const evaluation = ['HUMAN', 'BOT', 'SYSTEM']
    expect(
      adapt(
        chat.map((role) => say(role)),
        { roles: evaluation },
      ),
    ).toMatchObject({ said: evaluation, notes: [] })
    expect(
      adapt(
        evaluation.map((role) => say(role)),
        { roles: chat },
      ),
    ).toMatchObject({ said: chat, notes: [] })
  })

  test('of messages that the format lacks are an error that names the role to add', () => {
    expect(() => adapt([say('system')], { roles: ['HUMAN', 'BOT'] })).toThrow(
      expect.objectContaining({ code: 'unknown-role', fix: expect.stringContaining('add a role "SYSTEM" to the format') }),
    )
  })

  test('that the format lacks are an error with the path, the available roles and the nearest of them', () => {
    expect(() => adapt([say('HUMANS')], { roles: ['HUMAN', 'BOT'] })).toThrow(
      expect.objectContaining({
        code: 'unknown-role',
        where: 'template.begin[0].role',
        problem: 'role "HUMANS" is not in the format (it has: HUMAN, BOT)',
        fix: expect.stringContaining('did you mean "HUMAN"?'),
      }),
    )
    expect(() => adapt([say('SYSTEM', { fallbackRole: 'HUMN' })], { roles: ['HUMAN', 'BOT'] })).toThrow(
      expect.objectContaining({ code: 'unknown-role', where: 'template.begin[0].fallback_role', fix: 'did you mean "HUMAN"?' }),
    )
    expect(() => adapt([say('')], { roles: ['HUMAN'] })).toThrow(
      expect.objectContaining({ code: 'unknown-role', problem: expect.stringContaining('the turn has no role') }),
    )
  })

  test('keep all other properties of the turn', () => {
    const turn = say('SYSTEM', { fallbackRole: 'HUMAN', extra: { mood: 'x' }, name: 'Ann' })
    expect(adapt([turn], { roles: ['HUMAN'] }).lines).toEqual([{ ...turn, role: 'HUMAN', fellBack: true }])
  })
})

describe('a system turn', () => {
  const traits = { roles: ['user', 'assistant'], system: 'slot' } as const
  const system = say('SYSTEM', { path: 'template.begin[0]' })

  test('at the start fills the slot, once or several times', () => {
    expect(adapt([system, say('system'), say('HUMAN')], traits)).toMatchObject({ said: ['user'], system: 'Hi\nHi', notes: [] })
    expect(adapt([say('HUMAN')], traits).system).toBeUndefined()
  })

  test('after another turn uses its fallback role, or is refused', () => {
    const late = say('SYSTEM', { fallbackRole: 'HUMAN' })
    expect(adapt([say('HUMAN'), late], traits)).toMatchObject({ said: ['user', 'user'], notes: [{ code: 'fallback-role' }] })
    expect(() => adapt([say('HUMAN'), system], traits)).toThrow(
      expect.objectContaining({
        code: 'no-system-slot',
        where: 'template.begin[0].role',
        fix: 'give the turn a fallback_role, or move it to the start',
      }),
    )
  })

  test('after loose text is not at the start', () => {
    expect(() => adapt([loose('Hi'), system], { ...traits, looseText: 'as-user', userRole: 'user' })).toThrow(
      'takes a system text only before everything else',
    )
  })

  test('without a slot uses its fallback role, or is refused', () => {
    const none = { ...traits, system: 'none' } as const
    expect(adapt([say('SYSTEM', { fallbackRole: 'HUMAN' })], none)).toMatchObject({ said: ['user'], notes: [{ code: 'fallback-role' }] })
    expect(() => adapt([system], none)).toThrow('takes a system text nowhere')
  })
})

describe('text without a role', () => {
  test('is written verbatim if the format can', () => {
    expect(adapt([loose('Solve.'), loose('\n')])).toMatchObject({ said: ['Solve.', '\n'], notes: [] })
  })

  test('becomes a separate user turn, with a note', () => {
    const { lines, notes } = adapt([loose('Solve.')], { looseText: 'as-user', userRole: 'HUMAN', roles: ['HUMAN'] })
    expect(lines).toEqual([
      { role: 'HUMAN', content: (loose('Solve.') as { loose: unknown }).loose, path: 'template.begin[1]', standalone: true },
    ])
    expect(notes).toEqual([{ code: 'loose-text-as-user', where: 'template.begin[1]', text: 'text that has no role is said by "HUMAN"' }])
  })

  test('is dropped with a note where the reference loses it', () => {
    expect(adapt([loose('Solve.')], { looseText: 'drop' })).toMatchObject({
      said: [],
      notes: [{ code: 'loose-text-dropped', where: 'template.begin[1]', text: 'text that no role says was left out' }],
    })
  })

  test('is refused if the format has no role for it', () => {
    const refused = expect.objectContaining({
      code: 'loose-text',
      where: 'template.begin[1]',
      problem: '"Solve." has no role, and the format takes only turns',
    })
    expect(() => adapt([loose('Solve.')], { looseText: 'error', userRole: 'HUMAN' })).toThrow(refused)
    expect(() => adapt([loose('Solve.')], { looseText: 'as-user' })).toThrow(refused)
  })

  test('that is blank is dropped if turns are messages, with a note unless it is empty', () => {
    for (const looseText of ['as-user', 'drop', 'error'] as const) {
      expect(adapt([loose(' \n')], { looseText, userRole: 'HUMAN' })).toMatchObject({
        said: [],
        notes: [{ code: 'blank-text-dropped', text: 'blank text that no role says was left out' }],
      })
      expect(adapt([loose('')], { looseText, userRole: 'HUMAN' })).toMatchObject({ said: [], notes: [] })
    }
  })

  test('is truncated in errors, and not quoted in notes, which concern the config and not a row', () => {
    expect(() => adapt([loose('x'.repeat(50))], { looseText: 'error' })).toThrow(`"${'x'.repeat(40)}…" has no role`)
    const { notes } = adapt([loose('x'.repeat(50))], { looseText: 'drop' })
    expect(notes[0]!.text).not.toContain('xxx')
  })
})

test('notes are appended to those of the conversation', () => {
  expect(adapt([say('SYSTEM', { fallbackRole: 'HUMAN' })], { roles: ['HUMAN'] }).first).toEqual({ code: 'rounds-cut', text: 'before' })
})

describe('a format with limited support', () => {
  const chat = (...items: Turn[]): Conversation => ({ kind: 'dialogue', sections: [{ kind: 'chat', items }], notes: [] })
  const traits: Traits = { formatName: 'the format', looseText: 'error', readsContent: false }
  const tools = [{ name: 'f', schema: {}, path: 'tools[0]' }]

  test('tools and interpreters are refused if it cannot describe them', () => {
    const given = { ...chat(say('user')), tools } as Conversation
    const refused = expect.objectContaining({ code: 'no-tools', where: 'tools[0]' })
    expect(() => adaptConversation(given, { want: 'generate' }, traits)).toThrow(refused)
    expect(adaptConversation(given, { want: 'generate' }, { ...traits, tools: true })).toMatchObject({ tools })
    const interpreter = { ...chat(say('user')), interpreter: { path: 'tools[1]' } } as Conversation
    expect(() => adaptConversation(interpreter, { want: 'generate' }, { ...traits, tools: true })).toThrow('has no way to describe')
  })

  test('a last-round prompt is refused if it writes whole conversations', () => {
    expect(() => adaptConversation(chat(say('user')), { want: 'last-round' }, traits)).toThrow(
      expect.objectContaining({ code: 'unsupported-ask' }),
    )
  })

  test('unsupported fields of a message are noted, names by a specific note', () => {
    const turn = say('user', { name: 'Ann', extra: { mood: 'x', reasoning_content: '' } })
    const notes = (given: Partial<Traits>) => adaptConversation(chat(turn), { want: 'complete' }, { ...traits, ...given }).notes
    expect(notes({ fields: [] })).toMatchObject([{ text: 'this format has no place for mood, name of the message' }])
    expect(notes({ fields: ['mood'], names: true })).toEqual([])
    expect(notes({})).toEqual([])
  })
})

test('a turn that generation cuts off leaves no note about its fallback role; complete, it does', () => {
  const behind = say('SYSTEM', { fallbackRole: 'HUMAN', path: 'template.end[0]' })
  const before = say('SYSTEM', { fallbackRole: 'HUMAN', path: 'template.begin[0]' })
  const conversation: Conversation = {
    kind: 'dialogue',
    sections: [
      { kind: 'begin', items: [before] },
      { kind: 'chat', items: [say('HUMAN')] },
      { kind: 'end', items: [behind] },
    ],
    notes: [],
  }
  const traits: Traits = { formatName: 'f', roles: ['HUMAN', 'BOT'], replyRole: 'BOT', looseText: 'verbatim', readsContent: false }
  const noted = (want: 'generate' | 'complete') => adaptConversation(conversation, { want }, traits).notes.map(({ where }) => where)
  expect(noted('generate')).toEqual(['template.begin[0]'])
  expect(noted('complete')).toEqual(['template.begin[0]', 'template.end[0]'])
})
