import { describe, expect, test } from 'vitest'
import { quirksOf } from '../../../base/fidelity/quirks.ts'
import { control, plain, textOf } from '../../../base/text/index.ts'
import type { Conversation, Item, LooseText, Section, Turn } from '../../conversation/conversation.ts'
import type { Ask, Prompt } from '../format.ts'
import { promptText } from '../prompt-text.ts'
import { metaFormat } from './meta-format.ts'

const human = { role: 'HUMAN', begin: '<|H|>', end: '<eoh>\n' }
const bot = { role: 'BOT', begin: '<|B|>', end: '<eoa>\n', generate: true }
const system = { role: 'SYSTEM', begin: '<|S|>', end: '<eos>\n' }
const chatml = { begin: '<s>', round: [human, bot], reserved_roles: [system], end: '</s>' }

const say = (role: string, text?: string, given: Partial<Turn> = {}): Turn => ({
  role,
  path: `template.round.${role}`,
  ...(text === undefined ? {} : { content: [plain(text, { by: 'template', path: role })] }),
  ...given,
})
const loose = (text: string): LooseText => ({ loose: [control(text, { by: 'template', path: 'loose' })], path: 'template.begin[0]' })
const round = (...items: Item[]): Section => ({ kind: 'round', items })
const example = (...items: Item[]): Section => ({ kind: 'example', inside: 'begin', items })

function render(meta: unknown, sections: readonly Section[], want: Ask['want'] = 'complete', compat?: 'opencompass') {
  const format = metaFormat(meta, { where: 'meta_template', quirks: quirksOf(compat), api: false })
  const prompt = format.render({ kind: 'dialogue', sections, notes: [] }, { want })
  if (prompt.kind !== 'completion') throw new Error('not a completion')
  return prompt
}

type Given = Parameters<typeof render>
const show = (...given: Given) => textOf(render(...given).pieces)
const answerOf = ({ answer, ...prompt }: Prompt) =>
  prompt.kind === 'completion' && answer ? textOf(prompt.pieces.slice(answer.start, answer.end)) : undefined
const codes = (...given: Given) => render(...given).notes.map(({ code }) => code)

describe('a complete prompt', () => {
  test('has every turn between the begin and end of its role, and all between those of the meta template', () => {
    expect(show(chatml, [round(say('HUMAN', '1+1'), say('BOT', '2'))])).toBe('<s><|H|>1+1<eoh>\n<|B|>2<eoa>\n</s>')
  })

  test("is followed only by the dataset's end and the meta template's", () => {
    const sections: Section[] = [
      { kind: 'begin', items: [loose('Solve.')] },
      round(say('HUMAN', 'x'), say('BOT', 'y')),
      { kind: 'end', items: [loose('Done.')] },
    ]
    expect(show(chatml, sections)).toBe('<s>Solve.<|H|>x<eoh>\n<|B|>y<eoa>\nDone.</s>')
  })

  test('counts its turns from the first, examples included', () => {
    const { pieces } = render(chatml, [example(say('HUMAN', 'a'), say('BOT', 'b')), round(say('HUMAN', 'c'), say('BOT', 'd'))])
    expect(pieces.filter(({ source }) => source.by === 'template').map(({ turn }) => turn)).toEqual([0, 1, 2, 3])
    expect(pieces.filter(({ turn }) => turn === 1).map((piece) => textOf([piece]))).toEqual(['<|B|>', 'b', '<eoa>\n'])
  })

  test("has the generating role's text as its answer", () => {
    expect(answerOf(render(chatml, [round(say('HUMAN', '1+1'), say('BOT', '2'))]))).toBe('2')
    expect(answerOf(render({ round: [human, { ...bot, generate: false }] }, [round(say('HUMAN', '1+1'), say('BOT', '2'))]))).toBe('2')
    expect(answerOf(render({ round: [human, { ...bot, generate: false }] }, [round(say('HUMAN', '1+1'))]))).toBe('1+1')
  })

  test("uses the template's marked answer, if there is one", () => {
    const marked = {
      content: [plain('So ', { by: 'template', path: 'p' }), { ...plain('2', { by: 'field', path: 'a' }), answer: true as const }],
    }
    expect(answerOf(render(chatml, [round(say('HUMAN', '1+1'), say('BOT', undefined, marked))]))).toBe('2')
  })
})

