import type { Prompt } from '@rolecall/core/internal/format'
import { type Match, matchTexts, type Range, textOf, unionOf, unmatched } from './match-texts.ts'
import { cutTurn, type Turn } from './turns.ts'

/** The turns, or parts of turns, that a prompt has beside those of the others. */
export type Cell = readonly Turn[]

export type Aligned = {
  /** One cell for each prompt. */
  lines: readonly (readonly Cell[])[]
  /** For each prompt, the ranges of its text that not all others have. */
  only: readonly (readonly Range[])[]
}

/**
 * Aligns the whole texts of several prompts first. Then all of them are cut where the turns of one begin, the one with most turns: where
 * formats draw borders between turns adds no difference.
 */
export function alignPrompts(prompts: readonly (readonly Turn[])[]): Aligned {
  const matches = prompts.map((first, one) => prompts.map((second, other) => (other > one ? matchTexts(first, second) : [])))
  const only = prompts.map((turns, column) =>
    unionOf(
      prompts.flatMap((_, other) => {
        if (other === column) return []
        const { length } = textOf(turns)
        return [
          other > column ? unmatched(length, matches[column]![other]!, 'first') : unmatched(length, matches[other]![column]!, 'second'),
        ]
      }),
    ),
  )
  const most = Math.max(...prompts.map((turns) => turns.length))
  const reference = prompts.findIndex((turns) => turns.length === most)
  const borders = startsOf(prompts[reference] ?? [])
  const cells = prompts.map((turns, column) => {
    if (column === reference) return turns.map((turn): Cell => [turn])
    const matched = column > reference ? matches[reference]![column]! : matches[column]![reference]!.map(swapped)
    return cellsOf(turns, projected(borders, matched, turns))
  })
  const lines = Array.from({ length: most }, (_, line) => cells.map((column) => column[line] ?? []))
  return { lines: lines.filter((line) => !line.every(isEmpty)), only }
}

/** Whether a cell has nothing to show. */
export function isEmpty(cell: Cell): boolean {
  return cell.every(({ role, text, pieces }) => role === undefined && text === '' && !pieces.some(({ piece }) => 'media' in piece))
}

/** Whether prompts are equal to the last byte; the roles and media of messages count. */
export function areIdentical(prompts: readonly Prompt[]): boolean {
  const contents = prompts.map(contentOf)
  return contents.every((content) => content === contents[0])
}

function contentOf(prompt: Prompt): string {
  const parts = (pieces: Extract<Prompt, { kind: 'completion' }>['pieces']) => {
    const found: unknown[] = []
    for (const piece of pieces) {
      if (!('text' in piece)) found.push('ids' in piece ? piece.ids : piece.media)
      else if (typeof found.at(-1) === 'string') found[found.length - 1] += piece.text
      else found.push(piece.text)
    }
    return found.filter((part) => part !== '')
  }
  return prompt.kind === 'completion'
    ? JSON.stringify(parts(prompt.pieces))
    : JSON.stringify([prompt.messages.map(({ content, ...message }) => [message, parts(content)]), prompt.tools])
}

/** Where turns begin, other than the first. */
function startsOf(turns: readonly Turn[]): number[] {
  return turns.slice(1).map(({ at }) => at)
}

function swapped({ first, second, length }: Match): Match {
  return { first: second, second: first, length }
}

/**
 * Offsets of one text in another. One between two matches may lie anywhere between their partners: it is moved to where a turn of the other
 * prompt begins, the last of several to the last.
 */
function projected(borders: readonly number[], matches: readonly Match[], turns: readonly Turn[]): number[] {
  const [own, end] = [startsOf(turns), textOf(turns).length]
  const places: number[] = []
  for (let index = 0; index < borders.length; ) {
    const border = borders[index]!
    const next = matches.findIndex(({ first, length }) => first + length > border)
    const [before, after] = [next < 0 ? matches.at(-1) : matches[next - 1], next < 0 ? undefined : matches[next]]
    if (after && after.first < border) {
      places.push(after.second + border - after.first)
      index++
      continue
    }
    const [low, high] = [before ? before.second + before.length : 0, after ? after.second : end]
    const gapEnd = after ? after.first : Number.POSITIVE_INFINITY
    let last = index
    while (last < borders.length && borders[last]! <= gapEnd) last++
    const between = own.filter((start) => start >= low && start <= high)
    const free = last - index - between.length
    for (let at = index; at < last; at++) places.push(at - index < free ? (between[0] ?? high) : between[between.length - (last - at)]!)
    index = last
  }
  return places
}

/** Cuts turns at some offsets. */
function cellsOf(turns: readonly Turn[], borders: readonly number[]): Cell[] {
  const edges = [0, ...borders, Number.POSITIVE_INFINITY]
  return edges.slice(1).map((to, index) => {
    const from = edges[index]!
    return turns.flatMap((turn) => {
      if (turn.text === '') return turn.at >= from && turn.at < to ? [turn] : []
      return cutTurn(turn, from, to) ?? []
    })
  })
}
