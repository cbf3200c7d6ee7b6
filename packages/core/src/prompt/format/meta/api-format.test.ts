import { describe, expect, test } from 'vitest'
import { quirksOf } from '../../../base/fidelity/quirks.ts'
import { control, plain, textOf } from '../../../base/text/index.ts'
import type { Conversation, Item, LooseText, Section, Turn } from '../../conversation/conversation.ts'
import { apiFormat, bareApiFormat } from './api-format.ts'

const human = { role: 'HUMAN', api_role: 'HUMAN' }
const bot = { role: 'BOT', api_role: 'BOT', generate: true }
const system = { role: 'SYSTEM', api_role: 'SYSTEM' }
const chat = { round: [human, bot], reserved_roles: [system] }

const say = (role: string, text: string, given: Partial<Turn> = {}): Turn => ({
  role,
  path: 'template.round[0]',
  content: [plain(text, { by: 'template', path: role })],
  ...given,
})
const loose = (text: string): LooseText => ({ loose: [control(text, { by: 'template', path: 'loose' })], path: 'template.begin' })
const begin = (...items: Item[]): Section => ({ kind: 'begin', items })
const round = (...items: Item[]): Section => ({ kind: 'round', items })
const end = (...items: Item[]): Section => ({ kind: 'end', items })
const message = (turn: Turn): Section => ({ kind: 'chat', items: [turn] })

function render(meta: unknown, sections: readonly Section[], want: 'generate' | 'complete' = 'generate', compat?: 'opencompass') {
  const format = apiFormat(meta, { where: 'meta_template', quirks: quirksOf(compat), api: true })
  const prompt = format.render({ kind: 'dialogue', sections, notes: [] }, { want })
  if (prompt.kind !== 'chat') throw new Error('not a chat')
  return prompt
}

type Given = Parameters<typeof render>
const show = (...given: Given) => render(...given).messages.map(({ role, content }) => [role, textOf(content)])
const codes = (...given: Given) => render(...given).notes.map(({ code }) => code)

describe('messages', () => {
  test('end before the generating role, without its begin', () => {
    const meta = {
      round: [
        { ...human, begin: 'Q: ', end: '\n' },
        { ...bot, begin: 'A: ' },
      ],
    }
    expect(show(meta, [round(say('HUMAN', 'x'), say('BOT', 'y'))])).toEqual([['user', 'Q: x\n']])
  })

  test("are complete in a complete prompt, where the generating role's text is the answer", () => {
    const prompt = render(chat, [round(say('HUMAN', 'x'), say('BOT', 'y'))], 'complete')
    expect(prompt.messages.map(({ role, content }) => [role, textOf(content)])).toEqual([
      ['user', 'x'],
      ['assistant', 'y'],
    ])
    expect(prompt.answer).toEqual({ start: 1, end: 2 })
  })

  test('in generation are followed by an empty answer', () => {
    expect(render(chat, [round(say('HUMAN', 'x'))]).answer).toEqual({ start: 1, end: 1 })
  })

  test('of the same role in a row are joined by newlines', () => {
    expect(show(chat, [begin(say('HUMAN', 'a')), round(say('HUMAN', 'b'), say('BOT', 'c'), say('HUMAN', 'd'))])).toEqual([
      ['user', 'a\nb'],
      ['assistant', 'c'],
      ['user', 'd'],
    ])
  })

  test('keep reserved roles in place, which the reference loses', () => {
    const sections = [round(say('HUMAN', 'a'), say('SYSTEM', 's', { fallbackRole: 'HUMAN' }), say('HUMAN', 'b'))]
    expect(show(chat, sections)).toEqual([
      ['user', 'a'],
      ['system', 's'],
      ['assistant', ''],
      ['user', 'b'],
    ])
    expect(show(chat, sections, 'generate', 'opencompass').flat()).not.toContain('s')
  })

  test("of a generating role in the dataset's begin are written", () => {
    expect(show(chat, [begin(say('BOT', 'Hello.')), round(say('HUMAN', 'x'))])).toEqual([
      ['assistant', 'Hello.'],
      ['user', 'x'],
    ])
  })

  test('must not be empty without the generating role', () => {
    const meta = { round: [bot, human] }
    expect(() => render(meta, [round(say('HUMAN', 'x'))])).toThrow(
      expect.objectContaining({ code: 'nothing-to-send', where: 'meta_template' }),
    )
  })

  test('have no token ids', () => {
    const override = { begin: [{ ids: [5], source: { by: 'template', path: 'template.round[0].begin[0]' } as const }] }
    expect(() => render(chat, [round(say('HUMAN', 'x', { override }))])).toThrow(
      expect.objectContaining({ code: 'token-ids-in-message', where: 'template.round[0].begin[0]' }),
    )
  })
})

