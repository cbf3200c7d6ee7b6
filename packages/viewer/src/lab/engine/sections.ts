import type { Written } from '@rolecall/core/internal/jinja'
import type { Section } from './contract.ts'
import type { Placed } from './stretches.ts'

type Cuts = {
  /** Texts that end a turn. */
  stops: readonly string[]
  /** What the statements of the template wrote, in order. */
  written: readonly Written[]
  /** Where the generation prompt begins. */
  generation: number
}

/**
 * Divides a prompt by its messages, so that several can be read side by side. Templates write the end of one turn and the start of the next
 * one in one stretch: it is cut behind the text that ends turns, else where the template's loop starts again, else behind the statement that
 * wrote the earlier message. Messages between which there is no such border (a system message in front of a question) share a section.
 */
export function sectionsOf(stretches: readonly Placed[], cuts: Cuts): Section[] {
  const borders = [...bordersOf(stretches, cuts), cuts.generation].filter((at) => at > 0)
  const sections: { from: number; stretches: Placed[] }[] = [{ from: 0, stretches: [] }]
  for (const stretch of stretches) {
    for (const part of splitAt(stretch, borders)) {
      if (borders.includes(part.at) && part.at > sections.at(-1)!.from) sections.push({ from: part.at, stretches: [] })
      sections.at(-1)!.stretches.push(part)
    }
  }
  let last = -1
  return sections.flatMap(({ from, stretches: own }): Section[] => {
    if (own.length === 0) return []
    if (from >= cuts.generation) return [{ key: 'generation', stretches: own }]
    const messages = own.flatMap(({ message }) => (message === undefined ? [] : [message]))
    if (messages.length === 0) return [{ key: last < 0 ? 'start' : last, stretches: own }]
    last = Math.max(...messages)
    return [{ key: last, stretches: own }]
  })
}

/** Stretches of messages, in order; what lies between two of different messages is searched for a border. */
function bordersOf(stretches: readonly Placed[], { stops, written, generation }: Cuts): number[] {
  const own = stretches.filter(({ message, at, path }) => message !== undefined && at < generation && !path.endsWith('.role'))
  const [first] = own
  const opening = first === undefined ? undefined : lastStopIn(textBetween(stretches, 0, first.at), stops)
  const borders = own.slice(1).flatMap((next, index) => {
    const before = own[index]!
    if (next.message === before.message) return []
    const [from, to] = [before.at + before.text.length, next.at]
    const between = textBetween(stretches, from, to)
    const border = afterStop(between, stops) ?? whereLoopRestarts(written, from, to) ?? afterStatement(written, between, from, to)
    return border === undefined ? [] : [typeof border === 'number' ? border : from + border.after]
  })
  return opening === undefined ? borders : [opening, ...borders]
}

/** Whole turns that the template writes on its own in front of the first message: a default system prompt, tools. */
function lastStopIn(text: string, stops: readonly string[]): number | undefined {
  const ends = stops.flatMap((stop) => (stop !== '' && text.includes(stop) ? [text.lastIndexOf(stop) + stop.length] : []))
  if (ends.length === 0) return undefined
  const end = Math.max(...ends)
  return end + /^\n*/.exec(text.slice(end))![0].length
}

function textBetween(stretches: readonly Placed[], from: number, to: number): string {
  return stretches
    .filter(({ at }) => at >= from && at < to)
    .map(({ text }) => text)
    .join('')
}

function afterStop(between: string, stops: readonly string[]): { after: number } | undefined {
  const ends = stops.flatMap((stop) => (stop !== '' && between.includes(stop) ? [between.indexOf(stop) + stop.length] : []))
  if (ends.length === 0) return undefined
  const end = Math.min(...ends)
  return { after: end + /^\n*/.exec(between.slice(end))![0].length }
}

/** A later statement that stands earlier in the source: the next round of the loop. */
function whereLoopRestarts(written: readonly Written[], from: number, to: number): number | undefined {
  const there = written.filter(({ start, end }) => end > start && start >= from && start <= to)
  const before = written.findLast(({ start, end }) => end > start && start < from)
  const found = there.find((one, index) => one.span[0] < (there[index - 1] ?? before ?? one).span[0])
  return found?.start
}

function afterStatement(written: readonly Written[], between: string, from: number, to: number): number | undefined {
  if (between.trim() === '') return undefined
  const end = written.find((one) => one.start < from && one.end >= from && one.end <= to)?.end
  return end ?? written.find((one) => one.start >= from && one.start <= to && one.end > to)?.start
}

function splitAt(stretch: Placed, borders: readonly number[]): Placed[] {
  const inside = borders.filter((at) => at > stretch.at && at < stretch.at + stretch.text.length).toSorted((one, other) => one - other)
  if (inside.length === 0) return [stretch]
  const bounds = [stretch.at, ...inside, stretch.at + stretch.text.length]
  return bounds.slice(1).map((end, index) => ({
    ...stretch,
    at: bounds[index]!,
    text: stretch.text.slice(bounds[index]! - stretch.at, end - stretch.at),
  }))
}
