import { dictGet, dictHas, pyStr } from '../../base/python/index.ts'
import type { ByteSink } from '../../base/text/byte-sink.ts'
import { escapeJson } from '../../base/text/escape-json.ts'
import { bytesOf, type Piece, type PieceRange, type TextPiece } from '../../base/text/index.ts'
import { splitsPair } from '../../base/text/splits-pair.ts'
import type { Row } from '../conversation/row.ts'
import { endOf, type FlatPart, flatten, textOfPart } from '../format/flatten.ts'
import type { Prompt } from '../format/format.ts'

/** A chunk of the prompt that is the same for every row, in three forms. */
export type Chunk = { text: string; bytes: Uint8Array; parts: readonly FlatPart[] }

type Step = { kind: 'fixed'; chunk: Chunk } | { kind: 'slot'; number: number; piece: TextPiece } | { kind: 'example'; index: number }

/**
 * A prompt as a program: fixed chunks, and slots for fields. It is derived from one rendered prompt by its provenance: pieces from the
 * row's fields are slots, all others are fixed. That is correct if the format does not depend on the text.
 */
export type PromptProgram = {
  steps: readonly Step[]
  /** The fields of the slots, in the order of the steps; rows must have them. */
  names: readonly string[]
  /** Fields that rows must not have: the template names them, and they stay in the prompt verbatim. */
  absent: readonly string[]
  /** Whether an empty field changes the prompt, so that this program does not apply to rows with one. */
  needsText: boolean
  /** The prompt it was derived from, and where its slots are: in a completion's pieces, or in a message's. */
  prompt: Prompt
  slots: readonly Slot[]
  messageSlots: ReadonlyMap<number, readonly Slot[]>
  slotCount: number
}

type Slot = { at: number; number: number; piece: TextPiece }

export type ProgramOptions = {
  /** The column whose text is the mask in every row. */
  masked?: string
  needsText: boolean
  /** Leave a gap for each example, to be filled with another one's chunk. */
  openExamples: boolean
}

/** Derives a program from a rendered prompt; undefined if the prompt contains something that cannot be prepared. */
export function deriveProgram(prompt: Prompt, { masked, needsText, openExamples }: ProgramOptions): PromptProgram | undefined {
  const flat = flatten(prompt)
  if (flat.some(cannotBePrepared)) return undefined
  const steps: Step[] = []
  const names: string[] = []
  let fixed: FlatPart[] = []
  let first = true
  const close = () => {
    if (fixed.length > 0) steps.push({ kind: 'fixed', chunk: chunkOf(fixed, prompt.kind, first) })
    first = first && fixed.length === 0
    fixed = []
  }
  for (const [index, part] of flat.entries()) {
    const example = openExamples ? exampleAt(flat, index) : undefined
    if (example !== undefined) {
      close()
      first = false
      const last = steps.at(-1)
      if (last?.kind !== 'example' || last.index !== example) steps.push({ kind: 'example', index: example })
    } else if (part.kind === 'piece' && isSlot(part.piece, masked)) {
      close()
      first = false
      steps.push({ kind: 'slot', number: names.length, piece: part.piece })
      names.push(part.piece.source.path)
    } else fixed.push(part)
  }
  close()
  const end = endOf(prompt.kind)
  if (end !== '') steps.push({ kind: 'fixed', chunk: { text: end, bytes: new TextEncoder().encode(end), parts: [] } })
  // An example that something else interrupts has no chunk.
  const gaps = steps.flatMap((step) => (step.kind === 'example' ? [step.index] : []))
  if (new Set(gaps).size < gaps.length) return undefined
  // A pair split over two steps would have to be encoded as one.
  if (steps.some((step) => step.kind === 'fixed' && splitsPair(step.chunk.text))) return undefined
  const isOpen = (piece: Piece) => isSlot(piece, masked)
  let number = 0
  const slotsOf = (pieces: readonly Piece[]) =>
    pieces.flatMap((piece, at): Slot[] => (isOpen(piece) ? [{ at, number: number++, piece: piece as TextPiece }] : []))
  return {
    steps,
    names,
    absent: absentFields(flat),
    needsText,
    prompt,
    slotCount: names.length,
    slots: prompt.kind === 'completion' ? slotsOf(prompt.pieces) : [],
    messageSlots: new Map(
      prompt.kind === 'chat'
        ? prompt.messages.flatMap(({ content }, index) => (content.some(isOpen) ? [[index, slotsOf(content)] as const] : []))
        : [],
    ),
  }
}

