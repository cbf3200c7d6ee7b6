import type { Quirks } from '../config/fidelity.ts'
import type { Fields, Row } from '../dataset/row.ts'
import { distinctNotes, type Note } from '../note.ts'
import { PromptError } from '../prompt-error.ts'
import { isText, replaceText, type TextPiece } from '../text/index.ts'
import { fillMessage, type MessagesBody, showsField } from './compile-messages.ts'
import type { DialogueBody, ItemTemplate, Template, TextBody } from './compile-template.ts'
import { type Conversation, type Item, isLoose, type LooseText, type Section } from './conversation.ts'
import { type Examples, renderExamples } from './examples.ts'
import { fillText, refill, type TemplateText, unknownFields } from './fill.ts'
import { fillItem } from './fill-item.ts'

/** A dataset's side of the prompt, read once: what `compileDataset` makes of `infer_cfg` and `reader_cfg`. */
export type DatasetTemplates = {
  prompt: Template
  /** How examples are written; absent when the dataset has none. */
  ice?: Template
  outputColumn?: string
  /** The labels that perplexity compares. */
  labels?: readonly string[]
  separator: string
  eos: string
  /** What stands for the answer in a generative prompt; undefined shows the answer. */
  mask?: string
  quirks: Quirks
}

/** One row to be asked: in generation its answer is masked, for perplexity the prompt is complete. */
export type Question = {
  row: Row
  examples?: readonly Row[]
  mode: 'gen' | 'ppl'
  /** For perplexity with a template for each label: which one. */
  label?: string
  /** For normalised perplexity: leaves `sep_token` in the text. */
  keepSeparator?: boolean
}

type Context = { templates: DatasetTemplates; question: Question; fields: Fields; examples: Examples; notes: Note[] }

/** Fills the dataset's templates for one row: what is said, by whom, before any model has touched it. */
export function buildConversation(templates: DatasetTemplates, question: Question): Conversation {
  const { prompt, ice } = templates
  const notes: Note[] = [...prompt.notes, ...(ice && ice !== prompt ? ice.notes : [])]
  const rows = question.examples ?? []
  checkPlaceOfExamples(templates, rows)
  const examples = renderExamples(ice, rows, { ...templates, outputColumn: templates.outputColumn, notes })
  const context: Context = {
    templates,
    question,
    fields: fieldsOf(templates, question),
    examples: withoutSeparators(examples, templates, question),
    notes,
  }
  const body = prompt.body.kind === 'labels' ? chooseLabel(templates, question, notes) : prompt.body
  checkIceToken(body, context, rows.length)
  const content = fillBody(body, context)
  return { ...content, notes: distinctNotes(notes) }
}

function fillBody(body: TextBody | DialogueBody | MessagesBody, context: Context) {
  switch (body.kind) {
    case 'text':
      return { kind: 'text', content: fillWholeText(body, context) } as const
    case 'dialogue':
      return { kind: 'dialogue', sections: fillDialogue(body, context) } as const
    case 'messages':
      return { kind: 'dialogue', sections: fillMessages(body, context) } as const
    default:
      return body satisfies never
  }
}

/** Masks the answer, so that it cannot leak into a generative prompt. */
function fieldsOf({ outputColumn, mask, prompt, quirks }: DatasetTemplates, { row, mode }: Question): Fields {
  const unmasked = prompt.body.kind === 'messages' && quirks.has('messages-unmasked')
  if (mode !== 'gen' || outputColumn === undefined || mask === undefined || unmasked) return { row }
  return { row, masked: { column: outputColumn, text: mask } }
}

function chooseLabel({ prompt }: DatasetTemplates, { mode, label }: Question, notes: Note[]): TextBody | DialogueBody {
  const { body } = prompt
  if (body.kind !== 'labels') throw new Error('only called for label maps')
  if (mode === 'gen') {
    const first = body.labels[0]!
    notes.push({
      code: 'labels-in-generation',
      where: `${prompt.path}.template`,
      text: `a generative prompt needs one template, and this maps labels; the first, "${first}", is used`,
    })
    return body.bodyOf(first)
  }
  if (label !== undefined && body.labels.includes(label)) return body.bodyOf(label)
  throw new PromptError('missing-label', {
    where: `${prompt.path}.template`,
    problem: label === undefined ? 'a label must be chosen' : `there is no template for the label "${label}"`,
    fix: `choose one of: ${body.labels.join(', ')}`,
  })
}

