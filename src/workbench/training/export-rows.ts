import { countUndecided, countWritten, type ExportCounts } from './export-counts.ts'
import { fittingRow, type Overlong } from './fit-length.ts'
import { type PackedRow, Packer } from './pack.ts'
import type { NumberedConversation } from './read-conversation.ts'
import type { TrainingRow, TrainingSetup } from './training-row.ts'

/** How conversations are exported. */
export type ExportOptions = TrainingSetup & {
  /** What is done with a conversation that has an undecided turn: it is left out, or that turn is not trained. */
  undecided: 'drop' | 'mask'
  maxLength?: number
  overlong: Overlong
  /** Several conversations become one row of at most this many tokens. */
  pack?: number
  /** Who wrote each character, too. */
  origins?: boolean
}

/** A row of the export, as it is written. */
export type ExportedRow = {
  /** The number of the conversation in its file, or of those that were packed. */
  row: number | readonly number[]
  ids: readonly number[]
  mask: readonly (0 | 1)[]
  text?: string
  /** Trained characters, counted as Python does. */
  spans?: readonly (readonly [start: number, end: number])[]
  weights?: readonly number[]
  documents?: readonly (readonly [start: number, end: number])[]
  origins?: readonly { start: number; end: number; by: string; path: string }[]
}

/** The rows of an export, one by one; what is left out and why is counted. */
export class RowExporter {
  readonly #options: ExportOptions
  readonly #packer: Packer | undefined
  readonly counts: ExportCounts

  constructor(options: ExportOptions, counts: ExportCounts) {
    this.#options = options
    this.#packer = options.pack === undefined ? undefined : new Packer(options.pack)
    this.counts = counts
  }

  /** What a conversation gives: a row, none where it is left out, or none yet where rows are packed. */
  add({ chat, number }: NumberedConversation): ExportedRow | undefined {
    this.counts.conversations++
    return this.#put(fittingRow(chat, this.#options, this.#longest, this.#options.overlong), number)
  }

  /** As `add`, for a row that is made already; one that is too long is left out. */
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

  /** The last row, where rows are packed. */
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

/** Places of a text as Python counts them, where some characters take two units of ours. */
function codePointsOf(text: string): (at: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (at) => at
  return (at) => {
    let pairs = 0
    for (let index = 0; index < at; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xd800) pairs++
    return at - pairs
  }
}
