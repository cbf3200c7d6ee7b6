import type { TrainingRow } from './training-row.ts'

/** What an export came to. */
export type ExportCounts = {
  /** Conversations that were read. */
  conversations: number
  /** Those that were written; packed ones are counted one by one. */
  written: number
  tokens: number
  trainedTokens: number
  /** Conversations with a turn of which nobody can say what the model writes, and such turns by their reasons. */
  undecided: { conversations: number; turns: Record<string, number> }
  /** Left out because a turn is undecided, because they are too long, or because nothing of them would be trained. */
  leftOut: { undecided: number; tooLong: number; nothingTrained: number; unreadable: number }
  /** Those that were cut behind a turn, and how many messages that took. */
  cut: { conversations: number; messages: number }
  /** What formats noted, such as a system text that a template leaves out, and in how many conversations. */
  notes: Record<string, number>
  /** Lengths in tokens of what was written: up to 1, 2, 4, 8, … tokens. */
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

export function countUndecided(counts: ExportCounts, { undecided }: TrainingRow): void {
  if (undecided.length === 0) return
  counts.undecided.conversations++
  for (const { why } of undecided) counts.undecided.turns[why] = (counts.undecided.turns[why] ?? 0) + 1
}

/** Notes may name places of a row: so many different ones are told. */
const notesKept = 20

export function countWritten(counts: ExportCounts, { ids, mask, prompt }: TrainingRow): void {
  for (const text of new Set(prompt.notes.map((note) => note.text))) {
    const known = Object.hasOwn(counts.notes, text) || Object.keys(counts.notes).length < notesKept ? text : 'other notes'
    counts.notes[known] = (counts.notes[known] ?? 0) + 1
  }
  counts.written++
  counts.tokens += ids.length
  for (const one of mask) counts.trainedTokens += one
  const upTo = String(2 ** Math.ceil(Math.log2(Math.max(1, ids.length))))
  counts.lengths[upTo] = (counts.lengths[upTo] ?? 0) + 1
}