describe('a generative prompt', () => {
  test('ends after the begin of the generating role, without its text, its end and everything after it', () => {
    const sections: Section[] = [round(say('HUMAN', '1+1'), say('BOT', '2')), { kind: 'end', items: [loose('Done.')] }]
    expect(show(chatml, sections, 'generate')).toBe('<s><|H|>1+1<eoh>\n<|B|>')
  })

  test('has an empty answer at its end, where generation starts', () => {
    const { pieces, answer } = render(chatml, [round(say('HUMAN', '1+1'))], 'generate')
    expect(answer).toEqual({ start: pieces.length, end: pieces.length })
  })

  test('is cut only in the last round, never in examples or earlier rounds', () => {
    const sections = [
      example(say('HUMAN', 'e'), say('BOT', 'E')),
      round(say('HUMAN', 'a'), say('BOT', 'b'), say('HUMAN', 'c'), say('BOT', 'd')),
    ]
    expect(show(chatml, sections, 'generate')).toBe('<s><|H|>e<eoh>\n<|B|>E<eoa>\n<|H|>a<eoh>\n<|B|>b<eoa>\n<|H|>c<eoh>\n<|B|>')
  })

  test('is not cut at a generating role in the begin of the dataset', () => {
    expect(show(chatml, [{ kind: 'begin', items: [say('BOT', 'Hello.')] }, round(say('HUMAN', 'x'))], 'generate')).toBe(
      '<s><|B|>Hello.<eoa>\n<|H|>x<eoh>\n<|B|>',
    )
  })

  test('is complete if no role generates, with a note', () => {
    const meta = { round: [human, { ...bot, generate: false }], end: '</s>' }
    expect(show(meta, [round(say('HUMAN', '1+1'), say('BOT', ''))], 'generate')).toBe('<|H|>1+1<eoh>\n<|B|><eoa>\n</s>')
    expect(codes(meta, [round(say('HUMAN', '1+1'), say('BOT', ''))], 'generate')).toEqual(['no-generating-role'])
    expect(codes(meta, [round(say('HUMAN', '1+1'), say('BOT', ''))], 'complete')).toEqual([])
    expect(codes(chatml, [round(say('HUMAN', '1+1'))], 'generate')).toEqual([])
  })

  test("of messages has the generating role's begin after the last", () => {
    const sections: Section[] = [
      { kind: 'chat', items: [say('system', 'S')] },
      { kind: 'chat', items: [say('user', 'x')] },
    ]
    expect(show(chatml, sections, 'generate')).toBe('<s><|S|>S<eos>\n<|H|>x<eoh>\n<|B|>')
    expect(show(chatml, sections)).toBe('<s><|S|>S<eos>\n<|H|>x<eoh>\n</s>')
  })
})

describe("the dataset's settings for a turn win", () => {
  const turn = (override: Turn['override']) => [round(say('HUMAN', 'x'), say('BOT', 'y', { override }))]

  test('its begin and end', () => {
    const override = { begin: [control('B:', { by: 'template', path: 'b' })], end: [] }
    expect(show(chatml, turn(override))).toBe('<s><|H|>x<eoh>\nB:y</s>')
    expect(show(chatml, turn(override), 'generate')).toBe('<s><|H|>x<eoh>\nB:')
  })

  test('whether the model speaks there', () => {
    expect(show(chatml, turn({ generate: false }), 'generate')).toBe('<s><|H|>x<eoh>\n<|B|>y<eoa>\n</s>')
    const silent = { round: [human, { ...bot, generate: false }] }
    expect(show(silent, turn({ generate: true }), 'generate')).toBe('<|H|>x<eoh>\n<|B|>')
  })
})