describe("the meta template's begin", () => {
  const sections = [round(say('HUMAN', 'x'))]

  test('as a string becomes a user message, and is not merged', () => {
    expect(show({ ...chat, begin: 'Be kind.' }, sections)).toEqual([
      ['user', 'Be kind.'],
      ['user', 'x'],
    ])
  })

  test('as a turn has its own api_role, or that of its role', () => {
    expect(show({ ...chat, begin: { role: 'SYSTEM', api_role: 'SYSTEM', prompt: 'S' } }, sections)[0]).toEqual(['system', 'S'])
    expect(show({ ...chat, begin: { role: 'SYSTEM', prompt: 'S' } }, sections)[0]).toEqual(['system', 'S'])
    expect(
      show({ round: [{ ...human, role: 'ASKER' }, bot], begin: { role: 'ASKER', prompt: 'S' } }, [round(say('ASKER', 'x'))])[0],
    ).toEqual(['user', 'S'])
  })

  test('as a list is one message per entry, each with its path', () => {
    const { messages } = render({ ...chat, begin: ['a', { role: 'SYSTEM', prompt: 'b' }] }, sections)
    expect(messages.slice(0, 2)).toEqual([
      { role: 'user', content: [control('a', { by: 'format', path: 'meta_template.begin[0]' })] },
      { role: 'system', content: [control('b', { by: 'format', path: 'meta_template.begin[1].prompt' })] },
    ])
  })

  test('must have a role that chat servers know', () => {
    expect(() => show({ ...chat, begin: { role: 'TEACHER', prompt: 'x' } }, sections)).toThrow(
      expect.objectContaining({ code: 'unknown-role', where: 'meta_template.begin.role' }),
    )
    expect(show({ ...chat, begin: { role: 'TEACHER', prompt: 'x' } }, sections, 'generate', 'opencompass')[0]).toEqual(['TEACHER', 'x'])
  })

  test('that is empty is ignored', () => {
    expect(show({ ...chat, begin: '' }, sections)).toEqual([['user', 'x']])
  })

  test('precedes messages of a template, too, though not in the reference', () => {
    const meta = { ...chat, begin: 'Be kind.' }
    expect(show(meta, [message(say('user', 'x'))])).toEqual([
      ['user', 'Be kind.'],
      ['user', 'x'],
    ])
    expect(show(meta, [message(say('user', 'x'))], 'generate', 'opencompass')).toEqual([['user', 'x']])
  })
})

describe("the meta template's end", () => {
  const meta = { ...chat, end: 'Bye.' }

  test('closes a complete prompt, after the answer', () => {
    const prompt = render(meta, [round(say('HUMAN', 'x'), say('BOT', 'y'))], 'complete')
    expect(prompt.messages.map(({ content }) => textOf(content))).toEqual(['x', 'y', 'Bye.'])
    expect(prompt.answer).toEqual({ start: 1, end: 2 })
  })

  test('is omitted where the model speaks, and always in the reference', () => {
    expect(show(meta, [round(say('HUMAN', 'x'))])).toEqual([['user', 'x']])
    expect(show(meta, [round(say('HUMAN', 'x'), say('BOT', 'y'))], 'complete', 'opencompass')).toEqual([
      ['user', 'x'],
      ['assistant', 'y'],
    ])
  })
})

