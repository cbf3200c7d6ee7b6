import { describe, expect, test } from 'vitest'
import type { Note } from '../../base/errors/note.ts'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import { control, plain, textOf } from '../../base/text/index.ts'
import { compileTemplate } from './compile-template.ts'
import { isLoose } from './conversation.ts'
import { type Examples, renderExamples } from './examples.ts'
import type { Row } from './row.ts'

const quirks = quirksOf(undefined)

function render(
  config: unknown,
  rows: readonly Row[],
  given: { separator?: string; eos?: string; outputColumn?: string; notes?: Note[] } = {},
) {
  const template = config === undefined ? undefined : compileTemplate(config, 'ice_template', quirks)
  const { eos = '\n' } = given
  return renderExamples(template, rows, {
    outputColumn: 'a',
    separator: '\n',
    eos,
    eosWithoutExamples: eos,
    quirks,
    notes: [],
    ...given,
  })
}

/** The examples in short: their text, or their turns and the text between. */
function show(examples: Examples) {
  if (examples.kind === 'text') return textOf(examples.pieces)
  return examples.parts.map((part) => {
    if ('loose' in part) return textOf(part.loose)
    return part.items.map((item) => (isLoose(item) ? textOf(item.loose) : `${item.role}: ${textOf(item.content ?? [])}`))
  })
}

const rows = [
  { q: '1+1', a: '2' },
  { q: '2+2', a: '4' },
]
const round = [
  { role: 'HUMAN', prompt: '{q}' },
  { role: 'BOT', prompt: '{a}' },
]

describe('examples that are strings', () => {
  test('are joined by the separator and end with the eos; they include their answers', () => {
    expect(show(render({ template: '{q}={a}' }, rows, { separator: ' | ', eos: ' END ' }))).toBe('1+1=2 | 2+2=4 END ')
  })

  test('without separator and eos are only joined', () => {
    expect(show(render({ template: '{q}={a}' }, rows, { separator: '', eos: '' }))).toBe('1+1=22+2=4')
  })

  test('record their row, and the dataset as the origin of separator and eos', () => {
    const examples = render({ template: '{q}' }, rows)
    expect(examples).toEqual({
      kind: 'text',
      pieces: [
        plain('1+1', { by: 'field', path: 'q', example: 0 }),
        control('\n', { by: 'template', path: 'retriever.ice_separator' }),
        plain('2+2', { by: 'field', path: 'q', example: 1 }),
        control('\n', { by: 'template', path: 'retriever.ice_eos_token' }),
      ],
    })
  })

  test('lose the ice token, and keep the separator of context and answer', () => {
    expect(show(render({ template: '</E>{q}</S>{a}', ice_token: '</E>', sep_token: '</S>' }, rows, { eos: '' }))).toBe('1+1</S>2\n2+2</S>4')
  })
})

describe('no examples', () => {
  test('leave the eos of string templates, which ZeroRetriever does not have', () => {
    expect(show(render({ template: '{q}' }, []))).toBe('\n')
    expect(show(render({ template: { 2: 'a', 4: 'b' } }, []))).toBe('\n')
    expect(show(render({ template: '{q}' }, [], { eos: '' }))).toBe('')
    expect(show(render(undefined, [], { eos: '!' }))).toBe('!')
  })

  test('leave nothing of dialogues and messages', () => {
    expect(show(render({ template: { round } }, []))).toBe('')
    expect(show(render({ messages: [{ role: 'user', content: '{q}' }] }, []))).toBe('')
  })
})

describe('examples that are dialogues', () => {
  test('need no separators', () => {
    expect(show(render({ template: { round } }, rows))).toEqual([
      ['HUMAN: 1+1', 'BOT: 2'],
      ['HUMAN: 2+2', 'BOT: 4'],
    ])
  })

  test('use only the round of their template, with a note if there is more', () => {
    const notes: Note[] = []
    expect(show(render({ template: { begin: 'Solve.', round } }, rows.slice(0, 1), { notes }))).toEqual([['HUMAN: 1+1', 'BOT: 2']])
    expect(notes.map(({ code, where }) => [code, where])).toEqual([['example-begin-unused', 'ice_template']])
  })

  test('record their row, which fills the default prompts of a format', () => {
    const examples = render({ template: { round } }, rows)
    expect(examples.kind === 'sections' && examples.parts.map((part) => 'items' in part && part.fields)).toEqual([
      { row: rows[0], example: 0 },
      { row: rows[1], example: 1 },
    ])
  })

  test('that are messages need no separators', () => {
    const messages = [
      { role: 'user', content: '{q}' },
      { role: 'assistant', content: '{a}' },
    ]
    const examples = render({ messages }, rows.slice(0, 1))
    expect(show(examples)).toEqual([['user: 1+1', 'assistant: 2']])
    expect(examples).toMatchObject({ parts: [{ kind: 'example', inside: 'chat' }] })
  })
})

describe('a template for each label', () => {
  test("is chosen by the example's answer, as Python prints it", () => {
    expect(show(render({ template: { 2: '{q} is two', 4: '{q} is four' } }, rows))).toBe('1+1 is two\n2+2 is four\n')
    expect(show(render({ template: { True: 'yes', False: 'no' } }, [{ a: true }], { eos: '' }))).toBe('yes')
  })

  test('that is a dialogue has separators between and after, as in the reference', () => {
    const template = { 2: { round }, 4: { round } }
    expect(show(render({ template }, rows, { separator: '--', eos: '!' }))).toEqual([
      ['HUMAN: 1+1', 'BOT: 2'],
      '--',
      ['HUMAN: 2+2', 'BOT: 4'],
      '--',
      '!',
    ])
  })

  test('may be a dialogue for one label and a string for a later one, but not the other way round', () => {
    expect(show(render({ template: { 2: { round }, 4: '{q}' } }, rows, { separator: '', eos: '' }))).toEqual([
      ['HUMAN: 1+1', 'BOT: 2'],
      '2+2',
      '',
    ])
    expect(() => render({ template: { 2: '{q}', 4: { round } } }, rows)).toThrow(
      expect.objectContaining({ code: 'mixed-examples', where: 'ice_template.template', fix: 'write all labels the same way' }),
    )
  })

  test('must exist for the answer of every example', () => {
    expect(() => render({ template: { 2: 'two', 3: 'three' } }, rows)).toThrow(
      expect.objectContaining({
        code: 'missing-label',
        where: 'ice_template.template',
        problem: 'an example\'s answer is "4", for which there is no template (labels: 2, 3)',
      }),
    )
    expect(() => render({ template: { A: 'a', B: 'b' } }, [{ a: 'constructor' }])).toThrow(
      expect.objectContaining({ code: 'missing-label' }),
    )
  })
})

test('examples need a declared answer column, and every example must have it', () => {
  expect(() => render({ template: '{q}' }, rows, { outputColumn: undefined })).toThrow(
    expect.objectContaining({ code: 'missing-output-column', where: 'reader_cfg.output_column' }),
  )
  expect(() => render({ template: '{q}' }, [rows[0]!, { q: 'x' }])).toThrow(
    expect.objectContaining({ code: 'missing-output-column', where: 'ice_template › example 1', problem: 'the example has no column "a"' }),
  )
})
