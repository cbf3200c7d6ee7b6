import { alignLists } from 'rolecall/internal/workbench/diff/align-lists'
import { sourceKey, type Turn, textOfDrawn } from './turns.ts'

/** A range of a text. */
export type Range = readonly [start: number, end: number]

/** Equal ranges of two texts. */
export type Match = { first: number; second: number; length: number }

/** Comparing is quadratic: between the common start and end, longer texts count as different. */
const most = 4_000_000

/**
 * The equal ranges of two prompts, in order. Equal turns are matched first, then the same text of the row or template between them, then
 * words: a marker quoted in the row does not match one of the format.
 */
export function matchTexts(first: readonly Turn[], second: readonly Turn[]): Match[] {
  const [one, other] = [textOf(first), textOf(second)]
  if (one === other) return one === '' ? [] : [{ first: 0, second: 0, length: one.length }]
  const levels = [turnUnits, contentUnits, wordUnits]
  return levels.reduce((matches, unitsOf) => matchBetween(matches, [one, other], unitsOf(first), unitsOf(second)), [] as Match[])
}

/** Adds matches between those known. */
function matchBetween(
  known: readonly Match[],
  [one, other]: readonly [string, string],
  first: readonly Unit[],
  second: readonly Unit[],
): Match[] {
  const matches: Match[] = []
  const add = (match: Match) => {
    const last = matches.at(-1)
    if (last && last.first + last.length === match.first && last.second + last.length === match.second) last.length += match.length
    else matches.push({ ...match })
  }
  let [from, to] = [0, 0]
  for (const next of [...known, { first: one.length, second: other.length, length: 0 }]) {
    const own = first.filter(({ at, length }) => at >= from && at + length <= next.first)
    const theirs = second.filter(({ at, length }) => at >= to && at + length <= next.second)
    const keys = ({ key }: Unit) => key
    for (const [left, right] of alignLists(own.map(keys), theirs.map(keys), { most }))
      add({ first: own[left]!.at, second: theirs[right]!.at, length: own[left]!.length })
    if (next.length > 0) add(next)
    ;[from, to] = [next.first + next.length, next.second + next.length]
  }
  return matches
}

/** The ranges of a text that no match covers. */
export function unmatched(length: number, matches: readonly Match[], side: 'first' | 'second'): Range[] {
  const ranges: Range[] = []
  let at = 0
  for (const match of [...matches, { [side]: length, length: 0 } as Match]) {
    if (match[side] > at) ranges.push([at, match[side]])
    at = match[side] + match.length
  }
  return ranges
}

/** Merges ranges; overlapping ones become one. */
export function unionOf(lists: readonly (readonly Range[])[]): Range[] {
  const found: [number, number][] = []
  for (const [start, end] of lists.flat().toSorted((one, other) => one[0] - other[0])) {
    const last = found.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else found.push([start, end])
  }
  return found
}

export function textOf(turns: readonly Turn[]): string {
  return turns.map(({ text }) => text).join('')
}

/** A range that matches as a whole; units with the same key have the same text. */
type Unit = { key: string; at: number; length: number }

function turnUnits(turns: readonly Turn[]): Unit[] {
  return turns.flatMap(({ text, at }) => (text === '' ? [] : [{ key: text, at, length: text.length }]))
}

/** The pieces that no format wrote, by source and text. */
function contentUnits(turns: readonly Turn[]): Unit[] {
  return turns.flatMap(({ pieces, at: start }) => {
    let at = start
    return pieces.flatMap((drawn): Unit[] => {
      const text = textOfDrawn(drawn)
      at += text.length
      const { source } = drawn.piece
      if (text === '' || source.by === 'format' || source.by === 'tokenizer') return []
      return [{ key: `${sourceKey(source)}\n${text}`, at: at - text.length, length: text.length }]
    })
  })
}

/** Words, markers, whitespace and single characters. */
function wordUnits(turns: readonly Turn[]): Unit[] {
  const found = textOf(turns).matchAll(/<[^<>\s]+>|[\p{L}\p{N}_]+|\n|[^\S\n]+|./gsu)
  return [...found].map(({ 0: key, index }) => ({ key, at: index, length: key.length }))
}
