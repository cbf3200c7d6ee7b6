import { describe, expect, test } from 'vitest'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import { plain, type TextPiece, textOf } from '../../base/text/index.ts'
import { buildConversation } from './build-conversation.ts'
import { compileDataset, type UncheckedPromptSettings } from './compile-dataset.ts'
import { type Conversation, isLoose } from './conversation.ts'
import type { Question } from './question.ts'

type Given = { infer_cfg: UncheckedPromptSettings['infer_cfg']; compat?: 'opencompass'; output_column?: string }

function build({ infer_cfg, compat, output_column = 'a' }: Given, question: Partial<Question> = {}) {
  const templates = compileDataset({ reader_cfg: { output_column }, infer_cfg }, quirksOf(compat))
  return buildConversation(templates, { row: { q: '1+1', a: '2' }, mode: 'gen', ...question })
}

/** The conversation in short: its text, or the sections with their text. */
function show(conversation: Conversation) {
  if (conversation.kind === 'text') return textOf(conversation.content)
  return conversation.sections.map(({ kind, items, inside }) => [
    inside === undefined ? kind : `${kind} in ${inside}`,
    ...items.map((item) => (isLoose(item) ? textOf(item.loose) : `${item.role}: ${textOf(item.content ?? [])}`)),
  ])
}

const codes = ({ notes }: Conversation) => notes.map(({ code }) => code)
const marked = (conversation: Conversation) =>
  conversation.kind === 'text' ? textOf(conversation.content.filter((piece) => piece.answer)) : undefined
const round = [
  { role: 'HUMAN', prompt: '{q}' },
  { role: 'BOT', prompt: '{a}' },
]
const examples = [{ q: 'e', a: 'E' }]

describe('the answer column', () => {
  const infer_cfg = { prompt_template: { template: '{q}={a}' } }

  test('is masked in generation and shown for perplexity', () => {
    expect(show(build({ infer_cfg }))).toBe('1+1=')
    expect(show(build({ infer_cfg }, { mode: 'ppl' }))).toBe('1+1=2')
  })

  test('is masked by gen_field_replace_token, as Python prints it', () => {
    expect(show(build({ infer_cfg: { ...infer_cfg, inferencer: { gen_field_replace_token: '?' } } }))).toBe('1+1=?')
    expect(show(build({ infer_cfg: { ...infer_cfg, inferencer: { gen_field_replace_token: null } } }))).toBe('1+1=None')
  })

  test('is the answer of a string template in a complete prompt, but only that of the current row', () => {
    const both = { ice_template: { template: '{q}={a};' }, prompt_template: { template: '</E>{q}={a}.', ice_token: '</E>' } }
    expect(marked(build({ infer_cfg }, { mode: 'ppl' }))).toBe('2')
    expect(marked(build({ infer_cfg: both }, { mode: 'ppl', examples }))).toBe('2')
    expect(marked(build({ infer_cfg }))).toBe('')
  })

  test('gives way to the separator, after which everything is the answer, except in examples', () => {
    const separated = {
      ice_template: { template: '{q}</S>={a};', sep_token: '</S>' },
      prompt_template: { template: '</E>{q}</S>={a}', ice_token: '</E>', sep_token: '</S>' },
    }
    expect(marked(build({ infer_cfg: separated }, { mode: 'ppl', examples }))).toBe('=2')
    expect(marked(build({ infer_cfg: separated, compat: 'opencompass' }, { mode: 'ppl', examples }))).toBe('=2')
    expect(marked(build({ infer_cfg: separated }, { examples }))).toBe('')
  })

  test('counts after the separator even if it also occurs before it', () => {
    expect(marked(build({ infer_cfg: { prompt_template: { template: '{a} {q}</S>={a}!', sep_token: '</S>' } } }, { mode: 'ppl' }))).toBe(
      '=2!',
    )
  })
})