/** The chunks of the examples of a rendered prompt, by number. */
export function exampleChunks(prompt: Prompt): Chunk[] {
  const flat = flatten(prompt)
  const chunks: FlatPart[][] = []
  for (const [index, part] of flat.entries()) {
    const example = exampleAt(flat, index)
    if (example === undefined) continue
    chunks[example] = [...(chunks[example] ?? []), part]
  }
  return chunks.map((parts) => chunkOf(parts, prompt.kind, false))
}

/** The texts of the slots for a row, in the order of the steps; undefined if the program does not apply to this row. */
export function valuesFor({ names, absent, needsText }: PromptProgram, row: Row): string[] | undefined {
  const values = new Array<string>(names.length)
  for (let index = 0; index < names.length; index++) {
    const value = valueText(row, names[index]!)
    if (value === undefined || (needsText && value === '')) return undefined
    values[index] = value
  }
  for (const name of absent) if (dictHas(row, name)) return undefined
  return values
}

export function runText({ steps, prompt }: PromptProgram, given: readonly string[], examples: readonly Chunk[]): string {
  const values = prompt.kind === 'chat' ? given.map(escapeJson) : given
  let text = ''
  for (const step of steps) {
    if (step.kind === 'fixed') text += step.chunk.text
    else text += step.kind === 'example' ? examples[step.index]!.text : values[step.number]!
  }
  return text
}

/** Fixed chunks up to this length are cheaper to write as part of the text around them. */
const shortChunk = 256

/** Writes the body's UTF-8. False if a value splits a surrogate pair: then only the whole text has the right bytes. */
export function runBytes(program: PromptProgram, values: readonly string[], examples: readonly Chunk[], sink: ByteSink): boolean {
  if (program.prompt.kind === 'completion') return writeSteps(program, values, examples, sink, false)
  // Usually no value needs an escape, and checking the written bytes is the cheapest test.
  const start = sink.length
  if (writeSteps(program, values, examples, sink, true)) return true
  sink.length = start
  if (values.some(splitsPair)) return false
  return writeSteps(program, values.map(escapeJson), examples, sink, false)
}

/** Where slots start and end in the text being written; reused, since this is the hot path. */
const slotEdges = new Int32Array(256)

function writeSteps(
  { steps, slotCount }: PromptProgram,
  values: readonly string[],
  examples: readonly Chunk[],
  sink: ByteSink,
  checkEscapes: boolean,
): boolean {
  let text = ''
  const slots = checkEscapes && slotCount * 2 > slotEdges.length ? new Int32Array(slotCount * 2) : slotEdges
  let slotEnds = 0
  for (const step of steps) {
    if (step.kind === 'slot') {
      if (checkEscapes) slots[slotEnds++] = text.length
      text += values[step.number]!
      if (checkEscapes) slots[slotEnds++] = text.length
      continue
    }
    const chunk = step.kind === 'fixed' ? step.chunk : examples[step.index]!
    if (chunk.bytes.length <= shortChunk) {
      text += chunk.text
      continue
    }
    if (text !== '') {
      if (!writeChunk(text, sink, slots, slotEnds)) return false
      text = ''
      slotEnds = 0
    }
    sink.writeBytes(chunk.bytes)
  }
  return text === '' || writeChunk(text, sink, slots, slotEnds)
}

/** Writes text between two fixed chunks; false when it splits a surrogate pair or one of its slots needs escapes. */
function writeChunk(text: string, sink: ByteSink, slots: Int32Array, slotEnds: number): boolean {
  if (splitsPair(text)) return false
  const at = sink.length
  sink.writeText(text)
  return slotEnds === 0 || (sink.length - at === text.length && !sink.needsJsonEscapes(at, slots, slotEnds))
}

export function runPrompt(program: PromptProgram, values: readonly string[], examples: readonly Chunk[]): Prompt {
  const { prompt } = program
  if (examples.length > 0) return rebuild(program, values, examples)
  if (prompt.kind === 'completion') return { ...prompt, pieces: putIn(prompt.pieces, program.slots, values) }
  const messages = prompt.messages.slice()
  for (const [index, slots] of program.messageSlots)
    messages[index] = { ...messages[index]!, content: putIn(messages[index]!.content, slots, values) }
  return { ...prompt, messages }
}

function putIn(pieces: readonly Piece[], slots: readonly Slot[], values: readonly string[]): Piece[] {
  const filled = pieces.slice()
  for (const { at, number, piece } of slots) filled[at] = withText(piece, values[number]!)
  return filled
}

