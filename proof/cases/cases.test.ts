import { describe, expect, test } from 'vitest'
import { PromptError } from '../../packages/core/src/base/errors/prompt-error.ts'
import { dictEntries } from '../../packages/core/src/base/python/index.ts'
import { bytesOf, type Piece, textOf } from '../../packages/core/src/base/text/index.ts'
import { compileChat } from '../../packages/core/src/prompt/compile/compile-chat.ts'
import { compilePrompt } from '../../packages/core/src/prompt/compile/compile-prompt.ts'
import type { PromptMaker, RenderedPrompt } from '../../packages/core/src/prompt/compile/prompt-maker.ts'
import { type Conversation, isLoose } from '../../packages/core/src/prompt/conversation/conversation.ts'
import { readChat } from '../../packages/core/src/prompt/conversation/read-chat.ts'
import type { Row } from '../../packages/core/src/prompt/conversation/row.ts'
import { bodyOf, sentParts } from '../../packages/core/src/prompt/format/flatten.ts'
import type { ApiMessage, Prompt } from '../../packages/core/src/prompt/format/format.ts'
import { promptText } from '../../packages/core/src/prompt/format/prompt-text.ts'
import { checkConfig } from '../../packages/rolecall/src/evaluation/config/check-config.ts'
import { configSchema, type DatasetConfig } from '../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { opencompassRules } from '../conformance/rules/opencompass.ts'
import { type Case, type ChatCase, type ConfigCase, type PromptCase, readCaseFile, readCases } from './read-cases.ts'

const files = readCases()
const allCases: readonly Case[] = files.flatMap(({ cases }) => cases)
const rendered = allCases.filter((one): one is PromptCase => 'row' in one && !('error' in one.expected))

for (const { file, cases } of files) {
  describe(file, () => {
    for (const one of cases) {
      test(one.name, () => {
        if ('config' in one) checkConfigCase(one)
        else if ('chat' in one) checkChatCase(one)
        else checkPromptCase(one)
      })
    }
  })
}

describe('every rule of OpenCompass has a case', () => {
  for (const [rule, { kind }] of Object.entries(opencompassRules)) {
    // A typo in a document is a vector of cases/deviations.
    if (rule === 'typesetting-slip') continue
    test(kind === 'quirk' ? `${rule}: by default and under compat` : rule, () => {
      const shows = allCases.filter((one): one is PromptCase => one.rule === rule && 'row' in one)
      expect(shows.some(({ dataset }) => dataset.compat === undefined)).toBe(true)
      if (kind === 'quirk') expect(shows.some(({ dataset }) => dataset.compat === 'opencompass')).toBe(true)
    })
  }
})

describe('a configuration whose prompts are rendered', () => {
  test('passes checkConfig', () => {
    const refused = rendered.flatMap((one) => refusal(one, () => checkConfig({ models: [one.model], datasets: [one.dataset] })))
    expect(refused).toEqual([])
  })

  test('passes the published schema, unless it needs compat, or has a mistake that is noted because nothing reads it', () => {
    const strict = rendered.filter(({ dataset, notes = [] }) => dataset.compat === undefined && !notes.includes('unread-mistake'))
    const refused = strict.flatMap((one) => refusal(one, () => configSchema.parse({ models: [one.model], datasets: [one.dataset] })))
    expect(refused).toEqual([])
  })
})

test('what a row says changes no control text', () => {
  const { cases } = files.find(({ file }) => file === 'safety.json')!
  for (const one of cases.filter((one) => 'row' in one)) {
    const harmless = { ...one, row: withHarmlessValues(one.row), examples: one.examples.map(withHarmlessValues) }
    expect({ name: one.name, control: controlTexts(one) }).toEqual({ name: one.name, control: controlTexts(harmless) })
  }
})

