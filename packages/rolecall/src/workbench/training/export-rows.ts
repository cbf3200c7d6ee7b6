import type { TrainingChat } from '@rolecall/core/internal/masks'
import { type TrainingRow, type TrainingSetup, trainingRow } from '@rolecall/core/internal/masks'
import { countUndecided, countWritten, type ExportCounts } from './export-counts.ts'
import type { NumberedConversation } from './read-training-chat.ts'

/** Options for exporting conversations. */
export type ExportOptions = TrainingSetup & {
  /** Drop conversations with an undecided turn, or do not train that turn. */
  undecided: 'drop' | 'mask'
  maxLength?: number
  overlong: Overlong
  /** Pack conversations into rows of at most this many tokens. */
  pack?: number
  /** Include the origin of each character. */
  origins?: boolean
}

/** An exported row. */
export type ExportedRow = {
  /** The number of the conversation in its file, or the numbers of packed ones. */
  row: number | readonly number[]
  ids: readonly number[]
  mask: readonly (0 | 1)[]
  text?: string
  /** Trained character ranges, in code points as in Python. */
  spans?: readonly (readonly [start: number, end: number])[]
  weights?: readonly number[]
  documents?: readonly (readonly [start: number, end: number])[]
  origins?: readonly { start: number; end: number; by: string; path: string }[]
}

/** Converts conversations to export rows and counts what is dropped, and why. */
export class RowExporter {
  readonly #options: ExportOptions
  readonly #packer: Packer | undefined
  readonly counts: ExportCounts

  constructor(options: ExportOptions, counts: ExportCounts) {
    this.#options = options
    this.#packer = options.pack === undefined ? undefined : new Packer(options.pack)
    this.counts = counts
  }

  /** The row of a conversation; undefined if it is dropped or the packed row is not full yet. */
  add({ chat, number }: NumberedConversation): ExportedRow | undefined {
    this.counts.conversations++
    return this.#put(fittingRow(chat, this.#options, this.#longest, this.#options.overlong), number)
  }

  /** Like `add` for a finished row; an overlong one is dropped. */
  addRow(row: TrainingRow, number: number): ExportedRow | undefined {
    this.counts.conversations++
    return this.#put(row.ids.length > this.#longest ? undefined : { row, messagesCut: 0 }, number)
  }

  get #longest(): number {
    const { maxLength, pack } = this.#options
    return Math.min(maxLength ?? Infinity, pack ?? Infinity)
  }

  #put(fitting: ReturnType<typeof fittingRow>, number: number): ExportedRow | undefined {
    const { counts } = this
    const { undecided } = this.#options
    if (fitting === undefined) {
      counts.leftOut.tooLong++
      return undefined
    }
    const { row, messagesCut } = fitting
    countUndecided(counts, row)
    if (undecided === 'drop' && row.undecided.length > 0) {
      counts.leftOut.undecided++
      return undefined
    }
    if (!row.mask.includes(1)) {
      counts.leftOut.nothingTrained++
      return undefined
    }
    if (messagesCut > 0) {
      counts.cut.conversations++
      counts.cut.messages += messagesCut
    }
    countWritten(counts, row)
    if (this.#packer === undefined) return exported(row, number, this.#options.origins ?? false)
    return packed(this.#packer.add({ ids: row.ids, mask: row.mask, ...(row.weights && { weights: row.weights }), number }))
  }

  /** The last packed row. */
  end(): ExportedRow | undefined {
    return packed(this.#packer?.end())
  }
}

function packed(row: PackedRow | undefined): ExportedRow | undefined {
  return row && { row: row.rows, ids: row.ids, mask: row.mask, ...(row.weights && { weights: row.weights }), documents: row.documents }
}

function exported({ text, ids, mask, spans, weights, prompt }: TrainingRow, number: number, withOrigins: boolean): ExportedRow {
  const places = codePointsOf(text)
  return {
    row: number,
    text,
    ids,
    mask,
    spans: spans.map(({ start, end }) => [places(start), places(end)] as const),
    ...(weights && { weights }),
    ...(withOrigins && { origins: originsOf(prompt.pieces, places) }),
  }
}

function originsOf(pieces: TrainingRow['prompt']['pieces'], places: (at: number) => number): NonNullable<ExportedRow['origins']> {
  let at = 0
  return pieces.flatMap((piece) => {
    if (!('text' in piece) || piece.text === '') return []
    const start = at
    at += piece.text.length
    return [{ start: places(start), end: places(at), by: piece.source.by, path: piece.source.path }]
  })
}

/** Converts UTF-16 offsets to code points. */
function codePointsOf(text: string): (at: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (at) => at
  return (at) => {
    let pairs = 0
    for (let index = 0; index < at; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xd800) pairs++
    return at - pairs
  }
}

/** What to do with an overlong conversation: drop it, or truncate it after a model turn. */
type Overlong = 'drop' | 'cut'

/** A row that fits, and the number of messages removed; undefined if none fits. */
function fittingRow(
  chat: TrainingChat,
  setup: TrainingSetup,
  maxLength: number,
  overlong: Overlong,
): { row: TrainingRow; messagesCut: number } | undefined {
  const row = trainingRow(chat, setup)
  if (row.ids.length <= maxLength) return { row, messagesCut: 0 }
  if (overlong === 'drop') return undefined
  for (let count = chat.messages.length - 1; count > 1; count--) {
    if (chat.messages[count - 1]!.role !== 'assistant') continue
    const shorter = trainingRow({ ...chat, messages: chat.messages.slice(0, count) }, setup)
    if (shorter.ids.length <= maxLength) return { row: shorter, messagesCut: chat.messages.length - count }
  }
  return undefined
}

/** Several conversations in one row of bounded length, with the range of each. */
type PackedRow = {
  ids: number[]
  mask: (0 | 1)[]
  /** Set if a conversation has weights. */
  weights?: number[]
  documents: [start: number, end: number][]
  rows: number[]
}

type Part = { ids: readonly number[]; mask: readonly (0 | 1)[]; weights?: readonly number[]; number: number }

/** Packs conversations in order while they fit; none is truncated. */
class Packer {
  readonly #length: number
  #open: PackedRow | undefined

  constructor(length: number) {
    this.#length = length
  }

  /** Adds a conversation; returns the row it completed, if any. */
  add({ ids, mask, weights, number }: Part): PackedRow | undefined {
    const full = this.#open && this.#open.ids.length + ids.length > this.#length ? this.end() : undefined
    const open: PackedRow = this.#open ?? { ids: [], mask: [], documents: [], rows: [] }
    open.documents.push([open.ids.length, open.ids.length + ids.length])
    open.rows.push(number)
    if (weights) open.weights ??= open.mask.map(Number)
    if (open.weights) for (const one of weights ?? mask) open.weights.push(one)
    for (const id of ids) open.ids.push(id)
    for (const one of mask) open.mask.push(one)
    this.#open = open
    return full
  }

  /** The current partial row. */
  end(): PackedRow | undefined {
    const open = this.#open
    this.#open = undefined
    return open
  }
}