/** As `{ ...piece, text }`, which is the hot path of rendering with provenance. */
function withText({ control, source, turn, answer }: TextPiece, text: string): TextPiece {
  if (turn === undefined) return answer ? { text, control, source, answer } : { text, control, source }
  return answer ? { text, control, source, turn, answer } : { text, control, source, turn }
}

/** With gaps for examples the pieces are assembled from the chunks. */
function rebuild({ steps, prompt }: PromptProgram, values: readonly string[], examples: readonly Chunk[]): Prompt {
  const pieces: Piece[] = []
  const messages: { content: Piece[]; role: string }[] = []
  let target = pieces
  const put = (part: FlatPart) => {
    if (part.kind === 'piece') target.push(part.piece)
    else {
      target = []
      messages.push({ ...part.message, content: target })
    }
  }
  for (const step of steps) {
    if (step.kind === 'slot') target.push(withText(step.piece, values[step.number]!))
    else for (const part of (step.kind === 'fixed' ? step.chunk : examples[step.index]!).parts) put(part)
  }
  if (prompt.kind === 'completion')
    return { ...prompt, pieces, ...answerAmong(prompt.answer, prompt.pieces.length, pieces, (piece) => piece.answer === true) }
  const hasAnswer = ({ content }: { content: readonly Piece[] }) => content.some((piece) => piece.answer)
  return { ...prompt, messages, ...answerAmong(prompt.answer, prompt.messages.length, messages, hasAnswer) }
}

/** Other examples may have more or fewer pieces: the answer moves with them. */
function answerAmong<Part>(
  answer: PieceRange | undefined,
  length: number,
  parts: readonly Part[],
  isAnswer: (part: Part) => boolean,
): { answer?: PieceRange } {
  if (!answer) return {}
  if (parts.length === length) return { answer }
  if (answer.start === length) return { answer: { start: parts.length, end: parts.length } }
  const start = parts.findIndex(isAnswer)
  const moved = parts.length - length
  return {
    answer: start < 0 ? { start: answer.start + moved, end: answer.end + moved } : { start, end: parts.findLastIndex(isAnswer) + 1 },
  }
}

function valueText(row: Row, name: string): string | undefined {
  // Reading a property is several times faster than checking for it. No prototype has a string, so a string belongs to the row.
  const quick = (row as Record<string, unknown>)[name]
  if (typeof quick === 'string') return quick
  return dictHas(row, name) ? pyStr(dictGet(row, name)) : undefined
}

function cannotBePrepared(part: FlatPart): boolean {
  if (part.kind === 'message') return part.message.parts !== undefined
  return !('text' in part.piece) && !('ids' in part.piece && part.piece.source.by === 'tokenizer')
}

function isSlot(piece: Piece, masked: string | undefined): piece is TextPiece {
  const { by, example, path } = piece.source
  return 'text' in piece && by === 'field' && example === undefined && path !== masked
}

/** The example a part belongs to; the start of a message belongs to one when the pieces before and after it do. */
function exampleAt(flat: readonly FlatPart[], index: number): number | undefined {
  const part = flat[index]!
  if (part.kind === 'piece') return part.piece.source.example
  const before = flat.slice(0, index).findLast((other) => other.kind === 'piece')?.piece.source.example
  const after = flat.slice(index).find((other) => other.kind === 'piece')?.piece.source.example
  return before === after ? before : undefined
}

function chunkOf(parts: readonly FlatPart[], kind: Prompt['kind'], isFirst: boolean): Chunk {
  // Neighbouring pieces are escaped as one: a surrogate pair may be split over two of them.
  let text = ''
  let open = ''
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'piece') open += 'text' in part.piece ? part.piece.text : ''
    else {
      text += (kind === 'chat' ? escapeJson(open) : open) + textOfPart(part, kind, isFirst && index === 0)
      open = ''
    }
  }
  text += kind === 'chat' ? escapeJson(open) : open
  return { text, bytes: bytesOf([{ text, control: false, source: { by: 'format', path: '' } }]), parts }
}

/** Fields that stay in the prompt verbatim, because the row does not have them. */
function absentFields(flat: readonly FlatPart[]): string[] {
  const names = flat.flatMap((part) => {
    if (part.kind !== 'piece' || !('text' in part.piece) || part.piece.source.example !== undefined) return []
    const { by } = part.piece.source
    return by === 'template' || by === 'format' ? [...part.piece.text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!) : []
  })
  return [...new Set(names)]
}
