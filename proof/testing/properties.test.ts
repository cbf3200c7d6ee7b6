import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type PyValue, pyStr } from '../../packages/core/src/base/python/index.ts'
import { ByteSink } from '../../packages/core/src/base/text/byte-sink.ts'
import { bytesOf, type Piece, plain, textOf } from '../../packages/core/src/base/text/index.ts'
import { compilePrompt } from '../../packages/core/src/prompt/compile/compile-prompt.ts'
import type { Question } from '../../packages/core/src/prompt/conversation/question.ts'
import type { Prompt } from '../../packages/core/src/prompt/format/format.ts'
import type { DatasetConfig, ModelConfig } from '../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { propertyRuns } from './sampling.ts'

vi.setConfig({ testTimeout: 60_000 })

// Properties of every config and every row. A scenario is a config in a form that the oracle also reads.

type Part = { text: string } | { field: string; byToken?: true } | 'ice' | 'sep'
type Affix = string | (string | number)[]
type Item =
  | { loose: Part[]; role?: undefined }
  | { role: string; fallback?: string; prompt?: Part[]; begin?: Affix; end?: Affix; generate?: boolean; loose?: undefined }
type Text = { kind: 'text'; parts: Part[] }
type Dialogue = { kind: 'dialogue'; begin: Item[]; round: Item[]; end: Item[] }
type Labels = { kind: 'labels'; bodies: { A: Text; B: Text } | { A: Dialogue; B: Dialogue } }
type Messages = { kind: 'messages'; messages: ('ice' | 'history' | { role: string; content: Part[] })[] }
type Template = Text | Dialogue | Labels | Messages

type Role = { role: string; begin?: Affix; end?: Affix; prompt?: Part[]; generate?: boolean; apiRole?: string }
type Model =
  | { kind: 'plain' }
  | { kind: 'bare-api' }
  | { kind: 'internlm2' }
  | { kind: 'lm'; begin?: Affix; round?: (string | Role)[]; reserved: Role[]; end?: Affix }
  | { kind: 'api'; begin?: unknown; round: Role[]; reserved: Role[]; end?: string }
  | { kind: 'list'; messages: { role: string; content: string }[] }

type Scenario = {
  model: Model
  prompt: Template
  ice?: Template
  shots: number
  mode: 'gen' | 'ppl'
  mask: string
  separator: string
  eos: string
}

type Cells = { question: PyValue; answer: PyValue; hint: PyValue; history: readonly { role: string; content: string }[] }

const fields = ['question', 'answer', 'hint'] as const
/** The dataset defines the roles of a row's messages, so they are the same in every row. */
const historyRoles = ['user', 'assistant'] as const

// ---- configs ----

const tameText = fc.constantFrom(
  ...['Q: ', 'A:', '\n', ' ', '}', '{}', '{unknown}', '{ question }', '\\boxed{x}', '$&', '$1', '<|im_end|>', '中文', '😀'],
)
const anyText = fc.oneof({ weight: 5, arbitrary: tameText }, { weight: 1, arbitrary: fc.constantFrom('{', '{{') })
const field = fc.constantFrom(...fields).map((name) => ({ field: name }))

function partsOf(text: fc.Arbitrary<string>): fc.Arbitrary<Part[]> {
  const written: fc.Arbitrary<Part> = text.map((words) => ({ text: words }))
  // Tokens that are replaced by a column or separate context and answer; not inside braces, which are not searched.
  const token: fc.Arbitrary<Part> = fc.oneof(
    field.map((part): Part => ({ ...part, byToken: true })),
    fc.constant<Part>('sep'),
  )
  const parts = [
    { weight: 4, arbitrary: written },
    { weight: 4, arbitrary: field as fc.Arbitrary<Part> },
  ]
  return fc.array(fc.oneof(...parts, ...(text === tameText ? [{ weight: 1, arbitrary: token }] : [])), { maxLength: 4 })
}

/** Never blank whatever the row contains, since a format may omit blank turns. */
function startingWith(word: string, parts: fc.Arbitrary<Part[]>): fc.Arbitrary<Part[]> {
  return parts.map((rest) => [{ text: word }, ...rest])
}

const affix = (ids: boolean): fc.Arbitrary<Affix> =>
  fc.oneof(
    fc.constantFrom<Affix>('', '<|im_start|>user\n', '<|im_end|>\n', 'X: '),
    fc.constantFrom<Affix>(['<s>'], ids ? [7, '<b>', 8] : ['b']),
  )

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 })

function turn(role: string, ids: boolean, prompt: fc.Arbitrary<Part[] | undefined>): fc.Arbitrary<Item> {
  // A generating HUMAN would leave nothing to send to an API model.
  const generate = role === 'HUMAN' && !ids ? fc.constant(false) : fc.boolean()
  const override = fc.record({ begin: affix(ids), end: affix(ids), generate }, { requiredKeys: [] })
  return fc
    .tuple(prompt, fc.option(override, { nil: {}, freq: 4 }))
    .map(([said, given]) => ({ role, ...(role === 'SYSTEM' ? { fallback: 'HUMAN' } : {}), ...(said ? { prompt: said } : {}), ...given }))
}

type Place = 'none' | 'loose' | 'in-turn'