function fillWholeText(body: TextBody, context: Context): TextPiece[] {
  const { templates, question, fields, examples } = context
  noteUnknownFields(body.text, context)
  if (examples.kind === 'sections' && body.text.segments.some((segment) => segment.kind === 'ice')) {
    throw new PromptError('dialogue-in-string', {
      where: body.text.path,
      problem: 'the examples are dialogues, and this template is a string',
      fix: 'write both ice_template and prompt_template as strings, or both as dialogues',
    })
  }
  const marksAnswer = question.mode === 'ppl'
  const pieces = fillText(body.text, {
    fields,
    quirks: templates.quirks,
    keepSeparator: question.keepSeparator,
    marksAnswer,
    examples: examples.kind === 'text' ? examples.pieces : [],
  })
  if (!marksAnswer || pieces.some((piece) => piece.answer)) return pieces
  // Nothing but the answer column tells what the model is to produce.
  return pieces.map((piece) =>
    isAskedField(piece) && piece.source.path === templates.outputColumn ? { ...piece, answer: true as const } : piece,
  )
}

function isAskedField({ source }: TextPiece): boolean {
  return source.by === 'field' && source.example === undefined
}

function fillDialogue(body: DialogueBody, context: Context): Section[] {
  return (['begin', 'round', 'end'] as const).flatMap((part) => {
    const filled = body[part].flatMap((item) => fillPart(item, context))
    // A round is there even if it is empty: the format decides what an empty round is.
    if (filled.length === 0) return part === 'round' ? [{ kind: part, items: [], fields: context.fields }] : []
    return asSections(filled, part, context.fields)
  })
}

/** An item of the template with the examples put in: themselves sections when they are dialogues. */
function fillPart(item: ItemTemplate, context: Context): (Item | Section)[] {
  const { templates, question, fields, examples } = context
  const { quirks } = templates
  const options = { fields, quirks, keepSeparator: question.keepSeparator, marksAnswer: question.mode === 'ppl' }
  const text = 'loose' in item ? item.loose : item.prompt
  if (text) noteUnknownFields(text, context)
  if (examples.kind === 'text') return [fillItem(item, { ...options, examples: examples.pieces })]
  if (!('loose' in item)) {
    if (item.prompt?.segments.some((segment) => segment.kind === 'ice')) throw examplesInTurn(item.path, templates.prompt.iceToken!)
    return [fillItem(item, options)]
  }
  return splitAtExamples(item.loose).flatMap((stretch, index) => [
    ...(index > 0 ? examples.parts.map((part) => placedAt(again(part, context), stretch.path)) : []),
    ...(stretch.segments.length > 0 ? [{ loose: fillText(stretch, options), path: stretch.path }] : []),
  ])
}

function placedAt<Part extends Section | LooseText>(part: Part, path: string): Part {
  return 'items' in part ? { ...part, placedAt: path } : part
}

function splitAtExamples(text: TemplateText): TemplateText[] {
  const stretches: TemplateText[] = [{ ...text, segments: [] }]
  for (const segment of text.segments) {
    if (segment.kind === 'ice') stretches.push({ ...text, segments: [] })
    else stretches[stretches.length - 1] = { ...text, segments: [...stretches.at(-1)!.segments, segment] }
  }
  return stretches
}

/** The reference fills the examples once more, with the row being asked. */
function again<Part extends Section | LooseText>(part: Part, { templates, fields }: Context): Part {
  if (!templates.quirks.has('data-reexpanded')) return part
  const again = (item: Item): Item => {
    if (isLoose(item)) return { ...item, loose: refill(item.loose, fields) }
    return item.content ? { ...item, content: refill(item.content.filter(isText), fields) } : item
  }
  return ('items' in part ? { ...part, items: part.items.map(again) } : again(part)) as Part
}

function asSections(parts: readonly (Item | Section)[], kind: 'begin' | 'round' | 'end', fields: Fields): Section[] {
  const sections: Section[] = []
  let items: Item[] = []
  const close = () => {
    if (items.length > 0) sections.push({ kind, items, fields })
    items = []
  }
  for (const part of parts) {
    if (!('items' in part)) items.push(part)
    else {
      close()
      sections.push({ ...part, inside: part.inside ?? kind })
    }
  }
  close()
  return sections
}

function fillMessages(body: MessagesBody, context: Context): Section[] {
  const { templates, question, fields, examples, notes } = context
  const { quirks, outputColumn } = templates
  const last = body.messages.at(-1)
  const answers =
    question.mode === 'gen' &&
    last?.kind === 'message' &&
    last.role === 'assistant' &&
    outputColumn !== undefined &&
    showsField(last, outputColumn)
  const asked = answers && !quirks.has('messages-unmasked') ? body.messages.slice(0, -1) : body.messages
  const sections = asked.flatMap((message): Section[] => {
    if (message.kind === 'ice') {
      const dropped = question.mode === 'ppl' && quirks.has('messages-examples-dropped')
      return examples.kind === 'sections' && !dropped ? examples.parts.filter((part) => 'items' in part) : []
    }
    const items = fillMessage(message, fields, quirks, notes)
    return items.length === 0 ? [] : [{ kind: 'chat', items, fields }]
  })
  if (sections.length > 0) return sections
  if (quirks.has('expand-column-ignored')) return [{ kind: 'chat', items: [], fields }]
  throw new PromptError('nothing-to-send', {
    where: `${templates.prompt.path}.messages`,
    problem: 'no message is left to send',
    fix: 'name a column that holds messages, or write a user message',
  })
}