describe('a template for each label', () => {
  const infer_cfg = { prompt_template: { template: { yes: 'Is {q} {a}? Yes, it is.', no: 'Is {q} {a}? No.' } } }

  test('is chosen by the label in perplexity, and the text that labels do not share is the answer', () => {
    const conversation = build({ infer_cfg }, { mode: 'ppl', label: 'yes' })
    expect(show(conversation)).toBe('Is 1+1 2? Yes, it is.')
    expect(marked(conversation)).toBe('Yes, it is.')
    expect(marked(build({ infer_cfg }, { mode: 'ppl', label: 'no' }))).toBe('No.')
  })

  test('marks the answer in its text by spans', () => {
    const conversation = build({ infer_cfg }, { mode: 'ppl', label: 'no' })
    const pieces = conversation.kind === 'text' ? conversation.content : []
    expect(pieces.slice(-2).map(({ text, source, answer }: TextPiece) => [text, source.span, answer])).toEqual([
      ['? ', [10, 12], undefined],
      ['No.', [12, 15], true],
    ])
  })

  test('counts fields after the point where the labels differ to the answer, examples never', () => {
    const labels = { A: '</E>{q} -> A {q}', B: '</E>{q} -> B {q}' }
    const shots = { ice_template: { template: '{q} -> {a} ' }, prompt_template: { template: labels, ice_token: '</E>' } }
    expect(marked(build({ infer_cfg: shots }, { mode: 'ppl', label: 'A', examples }))).toBe('A 1+1')
  })

  test('may differ in its fields only, which then are the answer', () => {
    const template = { 0: 'Goal: {q} {first}', 1: 'Goal: {q} {second}' }
    const row = { q: 'g', first: 'one', second: 'two' }
    expect(marked(build({ infer_cfg: { prompt_template: { template } } }, { row, mode: 'ppl', label: '1' }))).toBe('two')
    const atOnce = { 0: '{first} is it', 1: 'It is {second}' }
    expect(marked(build({ infer_cfg: { prompt_template: { template: atOnce } } }, { row, mode: 'ppl', label: '0' }))).toBe('one is it')
  })

  test('needs a label in perplexity', () => {
    for (const label of [undefined, 'maybe', 'constructor']) {
      expect(() => build({ infer_cfg }, { mode: 'ppl', label })).toThrow(
        expect.objectContaining({ code: 'missing-label', where: 'infer_cfg.prompt_template.template', fix: 'choose one of: yes, no' }),
      )
    }
  })

  test('is the first in generation, with a note', () => {
    const conversation = build({ infer_cfg })
    expect(show(conversation)).toBe('Is 1+1 ? Yes, it is.')
    expect(conversation.notes).toEqual([
      {
        code: 'labels-in-generation',
        where: 'infer_cfg.prompt_template.template',
        text: 'a generative prompt needs one template, and this maps labels; the first, "yes", is used',
      },
    ])
  })
})

describe('notes', () => {
  test('list each missing field once per place', () => {
    const template = { begin: '{x}', round: [{ role: 'HUMAN', prompt: '{x} {x} {q}' }] }
    expect(build({ infer_cfg: { prompt_template: { template } } }).notes).toEqual([
      { code: 'unknown-field', where: 'infer_cfg.prompt_template.template.begin', text: 'the row has no field "x", so {x} stays as it is' },
      {
        code: 'unknown-field',
        where: 'infer_cfg.prompt_template.template.round[0].prompt',
        text: 'the row has no field "x", so {x} stays as it is',
      },
    ])
    expect(codes(build({ infer_cfg: { prompt_template: { template: '{q} {y}' } } }))).toEqual(['unknown-field'])
  })

  test('a masked column is known even if the row does not have it', () => {
    expect(codes(build({ infer_cfg: { prompt_template: { template: '{a}' } } }, { row: {} }))).toEqual([])
  })

  test('report an unused ice token if there are no examples to lose', () => {
    const infer_cfg = { prompt_template: { template: { round }, ice_token: '</E>' } }
    expect(build({ infer_cfg }).notes).toEqual([
      { code: 'ice-token-unused', where: 'infer_cfg.prompt_template', text: 'the ice token "</E>" stands nowhere in the template' },
    ])
    expect(codes(build({ infer_cfg: { prompt_template: { template: { begin: '</E>', round }, ice_token: '</E>' } } }))).toEqual([])
    expect(codes(build({ infer_cfg: { prompt_template: { messages: [{ role: 'user', content: 'x' }] } } }))).toEqual([])
  })
})

