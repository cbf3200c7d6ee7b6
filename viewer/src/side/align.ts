import type { Prompt } from '../../../src/format/format.ts'
import { blocksOf, type Drawn } from '../prompt/segments.ts'

/** What one speaker says, with the markers around it. */
export type TurnPart = { role?: string; pieces: readonly Drawn[] /** What it says, whatever the format. */; key: string; text: string }

/** A prompt turn by turn: messages are turns; in a text, text between two turns belongs to the one before. */
export function turnsOf(prompt: Prompt): TurnPart[] {
  const blocks = blocksOf(prompt)
  if (prompt.kind === 'chat') return blocks.map(({ role, pieces }) => turnOf(pieces, role))
  const groups: Drawn[][] = []
  let turn: number | undefined
  for (const drawn of blocks[0]?.pieces ?? []) {
    const isNew = drawn.piece.turn !== undefined && drawn.piece.turn !== turn
    if (isNew || groups.length === 0) groups.push([])
    turn = drawn.piece.turn ?? turn
    groups.at(-1)!.push(drawn)
  }
  return groups.map((pieces) => turnOf(pieces, undefined))
}

function turnOf(pieces: readonly Drawn[], role: string | undefined): TurnPart {
  const said = pieces.filter(
    ({ piece }) =>
      piece.source.by !== 'format' &&
      piece.source.by !== 'tokenizer' &&
      !('text' in piece && piece.control && piece.source.by === 'message'),
  )
  const key = said
    .map(({ piece: { source } }) => `${source.by} ${source.path} ${source.example ?? ''} ${source.span?.join() ?? ''}`)
    .join('|')
  return { pieces, key, text: pieces.map(textOfDrawn).join(''), role }
}

export function textOfDrawn({ piece }: Drawn): string {
  return 'text' in piece ? piece.text : 'ids' in piece ? piece.ids.map((id) => `<#${id}>`).join('') : ''
}

export type Aligned = { left?: TurnPart; right?: TurnPart }

/** The turns of two prompts side by side: those that say the same stand in one line. */
export function alignTurns(left: readonly TurnPart[], right: readonly TurnPart[]): Aligned[] {
  const matches = longestCommon(
    left.map(({ key }) => key),
    right.map(({ key }) => key),
  )
  const lines: Aligned[] = []
  let [atLeft, atRight] = [0, 0]
  const flush = (toLeft: number, toRight: number) => {
    // What has no partner stands side by side in order, as far as there is something on both sides.
    while (atLeft < toLeft || atRight < toRight) {
      lines.push({ ...(atLeft < toLeft ? { left: left[atLeft++]! } : {}), ...(atRight < toRight ? { right: right[atRight++]! } : {}) })
    }
  }
  for (const [one, other] of matches) {
    flush(one, other)
    lines.push({ left: left[atLeft++]!, right: right[atRight++]! })
  }
  flush(left.length, right.length)
  return lines
}

/** The stretches of two texts that only one of them has. */
export function differences(left: string, right: string): { left: [number, number][]; right: [number, number][] } {
  if (left === right) return { left: [], right: [] }
  const [one, other] = [wordsOf(left), wordsOf(right)]
  // Comparing is quadratic: very long texts are told apart as a whole.
  if (one.length * other.length > 4_000_000) return { left: [[0, left.length]], right: [[0, right.length]] }
  const matches = longestCommon(
    one.map(({ word }) => word),
    other.map(({ word }) => word),
  )
  const inLeft = new Set(matches.map(([at]) => at))
  const inRight = new Set(matches.map(([, at]) => at))
  return { left: gaps(one, inLeft), right: gaps(other, inRight) }
}

type Word = { word: string; at: number }

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/<[^<>\s]+>|[\p{L}\p{N}_]+|\n|[^\S\n]+|./gsu)].map((found) => ({ word: found[0], at: found.index }))
}

function gaps(words: readonly Word[], common: ReadonlySet<number>): [number, number][] {
  const ranges: [number, number][] = []
  for (const [index, { word, at }] of words.entries()) {
    if (common.has(index)) continue
    const last = ranges.at(-1)
    if (last && last[1] === at) last[1] = at + word.length
    else ranges.push([at, at + word.length])
  }
  return ranges
}

/** The longest common subsequence, as pairs of places. */
function longestCommon(left: readonly string[], right: readonly string[]): [number, number][] {
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  for (let one = left.length - 1; one >= 0; one--) {
    for (let other = right.length - 1; other >= 0; other--) {
      lengths[one * width + other] =
        left[one] === right[other]
          ? lengths[(one + 1) * width + other + 1]! + 1
          : Math.max(lengths[(one + 1) * width + other]!, lengths[one * width + other + 1]!)
    }
  }
  const pairs: [number, number][] = []
  for (let one = 0, other = 0; one < left.length && other < right.length; ) {
    if (left[one] === right[other]) pairs.push([one++, other++])
    else if (lengths[(one + 1) * width + other]! >= lengths[one * width + other + 1]!) one++
    else other++
  }
  return pairs
}