/** In generation the reference removes the prompt's separator from the examples, too; for perplexity it does not. */
function withoutSeparators(examples: Examples, { prompt, quirks }: DatasetTemplates, { mode }: Question): Examples {
  const token = prompt.sepToken
  if (token === undefined || mode !== 'gen') return examples
  const clean = (pieces: readonly TextPiece[]): TextPiece[] => {
    if (quirks.has('data-reexpanded')) return replaceText(pieces, token, [])
    return pieces.map((piece) => (piece.source.by === 'template' ? { ...piece, text: piece.text.replaceAll(token, '') } : piece))
  }
  if (examples.kind === 'text') return { kind: 'text', pieces: clean(examples.pieces) }
  const cleanItem = (item: Item): Item => {
    if (isLoose(item)) return { ...item, loose: clean(item.loose) }
    return item.content ? { ...item, content: clean(item.content.filter(isText)) } : item
  }
  return {
    kind: 'sections',
    parts: examples.parts.map((part) =>
      'items' in part ? { ...part, items: part.items.map(cleanItem) } : { ...part, loose: clean(part.loose) },
    ),
  }
}

function checkPlaceOfExamples({ prompt, ice }: DatasetTemplates, rows: readonly Row[]): void {
  if (rows.length === 0) return
  if (!ice) {
    throw new PromptError('examples-without-template', {
      where: prompt.path,
      problem: `there ${rows.length === 1 ? 'is 1 example' : `are ${rows.length} examples`} and no ice_template that says how they are written`,
      fix: 'add an ice_template, or use ZeroRetriever',
    })
  }
  if (prompt.iceToken === undefined) {
    throw new PromptError('examples-without-place', {
      where: `${prompt.path}.ice_token`,
      problem: `there ${rows.length === 1 ? 'is 1 example' : `are ${rows.length} examples`}, and nothing says where they go`,
      fix: 'set ice_token, and write it in the template where the examples go',
    })
  }
}

function checkIceToken(body: TextBody | DialogueBody | MessagesBody, { templates, examples, notes }: Context, count: number): void {
  const { prompt, quirks } = templates
  if (prompt.iceToken === undefined || prompt.iceToken === '') return
  const placed = hasPlace(body) && (body.kind !== 'messages' || examples.kind === 'sections')
  if (placed || (count === 0 && body.kind === 'messages')) return
  const problem = `the ice token "${prompt.iceToken}" stands nowhere in the template`
  if (count === 0 || quirks.has('ice-token-unused')) {
    notes.push({
      code: 'ice-token-unused',
      where: prompt.path,
      text: count === 0 ? problem : `${problem}: ${count} examples were left out`,
    })
    return
  }
  const lost = count === 1 ? '1 example would be lost' : `${count} examples would be lost`
  if (body.kind === 'messages' && hasPlace(body)) {
    throw new PromptError('examples-not-messages', {
      where: templates.ice?.path ?? prompt.path,
      problem: `the examples are not messages, so ${lost}`,
      fix: 'write the ice_template with messages, too',
    })
  }
  throw new PromptError('ice-token-missing', {
    where: prompt.path,
    problem: `${problem}, so ${lost}`,
    fix: `write '${prompt.iceToken}' where the examples go, e.g. as an entry of ${body.kind === 'messages' ? 'messages' : 'begin'}`,
  })
}

function hasPlace(body: TextBody | DialogueBody | MessagesBody): boolean {
  if (body.kind === 'messages') return body.messages.some((message) => message.kind === 'ice')
  const texts =
    body.kind === 'text'
      ? [body.text]
      : [...body.begin, ...body.round, ...body.end].map((item) => ('loose' in item ? item.loose : item.prompt))
  return texts.some((text) => text?.segments.some((segment) => segment.kind === 'ice'))
}

function noteUnknownFields(text: TemplateText, { fields, notes }: Context): void {
  for (const name of unknownFields(text, fields)) {
    notes.push({ code: 'unknown-field', where: text.path, text: `the row has no field "${name}", so {${name}} stays as it is` })
  }
}

function examplesInTurn(path: string, iceToken: string): PromptError {
  return new PromptError('dialogue-in-turn', {
    where: `${path}.prompt`,
    problem: 'the examples are dialogues, and their place is inside a turn',
    fix: `write '${iceToken}' as an entry of its own in begin, or write the ice_template as a string`,
  })
}
