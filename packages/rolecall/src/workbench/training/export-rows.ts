import { PromptError } from '@rolecall/core/internal/errors'
import type { TrainingChat, TrainingPolicy } from '@rolecall/core/internal/masks'
import { type TrainingRow, type TrainingSetup, trainingRow, wholeTurns } from '@rolecall/core/internal/masks'
import { decodeTokens } from '@rolecall/core/internal/tokenizer'
import { countNotes, countUndecided, countWritten, type ExportCounts } from './export-counts.ts'
import type { NumberedConversation } from './read-training-chat.ts'
import type { RecordedChat, SeenFacts } from './recorded-steps.ts'
import { type PackedRow, Packer, type PackedPart as Part } from './row-packer.ts'
import { type SeenBranch, seenBranches, seenTree } from './seen-branches.ts'
import { seenTurns } from './seen-turns.ts'
import { type TrainerName, trainerRow } from './trainer-rows.ts'

/** Options for exporting conversations. */
export type ExportOptions = TrainingSetup & {
  /**
   * Of conversations with an undecided turn: drop them, do not train that turn, or write a row for each prompt that the model would have seen.
   */
  undecided: 'drop' | 'mask' | 'rows'
  /** Write the columns of a trainer; `tree`: a row for each chat, in which a shared start of its prompts is stored once. */
  trainer?: TrainerName | 'tree' | undefined
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
  /** Of a recorded chat. */
  logprobs?: readonly number[]
  /** The number of tokens in front of the first reply, of rows as the model saw them. */
  prompt_length?: number
  reward?: number
}

/** A row to write: ours, or in the columns of a trainer. */
export type WrittenRow = ExportedRow | Readonly<Record<string, unknown>>

/** Converts conversations to export rows and counts what is dropped, and why. */
export class RowExporter {
  readonly #options: ExportOptions
  readonly #setup: TrainingSetup
  readonly #packer: Packer | undefined
  readonly counts: ExportCounts

  constructor(options: ExportOptions, counts: ExportCounts) {
    this.#options = options
    const { format, tokenizer, policy, memo } = options
    this.#setup = { format, tokenizer, policy, memo }
    this.#packer = options.pack === undefined ? undefined : new Packer(options.pack)
    this.counts = counts
  }