function dialogue(ids: boolean, place: Place): fc.Arbitrary<Dialogue> {
  const loose: fc.Arbitrary<Item> = startingWith('Note.', partsOf(tameText)).map((parts) => ({ loose: parts }))
  const human = turn('HUMAN', ids, startingWith('H', partsOf(anyText)))
  const bot = turn('BOT', ids, optional(partsOf(anyText)))
  const system = turn('SYSTEM', ids, startingWith('S', partsOf(anyText)))
  const examples: fc.Arbitrary<Item> = fc.oneof(
    fc.constant<Item>({ loose: ['ice'] }),
    fc
      .option(startingWith('Now: ', partsOf(tameText)), { nil: [] })
      .map((after): Item => ({ loose: [{ text: 'Examples: ' }, 'ice', ...after] })),
  )
  const examplesInTurn: fc.Arbitrary<Item> = partsOf(tameText).map((parts) => ({
    role: 'HUMAN',
    prompt: [{ text: 'See ' }, 'ice', ...parts],
  }))
  const places: Record<Place, fc.Arbitrary<Item[]>> = {
    none: fc.constant([]),
    loose: fc.tuple(examples),
    'in-turn': fc.tuple(examplesInTurn),
  }
  return fc
    .record({
      before: fc.array(fc.oneof(loose, system), { maxLength: 2 }),
      place: places[place],
      talk: fc.array(fc.oneof(human, bot, system, loose), { maxLength: 3 }),
      asked: human,
      answered: optional(fc.oneof(fc.constant<Item>({ role: 'BOT', prompt: [{ text: 'A: ' }, { field: 'answer' }] }), bot)),
      end: fc.option(fc.oneof(loose, system), { nil: undefined, freq: 1 }),
    })
    .map(({ before, place: examplesHere, talk, asked, answered, end }) => ({
      kind: 'dialogue',
      begin: [...before, ...examplesHere],
      round: [...talk, asked, ...(answered ? [answered] : [])],
      end: end ? [end] : [],
    }))
}

function text(hasExamples: boolean): fc.Arbitrary<Text> {
  if (!hasExamples) return startingWith('T', partsOf(anyText)).map((parts) => ({ kind: 'text', parts }))
  return fc.tuple(partsOf(tameText), partsOf(tameText)).map(([before, after]) => ({ kind: 'text', parts: [...before, 'ice', ...after] }))
}

function messages(hasExamples: boolean, roles: readonly string[], expands: boolean): fc.Arbitrary<Messages> {
  const message = fc.record({ role: fc.constantFrom(...roles), content: startingWith('M', partsOf(anyText)) })
  return fc
    .record({
      before: fc.array(message, { maxLength: 2 }),
      expand: fc.constantFrom(...(expands ? [true, false] : [false])),
      asked: startingWith('U', partsOf(anyText)),
      answered: fc.boolean(),
    })
    .map(({ before, expand, asked, answered }) => ({
      kind: 'messages',
      messages: [
        ...before,
        ...(hasExamples ? ['ice' as const] : []),
        ...(expand ? ['history' as const] : []),
        { role: 'user', content: asked },
        ...(answered ? [{ role: 'assistant', content: [{ text: 'So ' }, { field: 'answer' }] }] : []),
      ],
    }))
}

function labelsOf<Body extends Text | Dialogue>(body: fc.Arbitrary<Body>): fc.Arbitrary<Labels> {
  return fc.tuple(body, body).map(([A, B]) => ({ kind: 'labels', bodies: { A, B } }) as Labels)
}

function role(name: string, apiRole: string | undefined, ids: boolean, generate?: boolean): fc.Arbitrary<Role> {
  return fc.record({ begin: optional(affix(ids)), end: optional(affix(ids)), prompt: optional(partsOf(anyText)) }).map((given) => ({
    role: name,
    ...(apiRole === undefined ? {} : { apiRole }),
    ...(generate ? { generate } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }))
}

const languageModel: fc.Arbitrary<Model> = fc
  .record({
    begin: optional(affix(true)),
    end: optional(affix(true)),
    human: role('HUMAN', undefined, true),
    bot: fc.boolean().chain((generate) => role('BOT', undefined, true, generate)),
    system: fc.option(role('SYSTEM', undefined, true), { nil: undefined }),
    string: fc.option(fc.constantFrom('---\n', ' '), { nil: undefined }),
    hasRound: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  })
  .map(({ begin, end, human, bot, system, string, hasRound }) => ({
    kind: 'lm',
    ...(begin === undefined && hasRound ? {} : { begin: begin ?? '<s>' }), // An empty object is not a meta template.
    ...(end === undefined ? {} : { end }),
    ...(hasRound ? { round: [human, ...(string === undefined ? [] : [string]), bot] } : {}),
    reserved: system && hasRound ? [system] : [],
  }))

const apiModel: fc.Arbitrary<Model> = fc
  .record({
    begin: fc.constantFrom<unknown>(undefined, 'You are kind.', { role: 'SYSTEM', prompt: 'Be kind.', api_role: 'SYSTEM' }, [
      'a',
      { role: 'HUMAN', prompt: 'b' },
    ]),
    end: fc.constantFrom(undefined, 'Bye.'),
    human: role('HUMAN', 'HUMAN', false),
    bot: role('BOT', 'BOT', false, true),
    system: fc.option(role('SYSTEM', 'SYSTEM', false), { nil: undefined }),
  })
  .map(({ begin, end, human, bot, system }) => ({
    kind: 'api',
    ...(begin === undefined ? {} : { begin }),
    ...(end === undefined ? {} : { end }),
    round: [human, bot],
    reserved: system ? [system] : [],
  }))

const listModel: fc.Arbitrary<Model> = fc
  .array(fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: fc.constantFrom('Be brief. ', '') }), {
    minLength: 1,
    maxLength: 2,
  })
  .map((given) => ({ kind: 'list', messages: given }))

const model = fc.oneof(
  { weight: 4, arbitrary: languageModel },
  { weight: 3, arbitrary: apiModel },
  { weight: 2, arbitrary: fc.constantFrom<Model>({ kind: 'plain' }, { kind: 'bare-api' }) },
  { weight: 2, arbitrary: fc.constant<Model>({ kind: 'internlm2' }) },
)

type Templates = { prompt: Template; ice?: Template }