describe('a round', () => {
  test('is written whole: roles that the dataset omits are empty between their begin and end', () => {
    expect(show(chatml, [round(say('BOT', 'y'))])).toBe('<s><|H|><eoh>\n<|B|>y<eoa>\n</s>')
    expect(show(chatml, [round(say('HUMAN', 'a'), say('HUMAN', 'b'))], 'generate')).toBe('<s><|H|>a<eoh>\n<|B|><eoa>\n<|H|>b<eoh>\n<|B|>')
  })

  test('notes an empty turn, at the path of the turn or of the role', () => {
    expect(render(chatml, [round(say('BOT', 'y'))]).notes).toEqual([
      {
        code: 'empty-turn',
        where: 'meta_template.round[0]',
        text: 'role "HUMAN" speaks here, and neither the dataset nor the meta template gives it a prompt',
      },
    ])
    expect(render(chatml, [round(say('HUMAN'), say('BOT', 'y'))]).notes).toMatchObject([
      { code: 'empty-turn', where: 'template.round.HUMAN' },
    ])
    expect(codes(chatml, [round(say('HUMAN', ''), say('BOT', ''))])).toEqual([])
  })

  test('notes it once, however many examples leave it empty', () => {
    expect(codes(chatml, [example(say('BOT', 'a')), example(say('BOT', 'b')), round(say('BOT', 'c'))])).toEqual(['empty-turn'])
  })

  test('has its strings in every round', () => {
    const meta = { round: ['[', human, '|', bot, ']'] }
    expect(show(meta, [example(say('HUMAN', 'a'), say('BOT', 'b')), round(say('HUMAN', 'c'))], 'generate')).toBe(
      '[<|H|>a<eoh>\n|<|B|>b<eoa>\n][<|H|>c<eoh>\n|<|B|>',
    )
  })

  test('keeps loose text and reserved roles in place', () => {
    const items = [say('SYSTEM', 's'), say('HUMAN', 'a'), loose('--'), say('BOT', 'b')]
    expect(show(chatml, [round(...items)])).toBe('<s><|S|>s<eos>\n<|H|>a<eoh>\n--<|B|>b<eoa>\n</s>')
  })

  test('has its strings before it in the reference', () => {
    expect(show(chatml, [round(say('HUMAN', 'a'), loose('--'), say('BOT', 'b'))], 'complete', 'opencompass')).toBe(
      '<s>--<|H|>a<eoh>\n<|B|>b<eoa>\n</s>',
    )
  })

  test('has no place for examples', () => {
    expect(() => render(chatml, [round(say('HUMAN', 'a')), { kind: 'example', inside: 'round', items: [] }])).toThrow(
      expect.objectContaining({ code: 'examples-in-round', fix: 'move the ice token to begin' }),
    )
  })
})

describe('a default prompt', () => {
  const meta = { round: [{ ...human, prompt: 'Q: {q} {x}' }, bot], reserved_roles: [{ ...system, prompt: 'Be kind, {q}.' }] }
  const fields = { row: { q: '1+1' }, masked: { column: 'x', text: '_' } }
  const sections: Section[] = [
    { kind: 'begin', items: [say('SYSTEM')], fields },
    { ...round(say('BOT', 'y')), fields },
  ]

  test('is used if the dataset gives none, with its fields filled and masked', () => {
    const prompt = render(meta, sections)
    expect(textOf(prompt.pieces)).toBe('<|S|>Be kind, 1+1.<eos>\n<|H|>Q: 1+1 _<eoh>\n<|B|>y<eoa>\n')
    expect(prompt.pieces.filter(({ source }) => source.by === 'field')).toMatchObject([
      { text: '1+1', control: false, turn: 0 },
      { text: '1+1', control: false, turn: 1 },
      { text: '_', control: false },
    ])
    expect(prompt.notes).toEqual([])
  })

  test("gives way to the dataset's text, even if that is empty", () => {
    expect(show(meta, [{ ...round(say('HUMAN', '')), fields }], 'generate')).toBe('<|H|><eoh>\n<|B|>')
  })

  test('is filled from the example in an example', () => {
    const shot: Section = { ...example(say('BOT', 'E')), fields: { row: { q: 'e', x: 'z' }, example: 0 } }
    expect(show(meta, [shot, { ...round(say('HUMAN', 'h')), fields }], 'generate')).toContain('Q: e z<eoh>')
  })

  test('is sent unfilled by the reference', () => {
    expect(show(meta, sections, 'complete', 'opencompass')).toContain('Q: {q} {x}<eoh>')
  })
})

describe('roles', () => {
  test('fall back in the round as in the begin, with a note', () => {
    const meta = { round: [human, bot] }
    const turn = say('SYSTEM', 's', { fallbackRole: 'HUMAN' })
    expect(show(meta, [{ kind: 'begin', items: [turn] }, round(say('HUMAN', 'x'))], 'generate')).toBe('<|H|>s<eoh>\n<|H|>x<eoh>\n<|B|>')
    expect(codes(meta, [{ kind: 'begin', items: [turn] }, round(say('HUMAN', 'x'))], 'generate')).toEqual(['fallback-role'])
    expect(show(meta, [round(turn, say('HUMAN', 'x'), say('BOT', 'y'))])).toBe('<|H|>s<eoh>\n<|H|>x<eoh>\n<|B|>y<eoa>\n')
  })

  test('without a place are an error', () => {
    expect(() => render(chatml, [round(say('TEACHER', 'x'))])).toThrow(
      expect.objectContaining({ code: 'unknown-role', where: 'template.round.TEACHER.role' }),
    )
  })
})

