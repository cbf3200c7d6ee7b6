import type { TrainingRow } from '@rolecall/core/internal/masks'

/** The counts of an export. */
export type ExportCounts = {
  /** Conversations read. */
  conversations: number
  /** Conversations written; packed ones count individually. */
  written: number
  tokens: number
  trainedTokens: number
  /** Conversations with an undecided turn, and undecided turns by reason. */
  undecided: { conversations: number; turns: Record<string, number> }
  /** Dropped because a turn is undecided, the row is too long, or nothing would be trained. */
  leftOut: { undecided: number; tooLong: number; nothingTrained: number; unreadable: number }
  /** Conversations truncated after a turn, and the messages removed. */
  cut: { conversations: number; messages: number }
  /** Notes of formats, such as a dropped system message, with the number of conversations. */
  notes: Record<string, number>
  /** Histogram of row lengths: up to 1, 2, 4, 8, … tokens. */
  lengths: Record<string, number>
}

export function noCounts(): ExportCounts {
  return {
    conversations: 0,
    written: 0,
    tokens: 0,
    trainedTokens: 0,
    undecided: { conversations: 0, turns: {} },
    leftOut: { undecided: 0, tooLong: 0, nothingTrained: 0, unreadable: 0 },
    cut: { conversations: 0, messages: 0 },
    notes: {},
    lengths: {},
  }
}

export function countUndecided(counts: ExportCounts, undecided: TrainingRow['undecided']): void {
  if (undecided.length === 0) return
  counts.undecided.conversations++
  for (const { why } of undecided) counts.undecided.turns[why] = (counts.undecided.turns[why] ?? 0) + 1
}

/** Maximum number of distinct notes, which may name positions in rows. */
const notesKept = 20

/** Counts a written row; one that was recorded as ids has no prompt. */
export function countWritten(
  counts: ExportCounts,
  { ids, mask, prompt }: Pick<TrainingRow, 'ids' | 'mask'> & Partial<Pick<TrainingRow, 'prompt'>>,
): void {
  const media = prompt?.kind === 'completion' ? prompt.pieces.flatMap((piece) => ('media' in piece ? [piece.media.kind] : [])) : []
  const leftOut = [...new Set(media)].map((kind) => `${kind} left out: the row has what the format writes for it, not its content`)
  countNotes(counts, [...(prompt?.notes ?? []).map((note) => note.text), ...leftOut])
  counts.written++
  counts.tokens += ids.length
  for (const one of mask) counts.trainedTokens += one
  const upTo = String(2 ** Math.ceil(Math.log2(Math.max(1, ids.length))))
  counts.lengths[upTo] = (counts.lengths[upTo] ?? 0) + 1
}

/** Counts each note of a row once. */
export function countNotes(counts: ExportCounts, texts: readonly string[]): void {
  for (const text of new Set(texts)) {
    const known = Object.hasOwn(counts.notes, text) || Object.keys(counts.notes).length < notesKept ? text : 'other notes'
    counts.notes[known] = (counts.notes[known] ?? 0) + 1
  }
}