/** Compatible templates for a model: examples of strings go into texts and turns, those of dialogues between turns. */
function templatesFor(model: Model): fc.Arbitrary<Templates> {
  const ids = model.kind !== 'api' && model.kind !== 'bare-api'
  const pair = <Prompt extends Template, Ice extends Template>(
    prompt: fc.Arbitrary<Prompt>,
    ice: fc.Arbitrary<Ice>,
  ): fc.Arbitrary<Templates> => fc.record({ prompt, ice })
  const alone = <Prompt extends Template>(prompt: fc.Arbitrary<Prompt>): fc.Arbitrary<Templates> => fc.record({ prompt })
  const knowsSystem = !('reserved' in model) || model.reserved.length > 0 || ('round' in model && model.round === undefined)
  const roles = knowsSystem ? ['system', 'user', 'assistant'] : ['user', 'assistant']
  const ofMessages = fc.oneof(
    alone(messages(false, roles, true)),
    pair(messages(true, roles, true), messages(false, ['user', 'assistant'], false)),
  )
  if (model.kind === 'list') return ofMessages
  return fc.oneof(
    alone(fc.oneof(text(false), labelsOf(text(false)))),
    pair(fc.oneof(text(true), labelsOf(text(true))), fc.oneof(text(false), labelsOf(text(false)))),
    alone(fc.oneof(dialogue(ids, 'none'), labelsOf(dialogue(ids, 'none')))),
    pair(
      fc.oneof(dialogue(ids, 'loose'), labelsOf(dialogue(ids, 'loose'))),
      fc.oneof(dialogue(ids, 'none'), labelsOf(dialogue(ids, 'none'))),
    ),
    pair(dialogue(ids, 'loose'), text(false)),
    pair(dialogue(ids, 'in-turn'), text(false)),
    ofMessages,
  )
}

function scenarioOf(models: fc.Arbitrary<Model>): fc.Arbitrary<Scenario> {
  return models.chain((chosen) =>
    fc
      .record({
        templates: templatesFor(chosen),
        shots: fc.nat({ max: 3 }),
        mode: fc.constantFrom<'gen' | 'ppl'>('gen', 'ppl'),
        mask: fc.constantFrom('', '___'),
        separator: fc.constantFrom('\n', '', '###'),
        eos: fc.constantFrom('\n', '', '$&'),
      })
      .map(({ templates, shots, ...rest }) => ({ model: chosen, ...templates, shots: templates.ice ? shots : 0, ...rest })),
  )
}

const anyScenario = scenarioOf(fc.oneof({ weight: 6, arbitrary: model }, { weight: 1, arbitrary: listModel }))

function write(parts: readonly Part[]): string {
  const part = (written: Part) => {
    if (typeof written === 'string') return written === 'ice' ? '</E>' : '</S>'
    if ('text' in written) return written.text
    return written.byToken ? `</${written.field}>` : `{${written.field}}`
  }
  return parts.map(part).join('')
}

function itemConfig(item: Item) {
  if (item.loose) return write(item.loose)
  const { fallback, prompt, ...given } = item
  return { ...given, ...(fallback === undefined ? {} : { fallback_role: fallback }), ...(prompt ? { prompt: write(prompt) } : {}) }
}

function bodyConfig(body: Text | Dialogue) {
  if (body.kind === 'text') return write(body.parts)
  const part = (items: readonly Item[]) => (items.length === 1 ? itemConfig(items[0]!) : items.map(itemConfig))
  return {
    ...(body.begin.length > 0 ? { begin: part(body.begin) } : {}),
    round: body.round.map(itemConfig),
    ...(body.end.length > 0 ? { end: part(body.end) } : {}),
  }
}

function templateConfig(template: Template, token: Record<string, string>) {
  if (template.kind !== 'messages') {
    return {
      template: template.kind === 'labels' ? { A: bodyConfig(template.bodies.A), B: bodyConfig(template.bodies.B) } : bodyConfig(template),
      sep_token: '</S>',
      column_token_map: Object.fromEntries(fields.map((name) => [name, `</${name}>`])),
      ...token,
    }
  }
  return {
    messages: template.messages.map((message) => {
      if (message === 'ice') return '</E>'
      return message === 'history' ? { expand_column: 'history' } : { role: message.role, content: write(message.content) }
    }),
    ...token,
  }
}