test('token ids stay ids, in begin, end and roles', () => {
  const meta = {
    begin: [1],
    round: [
      { role: 'HUMAN', begin: [92543, 'user\n'], end: [92542] },
      { role: 'BOT', begin: ['<', 7], generate: true },
    ],
  }
  const { pieces } = render(meta, [round(say('HUMAN', 'x'))], 'generate')
  expect(pieces.map((piece) => ('ids' in piece ? piece.ids : textOf([piece])))).toEqual([[1], [92543], 'user\n', 'x', [92542], '<', [7]])
})

test('a string template is the whole prompt: the meta template adds nothing, and only eos_token_id stops it', () => {
  const format = metaFormat({ ...chatml, eos_token_id: 2 }, { where: 'meta_template', quirks: quirksOf(undefined), api: false })
  const conversation: Conversation = { kind: 'text', content: [control('Hi', { by: 'template', path: 't' })], notes: [] }
  expect(format.render(conversation, { want: 'generate' })).toMatchObject({
    kind: 'completion',
    pieces: conversation.content,
    answer: { start: 1, end: 1 },
    stop: [{ id: 2 }],
  })
  expect(format.render(conversation, { want: 'complete' })).not.toHaveProperty('answer')
})

test('a meta template without a round puts its begin and end around the turns, or around a string', () => {
  const meta = { begin: '<s>', end: '</s>' }
  const sections = [round(say('ANYONE', 'a'), say('BOT', 'b'))]
  expect(show(meta, sections)).toBe('<s>a\nb</s>')
  expect(answerOf(render(meta, sections))).toBe('b')
  const format = metaFormat(meta, { where: 'meta_template', quirks: quirksOf(undefined), api: false })
  const text: Conversation = { kind: 'text', content: [control('Hi', { by: 'template', path: 't' })], notes: [] }
  expect(promptText(format.render(text, { want: 'generate' }))).toBe('<s>Hi</s>')
})

test('without a round in the meta template the dataset decides where the model speaks', () => {
  const spoken = { override: { begin: [control('B: ', { by: 'template', path: 'b' })], generate: true } }
  const sections: Section[] = [round(say('HUMAN', 'a'), say('BOT', 'b', spoken)), { kind: 'end', items: [loose('Done.')] }]
  expect(show({ begin: '<s>', end: '</s>' }, sections, 'generate')).toBe('<s>a\nB: ')
  expect(show({ begin: '<s>', end: '</s>' }, sections)).toBe('<s>a\nB: b\nDone.</s>')
})

test("a continued answer stays open, and stops at its role's end", () => {
  const open = render(chatml, [{ kind: 'chat', items: [say('user', 'Sum?'), say('assistant', 'It')] }], 'continue')
  expect(promptText(open)).toBe('<s><|H|>Sum?<eoh>\n<|B|>It')
  expect(open.stop).toMatchObject([{ text: '<eoa>' }])
  expect(open.answer).toEqual({ start: 6, end: 6 })
  expect(() => render(chatml, [{ kind: 'chat', items: [say('user', 'Sum?')] }], 'continue')).toThrow(
    expect.objectContaining({ code: 'nothing-to-continue' }),
  )
})

test('a format knows its roles and the texts that mark them', () => {
  const format = metaFormat(chatml, { where: 'meta_template', quirks: quirksOf(undefined), api: false })
  expect(format.traits).toMatchObject({ roles: ['HUMAN', 'BOT', 'SYSTEM'], replyRole: 'BOT', looseText: 'verbatim', readsContent: false })
  expect(format.markers).toEqual(['<s>', '</s>', '<|H|>', '<eoh>', '<|B|>', '<eoa>', '<|S|>', '<eos>'])
})

describe('a mistake in the meta template', () => {
  const wrong = { round: [{ role: 'HUMAN', bgin: 'x' }] }
  const make = (compat?: 'opencompass', config: object = wrong) =>
    metaFormat(config, { where: 'meta_template', quirks: quirksOf(compat), api: false })

  test('is found immediately', () => {
    expect(() => make()).toThrow(expect.objectContaining({ code: 'unknown-key' }))
  })

  test('that the reference finds late is a note for string templates, and an error for dialogues', () => {
    const format = make('opencompass', { round: [{ role: 'HUMAN', begin: 3 }] })
    const text = format.render({ kind: 'text', content: [], notes: [] }, { want: 'generate' })
    expect(text.notes).toMatchObject([{ code: 'unread-mistake', where: 'meta_template.round[0].begin' }])
    expect(() => format.render({ kind: 'dialogue', sections: [round(say('HUMAN', 'x'))], notes: [] }, { want: 'generate' })).toThrow(
      expect.objectContaining({ code: 'wrong-type' }),
    )
  })
})