describe('what cannot be written in JSON', () => {
  test('a configuration that contains itself is refused with its place', () => {
    const dataset: Record<string, unknown> = { abbr: 'sums', infer_cfg: { prompt_template: { template: '{question}' } } }
    dataset.eval_cfg = { dataset }
    checkError(() => checkConfig({ datasets: [dataset] }), { code: 'circular', where: 'config.datasets[0].eval_cfg.dataset' })
  })

  test('a part that stands in two places is not a circle', () => {
    const reader_cfg = { input_columns: ['question'], output_column: 'answer' }
    const infer_cfg = { prompt_template: { template: '{question}' } }
    const datasets = ['a', 'b'].map((abbr) => ({ abbr, reader_cfg, infer_cfg }))
    expect(checkConfig({ datasets }).datasets.map(({ abbr }) => abbr)).toEqual(['a', 'b'])
  })

  test('a round that contains itself is refused', () => {
    const round: unknown[] = [{ role: 'HUMAN', prompt: '{question}' }]
    round.push(round)
    const where = 'infer_cfg.prompt_template.template.round[1]'
    checkError(() => compileTemplate({ round }), { code: 'wrong-type', where })
  })

  test('a label that contains itself is refused', () => {
    const labels: Record<string, unknown> = { yes: '{question} Yes' }
    labels.no = labels
    checkError(() => compileTemplate(labels), { code: 'wrong-type', where: 'infer_cfg.prompt_template.template.no' })
  })

  test('a key that is there but undefined is not there', () => {
    const maker = compileTemplate({ begin: undefined, round: [{ role: 'HUMAN', fallback_role: undefined, prompt: '{question}' }] })
    expect(promptText(maker.render({ row: { question: '1+1=?' }, mode: 'gen' }).prompt)).toBe('1+1=?')
  })

  test('a function, a date or NaN is not a prompt and no token id', () => {
    const where = 'infer_cfg.prompt_template.template.round[0]'
    checkError(() => compileTemplate({ round: [{ role: 'HUMAN', prompt: () => 'x' }] }), { code: 'wrong-type', where: `${where}.prompt` })
    checkError(() => compileTemplate({ round: [{ role: 'HUMAN', prompt: new Date(0) }] }), { code: 'wrong-type', where: `${where}.prompt` })
    checkError(() => compileTemplate({ round: [{ role: 'HUMAN', begin: [Number.NaN] }] }), {
      code: 'wrong-type',
      where: `${where}.begin[0]`,
    })
  })

  test('a row may be a Map, whose columns keep their order', () => {
    const row = new Map([
      ['2', 'two'],
      ['1', 'one'],
    ])
    expect(promptText(compileTemplate('{1} {2}').render({ row, mode: 'gen' }).prompt)).toBe('one two')
  })
})

describe('a broken file of cases fails loudly', () => {
  const sound = { name: 'a', origin: 'b', model: {}, dataset: { infer_cfg: {} }, row: {}, mode: 'gen', expected: { text: '' } }
  const broken = {
    'a misspelt key': [{ ...sound, expcted: 1 }],
    'an expectation of no known kind': [{ ...sound, expected: { txt: '' } }],
    'a rule that does not exist': [{ ...sound, rule: 'no-such-rule' }],
    'a row that is a list': [{ ...sound, row: [] }],
    'two cases of the same name': [sound, sound],
    'no cases': [],
  }
  for (const [name, cases] of Object.entries(broken)) {
    test(name, () => expect(() => readCaseFile('x.json', JSON.stringify({ origin: 'o', cases }))).toThrow('x.json is not a file of cases'))
  }
})

function checkConfigCase({ config, expected }: ConfigCase): void {
  if ('error' in expected) {
    checkError(() => checkConfig(config), expected.error)
    return
  }
  const { warnings, unused } = checkConfig(config)
  expect({ warnings: warnings.map((warning) => `${warning.code} ${warning.where}`), unused: unused.map(({ where }) => where) }).toEqual(
    expected,
  )
}

function checkPromptCase(one: PromptCase): void {
  checkRendered(one, () => render(one))
}

function checkChatCase(one: ChatCase): void {
  const { chat, model, want } = one
  const before = structuredClone(chat)
  const maker = compileChat(model)
  checkRendered(one, () => ({ conversation: readChat(chat), prompt: maker.render(chat, { want }) }))
  expect(chat).toEqual(before)
  if (!('error' in one.expected)) expect(maker.prepare({ want }).text(chat)).toBe(bodyOf(maker.render(chat, { want })))
}

function checkRendered({ expected, notes = [], stop, answer }: PromptCase | ChatCase, make: () => RenderedPrompt): void {
  if ('error' in expected) {
    checkError(make, expected.error)
    return
  }
  const result = make()
  const { prompt } = result
  expect(shown(result, expected)).toEqual(expected)
  expect(prompt.notes.map((note) => note.code)).toEqual(expect.arrayContaining(notes))
  if (stop) expect(prompt.stop.map(({ source: _, ...what }) => what)).toEqual(stop)
  if (answer !== undefined) expect(answerText(prompt)).toBe(answer)
  checkPieces(prompt, expected)
}

