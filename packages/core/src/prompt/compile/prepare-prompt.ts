import { dictEntries } from '../../base/python/index.ts'
import type { ByteSink } from '../../base/text/byte-sink.ts'
import { splitsPair } from '../../base/text/splits-pair.ts'
import type { CompiledPromptTemplate } from '../conversation/compile-template.ts'
import type { TemplateText } from '../conversation/fill.ts'
import { hasRowParts, type PartsTemplate } from '../conversation/fill-parts.ts'
import type { DatasetTemplates, Question } from '../conversation/question.ts'
import type { Row } from '../conversation/row.ts'
import { bodyOf } from '../format/flatten.ts'
import type { Format, Prompt } from '../format/format.ts'
import { type Chunk, deriveProgram, exampleChunks, type PromptProgram, runBytes, runPrompt, runText, valuesFor } from './program.ts'

/** A prompt prepared for many rows: templates and format are compiled once, then only fields are filled in. */
export type PreparedPrompt = {
  /** The exact prompt for a row, with provenance. Its notes are those of the first row written by the same program. */
  prompt(row: Row, examples?: readonly Row[]): Prompt
  /** The prompt as one text: a completion's text, or a chat's messages as JSON. */
  text(row: Row, examples?: readonly Row[]): string
  /** `prompt`, and for a chat `text` where it costs little: what all rows share is escaped once. */
  both(row: Row, examples?: readonly Row[]): { prompt: Prompt; text?: string | undefined }
  /** Appends the UTF-8 of `text` to the sink. */
  write(row: Row, sink: ByteSink, examples?: readonly Row[]): void
}

type Context = {
  templates: DatasetTemplates
  format: Format
  render: (question: Question) => Prompt
  ask: Pick<Question, 'mode' | 'label'>
  /** The text is changed between template and format, which may depend on the row. */
  rendersEach?: boolean
}

const noExamples: readonly Row[] = []

/** Prepares prompts of one mode and label. Prompts that cannot be prepared are rendered for every row, with the same result. */
export function preparePrompt(context: Context): PreparedPrompt {
  const { render, ask } = context
  const prepared = preparePrograms(context)
  const question = (row: Row, examples: readonly Row[]): Question => ({ ...ask, row, examples })
  return {
    prompt(row, examples = noExamples) {
      const found = prepared(row, examples)
      return found ? runPrompt(found.program, found.values, found.chunks) : render(question(row, examples))
    },
    text(row, examples = noExamples) {
      const found = prepared(row, examples)
      return (found && textOf(found)) ?? bodyOf(render(question(row, examples)))
    },
    both(row, examples = noExamples) {
      const found = prepared(row, examples)
      if (!found) return { prompt: render(question(row, examples)) }
      const prompt = runPrompt(found.program, found.values, found.chunks)
      return prompt.kind === 'chat' ? { prompt, text: textOf(found) } : { prompt }
    },
    write(row, sink, examples = noExamples) {
      const found = prepared(row, examples)
      const start = sink.length
      if (found && runBytes(found.program, found.values, found.chunks, sink)) return
      sink.length = start
      sink.writeText(bodyOf(render(question(row, examples))))
    },
  }
}

type Found = { program: PromptProgram; values: readonly string[]; chunks: readonly Chunk[] }

/** Undefined if a value ends in half a surrogate pair, which can only be encoded together with the other half. */
function textOf({ program, values, chunks }: Found): string | undefined {
  const isWhole = program.prompt.kind === 'completion' || !values.some(splitsPair)
  return isWhole ? runText(program, values, chunks) : undefined
}

const noChunks: readonly Chunk[] = []

/** Rows with other columns need other programs; data with more shapes than this is rendered row by row. */
const maxPrograms = 16
/** How many examples' chunks are cached: enough for every training set in use. */
const maxChunks = 50_000

/** Finds the program for a row: one with its examples built in while they stay the same, else one with gaps for them. */
function preparePrograms(context: Context): (row: Row, examples: readonly Row[]) => Found | undefined {
  if (!canPrepare(context)) return () => undefined
  const withGaps = prepareWithGaps(context)
  const none = prepareBuiltIn(context, noExamples)
  let builtIn = none
  let builtInExamples = noExamples
  let lastExamples = noExamples
  return (row, examples) => {
    if (examples.length === 0) return none(row)
    if (examples === builtInExamples) return builtIn(row)
    if (examples !== lastExamples) {
      lastExamples = examples
      return withGaps(row, examples)
    }
    // The same list twice in a row: it will stay the same.
    builtInExamples = examples
    builtIn = prepareBuiltIn(context, examples)
    return builtIn(row)
  }
}

/** Programs for rows that share one list of examples. */
function prepareBuiltIn(context: Context, examples: readonly Row[]): (row: Row) => Found | undefined {
  const known: PromptProgram[] = []
  return (row) => {
    const found = firstThatHolds(known, row)
    if (found || known.length >= maxPrograms) return found
    const options = programOptions(context, false)
    // An empty turn leaves no trace in the prompt, so this row cannot show where its fields go.
    if (options.needsText && dictEntries(row).some(([, value]) => value === '')) return undefined
    const program = deriveProgram(context.render({ ...context.ask, row, examples }), options)
    if (program) known.push(program)
    return program && firstThatHolds([program], row)
  }
}