describe('where examples go', () => {
  const ice_template = { template: { round } }

  test('dialogues go between turns, as sections of the part with the ice token', () => {
    const template = { begin: ['Solve.', 'Examples: </E>Now:'], round }
    expect(show(build({ infer_cfg: { ice_template, prompt_template: { template, ice_token: '</E>' } } }, { examples }))).toEqual([
      ['begin', 'Solve.', 'Examples: '],
      ['example in begin', 'HUMAN: e', 'BOT: E'],
      ['begin', 'Now:'],
      ['round', 'HUMAN: 1+1', 'BOT: '],
    ])
  })

  test('strings go into the text, also inside a turn', () => {
    const template = { begin: '</E>', round: [{ role: 'HUMAN', prompt: '</E>{q}' }] }
    const conversation = build(
      { infer_cfg: { ice_template: { template: '{q}={a} ' }, prompt_template: { template, ice_token: '</E>' } } },
      { examples },
    )
    expect(show(conversation)).toEqual([
      ['begin', 'e=E \n'],
      ['round', 'HUMAN: e=E \n1+1'],
    ])
  })

  test('messages go among messages', () => {
    const messages = [
      { role: 'user', content: '{q}' },
      { role: 'assistant', content: '{a}' },
    ]
    const infer_cfg = { ice_template: { messages }, prompt_template: { messages: [{ role: 'system', content: 'S' }, '</E>', ...messages] } }
    expect(show(build({ infer_cfg }, { examples }))).toEqual([
      ['chat', 'system: S'],
      ['example in chat', 'user: e', 'assistant: E'],
      ['chat', 'user: 1+1'],
    ])
  })

  test('messages go between the turns of a dialogue, one by one', () => {
    const ice = { messages: [{ role: 'user', content: '{q}' }] }
    expect(
      show(
        build(
          { infer_cfg: { ice_template: ice, prompt_template: { template: { begin: '</E>', round }, ice_token: '</E>' } } },
          { examples },
        ),
      )[0],
    ).toEqual(['example in chat', 'user: e'])
  })

  test('a lone ice_template puts its question after the examples', () => {
    const infer_cfg = { ice_template: { template: { begin: '</E>', round }, ice_token: '</E>' } }
    const conversation = build({ infer_cfg }, { examples })
    expect(show(conversation)).toEqual([
      ['example in begin', 'HUMAN: e', 'BOT: E'],
      ['round', 'HUMAN: 1+1', 'BOT: '],
    ])
    expect(codes(conversation)).toEqual(['example-begin-unused'])
  })

  test('a missing place is an error if there are examples, since they would be lost', () => {
    const infer_cfg = { ice_template, prompt_template: { template: { round }, ice_token: '</E>' } }
    expect(() => build({ infer_cfg }, { examples })).toThrow(
      expect.objectContaining({
        code: 'ice-token-missing',
        problem: expect.stringContaining('the ice token "</E>" stands nowhere in the template'),
      }),
    )
    expect(codes(build({ infer_cfg, compat: 'opencompass' }, { examples }))).toEqual(['ice-token-unused'])
  })

  test('examples need an ice_template and an ice token', () => {
    expect(() => build({ infer_cfg: { prompt_template: { template: '{q}' } } }, { examples })).toThrow(
      expect.objectContaining({ code: 'examples-without-template' }),
    )
    expect(() => build({ infer_cfg: { ice_template: { template: '{q}' } } }, { examples })).toThrow(
      expect.objectContaining({ code: 'examples-without-place', where: 'infer_cfg.ice_template.ice_token' }),
    )
  })

  test('dialogues fit neither into a string nor into a turn', () => {
    expect(() => build({ infer_cfg: { ice_template, prompt_template: { template: '</E>', ice_token: '</E>' } } }, { examples })).toThrow(
      expect.objectContaining({ code: 'dialogue-in-string', where: 'infer_cfg.prompt_template.template' }),
    )
    const inTurn = { template: { round: [{ role: 'HUMAN', prompt: '</E>{q}' }] }, ice_token: '</E>' }
    expect(() => build({ infer_cfg: { ice_template, prompt_template: inTurn } }, { examples })).toThrow(
      expect.objectContaining({ code: 'dialogue-in-turn', where: 'infer_cfg.prompt_template.template.round[0].prompt' }),
    )
  })

  test('strings do not fit among messages', () => {
    const infer_cfg = { ice_template: { template: '{q}' }, prompt_template: { messages: ['</E>', { role: 'user', content: '{q}' }] } }
    expect(() => build({ infer_cfg }, { examples })).toThrow(
      expect.objectContaining({ code: 'examples-not-messages', where: 'infer_cfg.ice_template' }),
    )
  })
})

describe('sep_token', () => {
  const infer_cfg = {
    ice_template: { template: '{q}</S>{a} ' },
    prompt_template: { template: '</E>{q}</S>{a}', ice_token: '</E>', sep_token: '</S>' },
  }

  test('is removed from the examples in generation, and stays in them for perplexity, as in the reference', () => {
    expect(show(build({ infer_cfg }, { examples }))).toBe('eE \n1+1')
    expect(show(build({ infer_cfg }, { examples, mode: 'ppl' }))).toBe('e</S>E \n1+12')
  })

  test('is not a separator in a value', () => {
    expect(show(build({ infer_cfg }, { examples: [{ q: '</S>', a: 'E' }], row: { q: '</S>', a: '' } }))).toBe('</S>E \n</S>')
  })

  test('is removed from the turns of examples, too', () => {
    const ice_template = { template: { round: [{ role: 'BOT', prompt: 'A:</S>{a}' }, 'x</S>'] } }
    const prompt_template = { template: { begin: '</E>', round }, ice_token: '</E>', sep_token: '</S>' }
    expect(show(build({ infer_cfg: { ice_template, prompt_template } }, { examples }))).toEqual([
      ['example in begin', 'BOT: A:E', 'x'],
      ['round', 'HUMAN: 1+1', 'BOT: '],
    ])
  })

  test('stays if normalised perplexity needs it', () => {
    expect(
      show(build({ infer_cfg: { prompt_template: { template: '{q}</S>{a}', sep_token: '</S>' } } }, { mode: 'ppl', keepSeparator: true })),
    ).toBe('1+1</S>2')
  })
})