function compileTemplate(template: unknown): PromptMaker {
  return compilePrompt({}, { infer_cfg: { prompt_template: { template } } } as DatasetConfig)
}

function render({ model, dataset, row, examples, mode, label, keepSeparator }: PromptCase): RenderedPrompt {
  return compilePrompt(model, dataset).render({
    row,
    examples,
    mode,
    ...(label === undefined ? {} : { label }),
    ...(keepSeparator === undefined ? {} : { keepSeparator }),
  })
}

/** What came out, in the shape in which the case says what should. */
function shown({ conversation, prompt }: RenderedPrompt, expected: object): unknown {
  if ('turns' in expected) return { turns: turnsOf(conversation) }
  if (prompt.kind === 'chat') return { messages: prompt.messages.map(messageOf) }
  return 'pieces' in expected ? { pieces: textAndIds(prompt.pieces) } : { text: promptText(prompt) }
}

function turnsOf(conversation: Conversation): unknown {
  if (conversation.kind === 'text') return textOf(conversation.content)
  const items = conversation.sections.flatMap((section) => section.items)
  return items.map((item) => {
    if (isLoose(item)) return textOf(item.loose)
    const fallback = item.fallbackRole === undefined ? {} : { fallback_role: item.fallbackRole }
    return { role: item.role, ...fallback, prompt: textOf(item.content ?? []) }
  })
}

function messageOf({ role, content, name, parts }: ApiMessage): unknown {
  return { role, content: parts ? sentParts(content, parts) : textOf(content), ...(name === undefined ? {} : { name }) }
}

/** Neighbouring texts are one string, neighbouring ids one list. */
function textAndIds(pieces: readonly Piece[]): (string | number[])[] {
  const joined: (string | number[])[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if ('ids' in piece) {
      if (Array.isArray(last)) last.push(...piece.ids)
      else joined.push([...piece.ids])
    } else if (typeof last === 'string') joined[joined.length - 1] = last + textOf([piece])
    else if (textOf([piece]) !== '') joined.push(textOf([piece]))
  }
  return joined
}

function answerText(prompt: Prompt): string | undefined {
  if (!prompt.answer) return undefined
  const { start, end } = prompt.answer
  if (prompt.kind === 'completion') return textOf(prompt.pieces.slice(start, end))
  return prompt.messages
    .slice(start, end)
    .map(({ content }) => textOf(content))
    .join('\n')
}

/** Whoever wrote them, the pieces are the prompt; and nothing that a row says can be a special token. */
function checkPieces(prompt: Prompt, expected: object): void {
  const pieces = piecesOf(prompt)
  const joined = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  if ('text' in expected) expect(joined).toBe(expected.text)
  if (prompt.kind === 'completion') expect(promptText(prompt)).toBe(joined)
  expect(Buffer.from(bytesOf(pieces)).equals(Buffer.from(joined))).toBe(true)
  expect(pieces.filter((piece) => isFromData(piece.source.by) && 'control' in piece && piece.control)).toEqual([])
}

function isFromData(by: Piece['source']['by']): boolean {
  return by === 'field' || by === 'message' || by === 'tool'
}

function piecesOf(prompt: Prompt): Piece[] {
  return prompt.kind === 'completion' ? [...prompt.pieces] : prompt.messages.flatMap(({ content }) => content)
}

function checkError(
  attempt: () => unknown,
  { code, where, suggests }: { code: string; where: string; suggests?: string | undefined },
): void {
  const error = thrownBy(attempt)
  if (!(error instanceof PromptError)) throw error ?? new Error(`expected the error "${code}", but nothing was thrown`)
  expect({ code: error.code, where: error.where }).toEqual({ code, where })
  if (suggests !== undefined) expect(error.fix).toContain(suggests)
}

function thrownBy(attempt: () => unknown): unknown {
  try {
    attempt()
  } catch (error) {
    return error
  }
  return undefined
}

function refusal({ name }: Case, attempt: () => unknown): string[] {
  const error = thrownBy(attempt)
  return error === undefined ? [] : [`${name}: ${String(error)}`]
}

function controlTexts(one: PromptCase): string[] {
  return piecesOf(render(one).prompt).flatMap((piece) => ('text' in piece && piece.control ? [piece.text] : []))
}

function withHarmlessValues(row: Row): Row {
  return new Map(dictEntries(row).map(([column, value]) => [column, typeof value === 'string' ? 'x' : value]))
}