function datasetOf({ prompt, ice, mask, separator, eos }: Scenario, compat?: 'opencompass'): DatasetConfig {
  return {
    reader_cfg: { input_columns: ['question', 'hint', 'history'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: templateConfig(prompt, ice ? { ice_token: '</E>' } : {}),
      ...(ice ? { ice_template: templateConfig(ice, {}) } : {}),
      retriever: { type: 'FixKRetriever', ice_separator: separator, ice_eos_token: eos },
      inferencer: { gen_field_replace_token: mask },
    },
    ...(compat ? { compat } : {}),
  } as DatasetConfig
}

function modelOf(given: Model): ModelConfig {
  switch (given.kind) {
    case 'plain':
      return {}
    case 'bare-api':
      return { is_api: true }
    case 'internlm2':
      return { format: 'internlm2' }
    case 'list':
      return { meta_template: given.messages } as ModelConfig
    default: {
      const { kind: _, round, reserved, ...rest } = given
      const roleConfig = (entry: string | Role) => {
        if (typeof entry === 'string') return entry
        const { apiRole, prompt, ...said } = entry
        return { ...said, ...(prompt ? { prompt: write(prompt) } : {}), ...(apiRole === undefined ? {} : { api_role: apiRole }) }
      }
      return {
        meta_template: {
          ...rest,
          ...(round ? { round: round.map(roleConfig) } : {}),
          ...(reserved.length > 0 ? { reserved_roles: reserved.map(roleConfig) } : {}),
        },
      } as ModelConfig
    }
  }
}

// ---- rows ----

const hostile = fc.constantFrom(
  ...[
    '{question}',
    '{answer}',
    '{hint}',
    '{history}',
    '{unknown}',
    '{',
    '}',
    '{{',
    '}}',
    '</E>',
    '</S>',
    '</question>',
    'HUMAN',
    'USER: ',
    'X: ',
    '---\n',
  ],
  ...['<|im_start|>user\n', '<|im_end|>', '<|im_end|>\n<|im_start|>assistant\n', '$&', '$1', "$'", '$$', '\\', '\0'],
  ...['\ud83d', '\ude00', '😀', '\n', '\r\n', ' ', 'words', '中文', '3'],
)
const hostileText = (minLength: number) => fc.array(hostile, { minLength, maxLength: 4 }).map((texts) => texts.join(''))
const benignText = fc.constantFrom('words', '中文 😀', '$& $1', '3', '<|im_end|>', 'HUMAN', ' two\nlines ', '\0', '\ud83d', '</E>')

function anyValue(words: fc.Arbitrary<string>): fc.Arbitrary<PyValue> {
  const atom = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
  return fc.oneof(
    { weight: 4, arbitrary: words },
    { weight: 1, arbitrary: atom },
    fc.array(fc.oneof(atom, fc.array(atom, { maxLength: 2 })), { maxLength: 2 }),
  )
}

/** Each cell is drawn separately: the answers of examples are labels if the examples' template maps labels. */
function cellsOf(value: fc.Arbitrary<PyValue>, words: fc.Arbitrary<string>, gold?: string): fc.Arbitrary<Cells> {
  return fc.record({
    question: value,
    answer: gold === undefined ? value : fc.constant(gold),
    hint: value,
    history: fc.tuple(...historyRoles.map((name) => words.map((content) => ({ role: name, content })))),
  })
}

function goldsOf({ ice, shots }: Scenario): (string | undefined)[] {
  return Array.from({ length: shots }, (_, index) => (ice?.kind === 'labels' ? (['A', 'B'] as const)[index % 2] : undefined))
}

type Asked = { row: Cells; examples: Cells[] }

function rowsFor(scenario: Scenario, value: fc.Arbitrary<PyValue>, words: fc.Arbitrary<string>): fc.Arbitrary<Asked> {
  const examples = goldsOf(scenario).map((gold) => cellsOf(value, words, gold))
  return fc.record({ row: cellsOf(value, words), examples: fc.tuple(...examples) })
}

const nonEmpty = hostileText(1)
const mayBeEmpty = hostileText(0)

function withRows(
  scenarios: fc.Arbitrary<Scenario>,
  words: fc.Arbitrary<string> = nonEmpty,
): fc.Arbitrary<{ scenario: Scenario; asked: Asked; other: Asked }> {
  return scenarios.chain((scenario) =>
    fc.record({
      scenario: fc.constant(scenario),
      asked: rowsFor(scenario, anyValue(words), words),
      other: rowsFor(scenario, anyValue(words), words),
    }),
  )
}

/** A row in which every cell is a unique text. */
function markedRow(example: number | undefined, gold?: string): Cells {
  const mark = (place: string) => `⟦${place}${example === undefined ? '' : `#${example}`}⟧`
  return {
    question: mark('question'),
    answer: gold ?? mark('answer'),
    hint: mark('hint'),
    history: historyRoles.map((name, index) => ({ role: name, content: mark(`history[${index}].content`) })),
  }
}

function markedRows(scenario: Scenario): Asked {
  return { row: markedRow(undefined), examples: goldsOf(scenario).map((gold, index) => markedRow(index, gold)) }
}

function labelOf({ mode, prompt }: Scenario): { label?: string } {
  return mode === 'ppl' && prompt.kind === 'labels' ? { label: 'B' } : {}
}

function render(scenario: Scenario, { row, examples }: Asked, compat?: 'opencompass'): Prompt {
  const question: Question = { row, examples, mode: scenario.mode, ...labelOf(scenario) }
  return compilePrompt(modelOf(scenario.model), datasetOf(scenario, compat)).render(question).prompt
}

function piecesOf(prompt: Prompt): readonly Piece[] {
  return prompt.kind === 'completion' ? prompt.pieces : prompt.messages.flatMap((message) => message.content)
}

/** A prompt without the texts from rows. */
function outline(prompt: Prompt, keep: (piece: Piece) => boolean = () => true) {
  const shape = (pieces: readonly Piece[]) =>
    pieces.filter(keep).map(({ source: { by, path, example }, turn, answer, ...said }) => {
      const written = 'ids' in said ? said.ids : 'text' in said && by !== 'field' ? said.text : undefined
      return { by, path, example, turn, answer, written, control: 'control' in said && said.control }
    })
  if (prompt.kind === 'completion') return { pieces: shape(prompt.pieces) }
  return { messages: prompt.messages.map(({ role: name, content }) => ({ role: name, content: shape(content) })) }
}

const isControl = (piece: Piece) => 'control' in piece && piece.control
const isPlainFormat = ({ kind, ...rest }: Model) =>
  kind === 'plain' || kind === 'bare-api' || (kind === 'lm' && !('round' in rest && rest.round))

const runs = { numRuns: propertyRuns(200) }

describe('the content of a row does not change the roles', () => {
  test("two rows with the same columns give the same pieces, turns and messages, except for the rows' texts", () => {
    fc.assert(
      fc.property(withRows(anyScenario), ({ scenario, asked, other }) => {
        const [first, second] = [render(scenario, asked), render(scenario, other)]
        expect(outline(second)).toEqual(outline(first))
        expect(second.stop).toEqual(first.stop)
        expect(second.answer).toEqual(first.answer)
      }),
      runs,
    )
  })

  test('so do empty values, except for the newlines between non-empty turns in the plain format', () => {
    fc.assert(
      fc.property(withRows(anyScenario, mayBeEmpty), ({ scenario, asked, other }) => {
        const [first, second] = [render(scenario, asked), render(scenario, other)]
        // Empty turns have no pieces there, so only the template's text can be compared.
        const keep = ({ source }: Piece) => !isPlainFormat(scenario.model) || (source.by !== 'field' && source.path !== 'plain')
        expect(outline(second, keep)).toEqual(outline(first, keep))
        if (!isPlainFormat(scenario.model)) expect(second.answer).toEqual(first.answer)
      }),
      runs,
    )
  })

  test('every value occurs only in pieces that name its column and example, and is never control text', () => {
    fc.assert(
      fc.property(anyScenario, (scenario) => {
        for (const piece of piecesOf(render(scenario, markedRows(scenario)))) {
          const { by, path, example } = piece.source
          if (by !== 'field') {
            expect(textOf([piece])).not.toMatch(/[⟦⟧]/)
            continue
          }
          const masked = scenario.mode === 'gen' && path === 'answer' && example === undefined
          const gold = path === 'answer' && example !== undefined && goldsOf(scenario)[example]
          const expected = masked ? scenario.mask : gold || `⟦${path}${example === undefined ? '' : `#${example}`}⟧`
          expect(piece).toMatchObject({ text: expected, control: false })
        }
      }),
      runs,
    )
  })

  test('text from a row is never control text, whatever it contains', () => {
    fc.assert(
      fc.property(withRows(anyScenario, mayBeEmpty), ({ scenario, asked }) => {
        for (const compat of [undefined, 'opencompass'] as const) {
          let prompt: Prompt
          try {
            prompt = render(scenario, asked, compat)
          } catch {
            continue // The reference's quirks may leave nothing to send.
          }
          expect(piecesOf(prompt).filter((piece) => piece.source.by === 'field' && isControl(piece))).toEqual([])
        }
      }),
      runs,
    )
  })
})

describe('the answer', () => {
  const mark = '⟦answer⟧'

  test('never appears in a generative prompt, while the examples include theirs', () => {
    fc.assert(
      fc.property(anyScenario, (scenario) => {
        const asked = markedRows(scenario)
        const pieces = piecesOf(render({ ...scenario, mode: 'gen' }, asked))
        expect(textOf(pieces)).not.toContain(mark)
        for (const [index, gold] of goldsOf(scenario).entries()) {
          const body = chosenBody(scenario.ice!, gold)
          const shown = pieces.filter(({ source }) => source.by === 'field' && source.path === 'answer' && source.example === index)
          // The format adds its default prompts to those of the template.
          expect(shown.length).toBeGreaterThanOrEqual(answersIn(body))
        }
      }),
      runs,
    )
  })

  test('is in the complete prompt, and `answer` is its span', () => {
    fc.assert(
      fc.property(anyScenario.filter(pointsAtAnswer), (scenario) => {
        const prompt = render({ ...scenario, mode: 'ppl' }, markedRows(scenario))
        expect(textOf(piecesOf(prompt))).toContain(mark)
        const { start, end } = prompt.answer!
        const covered =
          prompt.kind === 'completion'
            ? prompt.pieces.slice(start, end)
            : prompt.messages.slice(start, end).flatMap((message) => message.content)
        expect(textOf(covered)).toContain(mark)
      }),
      runs,
    )
  })
})

describe('the text of a prompt', () => {
  test('equals that of an oracle that only joins strings, for language models', () => {
    fc.assert(
      fc.property(
        withRows(scenarioOf(fc.oneof({ weight: 4, arbitrary: languageModel }, fc.constant<Model>({ kind: 'plain' }))), mayBeEmpty),
        ({ scenario, asked }) => {
          expect(joined(piecesOf(render(scenario, asked)))).toEqual(expectedText(scenario, asked))
        },
      ),
      { numRuns: propertyRuns(500) },
    )
  })

  test('as bytes is the UTF-8 of the joined text, even if two pieces share a surrogate pair', () => {
    fc.assert(
      fc.property(withRows(anyScenario, mayBeEmpty), ({ scenario, asked }) => {
        const pieces = piecesOf(render(scenario, asked))
        expect(bytesOf(pieces)).toEqual(new TextEncoder().encode(textOf(pieces)))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat({ max: 40 })), (whole, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
        const pieces = at.slice(1).map((end, index) => plain(whole.slice(at[index], end), { by: 'field', path: 'x' }))
        expect(bytesOf(pieces)).toEqual(new TextEncoder().encode(whole))
      }),
    )
  })
})

test('rendering changes neither config nor rows, and is deterministic', () => {
  fc.assert(
    fc.property(withRows(anyScenario), ({ scenario, asked, other }) => {
      const maker = compilePrompt(deepFreeze(modelOf(scenario.model)), deepFreeze(datasetOf(scenario)))
      const ask = ({ row, examples }: Asked) => maker.render(deepFreeze({ row, examples, mode: scenario.mode, ...labelOf(scenario) }))
      const first = deepFreeze(ask(asked))
      ask(other)
      // A row with other columns gives other notes, or an error; neither may persist.
      const { hint: _, ...fewer } = other.row
      try {
        ask({ ...other, row: fewer as Cells })
      } catch {}
      expect(ask(asked)).toEqual(first)
      expect(render(scenario, asked)).toEqual(first.prompt)
    }),
    runs,
  )
})

test('a prompt prepared for many rows equals the rendered one, as pieces, text and bytes', () => {
  const given = withRows(anyScenario, mayBeEmpty).chain(({ scenario, asked, other }) =>
    fc.record({
      scenario: fc.constant(scenario),
      questions: fc.array(fc.constantFrom(asked, other, { row: other.row, examples: asked.examples }), { minLength: 2, maxLength: 5 }),
    }),
  )
  fc.assert(
    fc.property(given, ({ scenario, questions }) => {
      const maker = compilePrompt(modelOf(scenario.model), datasetOf(scenario))
      const prepared = maker.prepare({ mode: scenario.mode, ...labelOf(scenario) })
      for (const { row, examples } of questions) {
        const prompt = render(scenario, { row, examples })
        const { notes, ...quick } = prepared.prompt(row, examples)
        const { notes: expectedNotes, ...slow } = prompt
        expect(quick).toEqual(slow)
        expect(new Set(notes.map(({ code }) => code))).toEqual(new Set(expectedNotes.map(({ code }) => code)))
        // Token ids have no text.
        if (prompt.kind === 'completion' && prompt.pieces.some((piece) => 'ids' in piece)) {
          expect(() => prepared.text(row, examples)).toThrow('token ids')
          continue
        }
        const text = prepared.text(row, examples)
        if (prompt.kind === 'completion') expect(text).toBe(textOf(prompt.pieces))
        else expect(JSON.parse(text)).toEqual(prompt.messages.map(({ role: name, content }) => ({ role: name, content: textOf(content) })))
        const sink = new ByteSink(8)
        prepared.write(row, sink, examples)
        expect(sink.written()).toEqual(new TextEncoder().encode(text))
      }
    }),
    runs,
  )
})

test("compat: 'opencompass' changes nothing if no value has braces and no quirk applies", () => {
  fc.assert(
    fc.property(withRows(anyScenario.map(quiet), benignText), ({ scenario, asked }) => {
      const [ours, reference] = [render(scenario, asked), render(scenario, asked, 'opencompass')]
      const said = (prompt: Prompt) =>
        prompt.kind === 'completion' ? joined(prompt.pieces) : prompt.messages.map(({ role: name, content }) => [name, textOf(content)])
      expect(said(reference)).toEqual(said(ours))
      expect(reference.stop).toEqual(ours.stop)
    }),
    runs,
  )
})

// ---- the oracle: documents 000 to 002 in terms of strings and token ids ----

/** What the current row or example substitutes for a field, and for the separator. */
type Voice = { field: (name: string) => string; separator: string }
type Said = (string | number)[]
type Stretch = { kind: 'alone' | 'rounds' | 'chat'; items: readonly Item[]; voice: Voice; isLast?: boolean }

function voiceOf(cells: Cells, { mask, separator = '' }: { mask?: string; separator?: string }): Voice {
  return { field: (name) => (name === 'answer' && mask !== undefined ? mask : pyStr(cells[name as keyof Cells] as PyValue)), separator }
}

function fill(parts: readonly Part[], voice: Voice, examples = ''): string {
  const part = (written: Part) => {
    if (typeof written === 'string') return written === 'ice' ? examples : voice.separator
    return 'field' in written ? voice.field(written.field) : written.text
  }
  return parts.map(part).join('')
}

function chosenBody(template: Template, label: string | undefined): Text | Dialogue | Messages {
  return template.kind === 'labels' ? template.bodies[label as 'A' | 'B'] : template
}

function expectedText(scenario: Scenario, { row, examples }: Asked): Said {
  const { prompt, ice, model: given, mode, mask, separator, eos } = scenario
  const asked = voiceOf(row, mode === 'gen' ? { mask } : {})
  const body = chosenBody(prompt, mode === 'gen' ? 'A' : 'B')
  const shots = examples.map((example) => ({
    body: chosenBody(ice!, String(example.answer)),
    voice: voiceOf(example, { separator: mode === 'ppl' ? '</S>' : '' }),
    example,
  }))
  const spaced = ice?.kind === 'text' || ice?.kind === 'labels'
  const words = shots.map((shot) => (shot.body.kind === 'text' ? fill(shot.body.parts, shot.voice) : ''))
  const examplesText = spaced ? words.join(separator) + eos : ''
  if (body.kind === 'text') {
    const whole = fill(body.parts, asked, examplesText)
    // Only a meta template without a round has a place for it.
    return merged(given.kind === 'lm' && !given.round ? [...said(given.begin ?? ''), whole, ...said(given.end ?? '')] : [whole])
  }

  const loose = (written: string): Stretch => ({ kind: 'alone', items: [{ loose: [{ text: written }] }], voice: asked })
  const inTurns = shots.flatMap((shot): Stretch[] => {
    if (shot.body.kind === 'text') return []
    if (shot.body.kind === 'messages') return shot.body.messages.map((message) => chat(message, shot.voice, shot.example))
    return [{ kind: 'rounds', items: shot.body.round, voice: shot.voice }, ...(spaced && separator !== '' ? [loose(separator)] : [])]
  })
  const placed = inTurns.length > 0 && ice?.kind === 'labels' ? [...inTurns, loose(eos)] : inTurns

  if (body.kind === 'messages') {
    const last = body.messages.at(-1)
    const isAnswer = mode === 'gen' && typeof last === 'object' && last.role === 'assistant'
    const sent = isAnswer ? body.messages.slice(0, -1) : body.messages
    return written(
      given,
      sent.flatMap((message) => (message === 'ice' ? placed : [chat(message, asked, row)])),
      mode,
    )
  }
  const part = (items: readonly Item[]): Stretch[] =>
    items.flatMap((item) => {
      if (!item.loose?.includes('ice') || placed.length === 0)
        return [{ kind: 'alone', items: [filled(item, asked, examplesText)], voice: asked }]
      const at = item.loose.indexOf('ice')
      const around = [item.loose.slice(0, at), item.loose.slice(at + 1)].map((parts): Stretch[] =>
        parts.length === 0 ? [] : [{ kind: 'alone', items: [{ loose: parts }], voice: asked }],
      )
      return [...around[0]!, ...placed, ...around[1]!]
    })
  return written(given, [...part(body.begin), { kind: 'rounds', items: body.round, voice: asked, isLast: true }, ...part(body.end)], mode)
}

/** The item with the examples inserted. */
function filled(item: Item, voice: Voice, examples: string): Item {
  if (item.loose) return { loose: [{ text: fill(item.loose, voice, examples) }] }
  return item.prompt ? { ...item, prompt: [{ text: fill(item.prompt, voice, examples) }] } : item
}

function chat(message: Messages['messages'][number], voice: Voice, cells: Cells): Stretch {
  const names: Record<string, string> = { user: 'HUMAN', assistant: 'BOT', system: 'SYSTEM' }
  if (message === 'ice') throw new Error('examples have no examples')
  if (message !== 'history') return { kind: 'chat', items: [{ role: names[message.role]!, prompt: message.content }], voice }
  return {
    kind: 'chat',
    items: cells.history.map(({ role: name, content }) => ({ role: names[name]!, prompt: [{ text: content }] })),
    voice,
  }
}

function written(given: Model, stretches: readonly Stretch[], mode: 'gen' | 'ppl'): Said {
  if (given.kind === 'plain') return lines(stretches)
  if (given.kind !== 'lm') throw new Error('the oracle knows language models only')
  const { begin = '', end = '', round, reserved } = given
  if (!round) {
    const cut = mode === 'gen' ? cutAt(stretches) : undefined
    return merged([...said(begin), ...lines(cut ?? stretches), ...(cut ? [] : said(end))])
  }
  const roles = [...round.filter((entry) => typeof entry === 'object'), ...reserved]
  const out: Said = [...said(begin)]
  const speak = (speaker: Role, item: Item & { loose?: undefined }, voice: Voice) =>
    out.push(
      ...said(item.begin ?? speaker.begin ?? ''),
      fill(item.prompt ?? speaker.prompt ?? [], voice),
      ...said(item.end ?? speaker.end ?? ''),
    )
  const alone = (item: Item, voice: Voice) => {
    if (item.loose) out.push(fill(item.loose, voice))
    else speak((roles.find((known) => known.role === item.role) ?? roles.find((known) => known.role === item.fallback))!, item, voice)
  }
  for (const { kind, items, voice, isLast } of stretches) {
    if (kind !== 'rounds') {
      for (const item of items) alone(item, voice)
      continue
    }
    // The position of each turn in the meta template's round; a turn that does not follow the previous one starts a new round.
    // A turn that falls back to the role that speaks next stays in place (document 001).
    const resolved = (item: Item | undefined) =>
      !item || item.loose ? undefined : roles.some((known) => known.role === item.role) ? item.role : item.fallback
    const turns = items.map((item, index) => {
      const role = resolved(item)
      const isBefore = role !== undefined && role !== item.role && resolved(items[index + 1]) === role
      return { item, place: isBefore ? -1 : round.findIndex((entry) => typeof entry === 'object' && entry.role === role) }
    })
    const places = turns.map(({ place }) => place).filter((place) => place >= 0)
    const rounds = 1 + places.filter((place, index) => index > 0 && place <= places[index - 1]!).length
    let [current, next] = [1, 0]
    const skipTo = (place: number, item?: Item & { loose?: undefined }): boolean => {
      for (; next <= Math.min(place, round.length - 1); next++) {
        const entry = round[next]!
        if (typeof entry === 'string') out.push(entry)
        else {
          const turn = next === place && item ? item : { role: entry.role }
          if (isLast && mode === 'gen' && current === rounds && (turn.generate ?? entry.generate)) {
            out.push(...said(turn.begin ?? entry.begin ?? ''))
            return true
          }
          speak(entry, turn, voice)
        }
      }
      return false
    }
    for (const { item, place } of turns) {
      if (place < 0) {
        alone(item, voice)
        continue
      }
      if (place < next) {
        skipTo(round.length)
        ;[current, next] = [current + 1, 0]
      }
      if (skipTo(place, item as Item & { loose?: undefined })) return merged(out)
    }
    if (skipTo(round.length)) return merged(out)
  }
  const answering = roles.find((known) => known.generate)
  if (mode === 'gen' && stretches.every(({ kind }) => kind === 'chat') && answering) return merged([...out, ...said(answering.begin ?? '')])
  return merged([...out, ...said(end)])
}

/** Without a round in the meta template, the dataset's own turn marks where the model speaks: up to its begin. */
function cutAt(stretches: readonly Stretch[]): Stretch[] | undefined {
  const at = stretches.findIndex(({ isLast }) => isLast)
  const { items, voice } = stretches[at] ?? { items: [], voice: voiceOf({} as Cells, {}) }
  const last = items.findLastIndex((item) => !item.loose && item.generate === true)
  if (last < 0) return undefined
  const { begin = '' } = items[last] as Item & { loose?: undefined }
  return [...stretches.slice(0, at), { kind: 'rounds', items: [...items.slice(0, last), { role: '', begin }], voice }]
}

/** Without a format: one line per non-empty turn; each after the first starts on a new line. */
function lines(stretches: readonly Stretch[]): Said {
  const all = stretches.flatMap(({ items, voice }) =>
    items.map(
      (item): Said =>
        merged(
          item.loose ? [fill(item.loose, voice)] : [...said(item.begin ?? ''), fill(item.prompt ?? [], voice), ...said(item.end ?? '')],
        ),
    ),
  )
  return merged(all.flatMap((line, index) => (line.length === 0 ? [] : index === 0 ? line : ['\n', ...line])))
}

function said(given: Affix): Said {
  return typeof given === 'string' ? [given] : given
}

/** Joins adjacent strings, and drops empty ones. */
function merged(parts: Said): Said {
  const all: Said = []
  for (const part of parts) {
    const last = all.at(-1)
    if (typeof last === 'string' && typeof part === 'string') all[all.length - 1] = last + part
    else if (part !== '') all.push(part)
  }
  return all
}

function joined(pieces: readonly Piece[]): Said {
  return merged(pieces.flatMap((piece): Said => ('ids' in piece ? [...piece.ids] : 'text' in piece ? [piece.text] : [])))
}

// ---- what a scenario contains ----

function answersIn(body: Text | Dialogue | Messages): number {
  const count = (parts: readonly Part[] = []) =>
    parts.filter((part) => typeof part === 'object' && 'field' in part && part.field === 'answer').length
  const texts = {
    text: () => [(body as Text).parts],
    dialogue: () => (body as Dialogue).round.map((item) => item.loose ?? item.prompt ?? []),
    messages: () => (body as Messages).messages.map((message) => (typeof message === 'string' ? [] : message.content)),
  }
  return texts[body.kind]().reduce((sum, parts) => sum + count(parts), 0)
}

/** Whether the last turn consists of the answer column, so that it is the answer in every format. */
function answersLast(body: Text | Dialogue | Messages): boolean {
  if (JSON.stringify(body).includes('"sep"')) return false // Everything after a separator is the answer.
  if (body.kind === 'text') return answersIn(body) > 0
  if (body.kind === 'messages')
    return answersIn({ ...body, messages: body.messages.slice(-1) }) > 0 && (body.messages.at(-1) as { role: string }).role === 'assistant'
  const [asked, last] = body.round.slice(-2) as (Item & { loose?: undefined })[]
  return last?.role === 'BOT' && !asked?.generate && answersIn({ ...body, round: [last] }) > 0
}

/** Whether `answer` must cover the answer column: labels of strings define their own answer, and a text sent as one message has none. */
function pointsAtAnswer({ prompt, model: { kind } }: Scenario): boolean {
  const body = chosenBody(prompt, 'B')
  if (body.kind === 'text' ? prompt.kind === 'labels' || kind === 'api' || kind === 'bare-api' : false) return false
  if (kind === 'bare-api' && body.kind !== 'messages') return false
  return kind !== 'list' && answersLast(body)
}

/** The scenario without anything that the reference's quirks would render differently: see `fidelityRules`. */
function quiet(scenario: Scenario): Scenario {
  const { model: given, prompt, ice, mode, shots, separator, eos } = scenario
  const isApi = given.kind === 'api'
  const isMessages = prompt.kind === 'messages'
  const hasReserved = 'reserved' in given && given.reserved.length > 0
  const masksMessages = isMessages && mode === 'gen'
  const parts = (written: Part[], isDefault = false): Part[] =>
    written.map((part): Part => {
      if (typeof part === 'string') return part
      if ('field' in part) return isDefault || (masksMessages && part.field === 'answer') ? { text: part.field } : part
      return { text: part.text.replace(/^\{+$/, '(') } // data-reexpanded: a brace of the template and a value may form a field.
    })
  const item = (entry: Item): Item[] => {
    if (entry.loose) {
      if (!isApi) return [{ loose: parts(entry.loose) }]
      if (!entry.loose.includes('ice')) return [] // api-string-dropped
      return ice?.kind === 'text' ? [{ role: 'HUMAN', prompt: parts(entry.loose) }] : [{ loose: ['ice'] }]
    }
    const { begin, end, ...said } = entry
    const turn = { ...said, ...(said.prompt ? { prompt: parts(said.prompt) } : {}) }
    return [isPlainFormat(given) ? turn : { ...entry, ...turn }] // turn-affixes-dropped
  }
  const round = (entry: Item): Item[] => {
    if (entry.loose) return [] // string-in-round
    return item(hasReserved && entry.role === 'SYSTEM' ? { ...entry, role: 'HUMAN' } : entry) // reserved-role-in-round
  }
  const body = <Body extends Text | Dialogue>(entry: Body): Body =>
    entry.kind === 'text'
      ? { ...entry, parts: parts(entry.parts) }
      : { ...entry, begin: entry.begin.flatMap(item), round: entry.round.flatMap(round), end: entry.end.flatMap(item) }
  const template = (entry: Template): Template => {
    if (entry.kind === 'labels') return { ...entry, bodies: { A: body(entry.bodies.A), B: body(entry.bodies.B) } as Labels['bodies'] }
    if (entry.kind !== 'messages') return body(entry)
    return {
      ...entry,
      messages: entry.messages.map((said) => (typeof said === 'string' ? said : { ...said, content: parts(said.content) })),
    }
  }
  const role = <Entry extends string | Role>(entry: Entry): Entry =>
    typeof entry === 'object' && entry.prompt ? { ...entry, prompt: parts(entry.prompt, true) } : entry // default-prompt-unfilled
  const model =
    'reserved' in given
      ? ({ ...given, ...(given.round ? { round: given.round.map(role) } : {}), reserved: given.reserved.map(role) } as Model)
      : given
  const { end: _, begin, ...silent } = { end: '', begin: undefined, ...model }
  return {
    ...scenario,
    model: isApi ? ({ ...silent, ...(isMessages || begin === undefined ? {} : { begin }) } as Model) : model,
    prompt: template(prompt),
    ...(ice ? { ice: template(ice) } : {}),
    shots: isMessages && mode === 'ppl' ? 0 : shots, // messages-examples-dropped
    ...(isApi ? { separator: separator.replace('###', '\n'), eos: eos.replace('$&', '\n') } : {}),
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const entry of Object.values(value)) deepFreeze(entry)
  }
  return value
}