function firstThatHolds(programs: readonly PromptProgram[], row: Row, chunks = noChunks): Found | undefined {
  for (const program of programs) {
    const values = valuesFor(program, row)
    if (values) return { program, values, chunks }
  }
  return undefined
}

/** Programs for rows with varying examples; the text of an example is cached with its row. */
function prepareWithGaps(context: Context): (row: Row, examples: readonly Row[]) => Found | undefined {
  const { render, ask, templates, format } = context
  // Without a format, empty turns of an example change the text between examples.
  if (readsWords(format, templates)) return () => undefined
  const known = new Map<number, PromptProgram[]>()
  let chunks = new WeakMap<Row, Chunk[]>()
  let count = 0
  const remember = (prompt: Prompt, examples: readonly Row[]) => {
    for (const [index, chunk] of exampleChunks(prompt).entries()) {
      if (count++ >= maxChunks) [chunks, count] = [new WeakMap(), 1]
      const ofRow = chunks.get(examples[index]!) ?? []
      ofRow[index] = chunk
      chunks.set(examples[index]!, ofRow)
    }
  }
  const chunksOf = (examples: readonly Row[]): Chunk[] | undefined => {
    const found: Chunk[] = []
    for (const [index, example] of examples.entries()) {
      const chunk = chunks.get(example)?.[index]
      if (!chunk) return undefined
      found.push(chunk)
    }
    return found
  }
  return (row, examples) => {
    const programs = known.get(examples.length) ?? []
    const ofExamples = chunksOf(examples)
    const found = ofExamples && firstThatHolds(programs, row, ofExamples)
    if (found || programs.length >= maxPrograms) return found
    const prompt = render({ ...ask, row, examples })
    // Examples of different labels may have different turns, which messages merge differently.
    if ((format.kind === 'chat' || format.traits.alternates) && templates.ice?.body.kind === 'labels') return undefined
    remember(prompt, examples)
    if (!firstThatHolds(programs, row)) {
      const program = deriveProgram(prompt, programOptions(context, true))
      if (program) known.set(examples.length, [...programs, program])
    }
    const remembered = chunksOf(examples)
    return remembered && firstThatHolds(known.get(examples.length) ?? [], row, remembered)
  }
}

function programOptions({ templates, format, ask }: Context, openExamples: boolean) {
  const masked = ask.mode === 'gen' ? templates.outputColumn : undefined
  return { openExamples, needsText: readsWords(format, templates), masked }
}

/** Whether the format depends on the text: a string template is written unchanged in every format. */
function readsWords(format: Format, { prompt }: DatasetTemplates): boolean {
  const { body } = prompt
  const isText = body.kind === 'text' || (body.kind === 'labels' && body.labels.every((label) => body.bodyOf(label).kind === 'text'))
  return format.traits.readsContent && !isText
}

/** Whether the row matters only through its fields. */
function canPrepare({ templates, format, rendersEach = false }: Context): boolean {
  const { prompt, ice, quirks } = templates
  if (rendersEach || quirks.has('data-reexpanded') || format.traits.rewritesContent) return false
  if (prompt.body.kind === 'messages' && prompt.body.messages.some((message) => message.kind === 'expand')) return false
  if ([prompt, ice].some((template) => template !== undefined && partsIn(template).some(hasRowParts))) return false
  // Messages omit blank text without a role, which may depend on the row.
  return (
    format.traits.looseText === 'verbatim' ||
    ![prompt, ice].some((template) => template !== undefined && looseTexts(template).some(mayBeBlank))
  )
}

function partsIn({ body }: CompiledPromptTemplate): PartsTemplate[] {
  if (body.kind === 'labels') return body.labels.flatMap((label) => partsIn({ body: body.bodyOf(label), path: '', notes: [] }))
  if (body.kind === 'messages')
    return body.messages.flatMap((message) => (message.kind === 'message' && 'items' in message.content ? [message.content] : []))
  if (body.kind !== 'dialogue') return []
  return [...body.begin, ...body.round, ...body.end].flatMap((item) => ('parts' in item && item.parts ? [item.parts] : []))
}

function looseTexts({ body }: CompiledPromptTemplate): TemplateText[] {
  if (body.kind === 'labels') return body.labels.flatMap((label) => looseTexts({ body: body.bodyOf(label), path: '', notes: [] }))
  if (body.kind !== 'dialogue') return []
  return [...body.begin, ...body.round, ...body.end].flatMap((item) => ('loose' in item ? [item.loose] : []))
}

function mayBeBlank({ segments }: TemplateText): boolean {
  return (
    segments.some((segment) => segment.kind === 'field') &&
    segments.every((segment) => segment.kind !== 'text' || segment.text.trim() === '')
  )
}
