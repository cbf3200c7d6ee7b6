import { longestCommonSubsequence } from '../../../src/workbench/diff/align-lists.ts'
import { sourceKey, type TurnPart, textOfDrawn } from './align.ts'

/** A range of a turn's text. */
export type Range = readonly [start: number, end: number]

/**
 * What a turn has that another lacks. Pieces of the same source are compared with each other, and so is the format text between
 * them: a word of a marker never matches a word of the row.
 */
export function differencesFrom(turn: TurnPart, other: TurnPart): Range[] {
  const [own, theirs] = [piecesOf(turn), piecesOf(other)]
  const partners = new Map(
    longestCommonSubsequence(
      own.map(({ key }) => key),
      theirs.map(({ key }) => key),
    ),
  )
  const ranges: Range[] = []
  for (const [index, { text, at }] of own.entries()) {
    const partner = partners.get(index)
    const found = partner === undefined ? (text === '' ? [] : [[0, text.length] as const]) : wordsOnlyIn(text, theirs[partner]!.text)
    for (const [start, end] of found) ranges.push([start + at, end + at])
  }
  return joined(ranges)
}

/** Merges ranges; overlapping ones become one. */
export function unionOf(lists: readonly (readonly Range[])[]): Range[] {
  return joined(lists.flat().toSorted((one, other) => one[0] - other[0]))
}

type Keyed = { key: string; text: string; at: number }

/** The pieces of a turn by source; adjacent format pieces are merged. */
function piecesOf({ pieces }: TurnPart): Keyed[] {
  const found: Keyed[] = []
  let at = 0
  for (const drawn of pieces) {
    const text = textOfDrawn(drawn)
    const key = drawn.origin === 'format' ? 'format' : sourceKey(drawn.piece.source)
    const last = found.at(-1)
    if (last && last.key === key && key === 'format') last.text += text
    else found.push({ key, text, at })
    at += text.length
  }
  return found
}

/** The words and markers that only the first of two texts has. */
export function wordsOnlyIn(text: string, other: string): Range[] {
  if (text === other) return []
  const [own, theirs] = [wordsOf(text), wordsOf(other)]
  // Comparing is quadratic: very long texts are compared as a whole.
  if (own.length * theirs.length > 4_000_000) return [[0, text.length]]
  const common = new Set(
    longestCommonSubsequence(
      own.map(({ word }) => word),
      theirs.map(({ word }) => word),
    ).map(([index]) => index),
  )
  return joined(own.flatMap(({ word, at }, index): Range[] => (common.has(index) ? [] : [[at, at + word.length]])))
}

type Word = { word: string; at: number }

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/<[^<>\s]+>|[\p{L}\p{N}_]+|\n|[^\S\n]+|./gsu)].map((found) => ({ word: found[0], at: found.index }))
}

function joined(ranges: readonly Range[]): Range[] {
  const found: [number, number][] = []
  for (const [start, end] of ranges) {
    const last = found.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else found.push([start, end])
  }
  return found
}