describe('messages', () => {
  const messages = [
    { role: 'user', content: '{q} {a}' },
    { role: 'assistant', content: 'It is {a}' },
  ]

  test('a final assistant message with the answer is omitted for the model, and the answer is masked elsewhere', () => {
    expect(show(build({ infer_cfg: { prompt_template: { messages } } }))).toEqual([['chat', 'user: 1+1 ']])
    expect(show(build({ infer_cfg: { prompt_template: { messages } } }, { mode: 'ppl' }))).toEqual([
      ['chat', 'user: 1+1 2'],
      ['chat', 'assistant: It is 2'],
    ])
  })

  test('a final assistant message without it is sent', () => {
    const prefill = [messages[0], { role: 'assistant', content: 'Well,' }]
    expect(show(build({ infer_cfg: { prompt_template: { messages: prefill } } }))).toEqual([
      ['chat', 'user: 1+1 '],
      ['chat', 'assistant: Well,'],
    ])
  })

  test('an empty list is an error', () => {
    expect(() => build({ infer_cfg: { prompt_template: { messages: [messages[1]] } } })).toThrow(
      expect.objectContaining({ code: 'nothing-to-send', where: 'infer_cfg.prompt_template.messages' }),
    )
  })
})

describe("under compat: 'opencompass'", () => {
  const compat = 'opencompass' as const

  test('examples are filled again with the current row', () => {
    const values = [{ q: '{q} or {a}', a: '{a}' }]
    const texts = { ice_template: { template: '{q}={a} ' }, prompt_template: { template: '</E>{q}={a}', ice_token: '</E>' } }
    expect(show(build({ infer_cfg: texts, compat }, { examples: values }))).toBe('1+1 or = \n1+1=')
    expect(show(build({ infer_cfg: texts }, { examples: values }))).toBe('{q} or {a}={a} \n1+1=')
    const dialogues = { ice_template: { template: { round } }, prompt_template: { template: { begin: '</E>', round }, ice_token: '</E>' } }
    expect(show(build({ infer_cfg: dialogues, compat }, { examples: values }))[0]).toEqual(['example in begin', 'HUMAN: 1+1 or ', 'BOT: '])
  })

  test('messages show the answer in generation, and have no examples in perplexity', () => {
    const messages = ['</E>', { role: 'user', content: '{q} {a}' }, { role: 'assistant', content: '{a}' }]
    const infer_cfg = { ice_template: { messages: messages.slice(1) }, prompt_template: { messages } }
    const asked = [
      ['chat', 'user: 1+1 2'],
      ['chat', 'assistant: 2'],
    ]
    expect(show(build({ infer_cfg, compat }, { examples }))).toEqual([['example in chat', 'user: e E', 'assistant: E'], ...asked])
    expect(show(build({ infer_cfg, compat }, { examples, mode: 'ppl' }))).toEqual(asked)
  })
})

test('each section has the row for its default prompts', () => {
  const infer_cfg = { ice_template: { template: { round } }, prompt_template: { template: { begin: '</E>', round }, ice_token: '</E>' } }
  const conversation = build({ infer_cfg }, { examples })
  expect(conversation.kind === 'dialogue' && conversation.sections.map(({ fields }) => fields)).toEqual([
    { row: { q: 'e', a: 'E' }, example: 0 },
    { row: { q: '1+1', a: '2' }, masked: { column: 'a', text: '' } },
  ])
})

test('a whole-prompt string may contain control text, its values never', () => {
  const conversation = build({ infer_cfg: { prompt_template: { template: '<s>{q}' } } }, { row: { q: '<s>' } })
  expect(conversation.kind === 'text' && conversation.content).toEqual([
    { text: '<s>', control: true, source: { by: 'template', path: 'infer_cfg.prompt_template.template', span: [0, 3] } },
    plain('<s>', { by: 'field', path: 'q' }),
  ])
})