  /** The rows of a conversation; none if it is dropped or the packed row is not full yet. */
  add({ chat, number }: NumberedConversation): readonly WrittenRow[] {
    this.counts.conversations++
    const fitting = fittingRow(chat, this.#setup, this.#longest, this.#options.overlong)
    if (this.#options.undecided !== 'rows' || fitting === undefined || fitting.row.undecided.length === 0) return this.#put(fitting, number)
    const messages = fitting.messagesCut === 0 ? chat.messages : chat.messages.slice(0, -fitting.messagesCut)
    const { steps, undecided } = seenTurns({ ...chat, messages }, this.#setup)
    countUndecided(this.counts, undecided)
    const { written } = this.counts
    const rows = this.#putBranches(seenBranches(steps), {}, number)
    if (this.counts.written === written) return rows
    this.#countCut(fitting.messagesCut)
    if (hasWeights(messages)) countNotes(this.counts, ['the weights of messages are left out: rows as the model saw them have none'])
    return rows
  }

  /** Like `add` for a finished row; an overlong one is dropped. */
  addRow(row: TrainingRow, number: number): readonly WrittenRow[] {
    this.counts.conversations++
    return this.#put(row.ids.length > this.#longest ? undefined : { row, messagesCut: 0 }, number)
  }

  /** Like `add` for a chat whose ids were recorded, which do not say what is reasoning or a call. */
  addRecorded({ steps, facts }: RecordedChat, number: number): readonly WrittenRow[] {
    const flag = flagOf({ ...wholeTurns, ...this.#options.policy })
    if (flag !== undefined)
      throw new PromptError('bad-flag', {
        where: flag,
        problem: 'replies that were recorded as ids are trained whole',
        fix: `leave out ${flag}, or give conversations as messages`,
      })
    this.counts.conversations++
    return this.#putBranches(seenBranches(steps), facts, number)
  }

  get #longest(): number {
    const { maxLength, pack } = this.#options
    return Math.min(maxLength ?? Infinity, pack ?? Infinity)
  }

  #put(fitting: ReturnType<typeof fittingRow>, number: number): readonly WrittenRow[] {
    const { counts } = this
    const { undecided } = this.#options
    if (fitting === undefined) {
      counts.leftOut.tooLong++
      return []
    }
    const { row, messagesCut } = fitting
    countUndecided(counts, row.undecided)
    if (undecided === 'drop' && row.undecided.length > 0) {
      counts.leftOut.undecided++
      return []
    }
    if (!row.mask.includes(1)) {
      counts.leftOut.nothingTrained++
      return []
    }
    this.#countCut(messagesCut)
    countWritten(counts, row)
    const { trainer } = this.#options
    if (trainer !== undefined) {
      if (row.weights) countNotes(counts, [`the weights of messages are left out: ${trainer} has no column for them`])
      return this.#forTrainer([asBranch(row)], {}, number)
    }
    // A file has the columns of its first rows.
    const asSeen = undecided === 'rows' ? { prompt_length: row.mask.indexOf(1) } : {}
    if (this.#packer === undefined) return [{ ...exported(row, number, this.#options.origins ?? false), ...asSeen }]
    return this.#packed({ ids: row.ids, mask: row.mask, ...(row.weights && { weights: row.weights }), number })
  }

  #countCut(messages: number): void {
    if (messages === 0) return
    this.counts.cut.conversations++
    this.counts.cut.messages += messages
  }

  /** The rows of a chat as the model saw it. */
  #putBranches(branches: readonly SeenBranch[], facts: SeenFacts, number: number): readonly WrittenRow[] {
    const { counts } = this
    const fitting = branches.filter(({ ids }) => ids.length <= this.#longest)
    counts.leftOut.tooLong += branches.length - fitting.length
    const trained = fitting.filter(({ mask }) => mask.includes(1))
    if (trained.length === 0 && fitting.length === branches.length) counts.leftOut.nothingTrained++
    for (const branch of trained) countWritten(counts, branch)
    if (this.#options.trainer !== undefined) return this.#forTrainer(trained, facts, number)
    if (this.#packer !== undefined) return trained.flatMap(({ ids, mask }) => this.#packed({ ids, mask, number }))
    return trained.map(({ ids, mask, logprobs, promptLength }): ExportedRow => {
      const text = decodeTokens(ids, this.#options.tokenizer)
      return { row: number, text, ids, mask, spans: undefined, logprobs, prompt_length: promptLength, reward: facts.reward }
    })
  }

  #forTrainer(branches: readonly SeenBranch[], facts: SeenFacts, number: number): readonly WrittenRow[] {
    const { trainer } = this.#options
    if (trainer === undefined || branches.length === 0) return []
    if (trainer === 'tree') return [{ row: number, ...seenTree(branches), reward: facts.reward }]
    return branches.map((branch) => {
      const { row, leftOut } = trainerRow(trainer, { ...branch, facts }, `row ${number}`)
      countNotes(this.counts, leftOut)
      return row
    })
  }

  #packed(part: Part): readonly WrittenRow[] {
    const row = packed(this.#packer?.add(part))
    return row === undefined ? [] : [row]
  }

  /** The last packed row. */
  end(): ExportedRow | undefined {
    return packed(this.#packer?.end())
  }
}

/** The first flag with which not all of each reply is trained. */
function flagOf({ train, turns, reasoning, calls }: TrainingPolicy): string | undefined {
  if (train !== 'turn') return `--train ${train}`
  if (turns !== 'all') return `--turns ${turns}`
  if (!reasoning) return '--no-reasoning'
  return calls ? undefined : '--no-calls'
}

function hasWeights(messages: TrainingChat['messages']): boolean {
  return messages.some((message) => {
    const { weight } = message as { weight?: unknown }
    return message.role === 'assistant' && typeof weight === 'number' && weight !== 0 && weight !== 1
  })
}

/** A row of a whole conversation: all that stands behind the first reply is a response to a trainer that parts them. */
function asBranch({ ids, mask, turns }: TrainingRow): SeenBranch {
  return { ids, mask, promptLength: mask.indexOf(1), turns: Math.max(1, turns.length) }
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