describe('text without a role', () => {
  const sections = [begin(loose('Solve.'), loose('\n')), round(say('HUMAN', 'x')), end(loose('Done.'))]

  test("is written as the user's role, with a note; blank text is dropped", () => {
    const asker = { round: [{ ...human, role: 'ASKER', begin: '> ' }, bot] }
    const given: Given = [asker, [begin(loose('Solve.'), loose('\n')), round(say('ASKER', 'x'))]]
    expect(show(...given)).toEqual([['user', '> Solve.\n> x']])
    expect(codes(...given)).toEqual(['loose-text-as-user', 'blank-text-dropped'])
  })

  test('inside a round stays in place, and does not start another', () => {
    expect(show(chat, [round(say('HUMAN', 'a'), loose('hint'), say('BOT', 'b'))], 'complete')).toEqual([
      ['user', 'a\nhint'],
      ['assistant', 'b'],
    ])
  })

  test('is refused without a user role', () => {
    expect(() => render({ round: [system, bot] }, [begin(loose('Solve.')), round(say('SYSTEM', 'x'))])).toThrow(
      expect.objectContaining({ code: 'loose-text', where: 'template.begin' }),
    )
  })

  test('is lost in the reference, with a note here', () => {
    expect(show(chat, sections, 'complete', 'opencompass')).toEqual([
      ['user', 'x'],
      ['assistant', ''],
    ])
    expect(codes(chat, sections, 'complete', 'opencompass')).toContain('loose-text-dropped')
  })
})

test('messages of a template are passed on one by one, with names and parts, unmerged', () => {
  const sections = [message(say('user', 'a', { name: 'Ann' })), message(say('user', 'b', { parts: ['b'] })), message(say('tool', 'c'))]
  expect(render(chat, sections).messages).toMatchObject([{ role: 'user', name: 'Ann' }, { role: 'user', parts: ['b'] }, { role: 'tool' }])
  expect(render(chat, sections).answer).toEqual({ start: 3, end: 3 })
  expect(render(chat, sections, 'complete').answer).toEqual({ start: 2, end: 3 })
})

test('a string template is one message of the user', () => {
  const format = apiFormat({ ...chat, begin: 'Be kind.' }, { where: 'meta_template', quirks: quirksOf(undefined), api: true })
  const content = [control('Hi', { by: 'template', path: 't' })]
  expect(format.render({ kind: 'text', content, notes: [] }, { want: 'generate' })).toMatchObject({
    kind: 'chat',
    messages: [{ role: 'user', content }],
    answer: { start: 1, end: 1 },
  })
})

test('eos_token_id stops every prompt', () => {
  const format = apiFormat(
    { round: [human, { ...bot, end: '<eoa>' }], eos_token_id: 2 },
    { where: 'meta_template', quirks: quirksOf(undefined), api: true },
  )
  expect(format.render({ kind: 'text', content: [], notes: [] }, { want: 'generate' }).stop).toMatchObject([{ id: 2 }])
  const messages: Conversation = { kind: 'dialogue', sections: [message(say('user', 'x'))], notes: [] }
  expect(format.render(messages, { want: 'generate' }).stop).toMatchObject([{ id: 2 }])
})

test('the stops of the meta template are passed on', () => {
  const meta = { round: [human, { ...bot, end: '<eoa>\n' }], eos_token_id: 2 }
  expect(render(meta, [round(say('HUMAN', 'x'))]).stop).toMatchObject([{ id: 2 }, { text: '<eoa>' }])
})

describe('an API model without a meta template', () => {
  const render = (conversation: Conversation, want: 'generate' | 'complete' = 'generate') =>
    bareApiFormat({ where: 'meta_template', quirks: quirksOf(undefined), api: true }).render(conversation, { want })

  test('gets a dialogue as one user message', () => {
    const prompt = render({ kind: 'dialogue', sections: [begin(loose('Solve.')), round(say('HUMAN', 'x'), say('BOT', 'y'))], notes: [] })
    expect(prompt.kind === 'chat' && prompt.messages.map(({ role, content }) => [role, textOf(content)])).toEqual([
      ['user', 'Solve.\nx\ny'],
    ])
    expect(prompt.answer).toEqual({ start: 1, end: 1 })
  })

  test('gets messages unchanged', () => {
    const prompt = render({ kind: 'dialogue', sections: [message(say('system', 's')), message(say('user', 'x'))], notes: [] })
    expect(prompt.kind === 'chat' && prompt.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })
})
