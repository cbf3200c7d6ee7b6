import { PromptError } from '@rolecall/core/internal/errors'
import { PythonRandom } from '../../python/library/random.ts'
import { type Chunks, oneByOne } from './chunks.ts'

/** Python's `[start:stop:step]`. */
export type RowSlice = { start?: number; stop?: number; step: number }

/**
 * The rows that `test_range` and `train_range` select: those of one or more slices, each applied to the result of the
 * previous one, or a sample of this many rows (below 1: this fraction of them) in a fixed random order.
 */
export type RowRange = ({ kind: 'slices'; slices: readonly RowSlice[] } | { kind: 'sample'; size: number }) & { where: string }

/**
 * Parses a range as OpenCompass configs write it: `"[0:100]"`, `"[::2]"`, `"[-50:]"`, `"[:1000][0:50]"`, or a number.
 * The text is parsed and never evaluated.
 * @example rangeIndexes(readRange('[-3:]', 'test_range'), 10) // => [7, 8, 9]
 */
export function readRange(range: string | number | null | undefined, where: string): RowRange {
  if (range === null || range === undefined) return { kind: 'slices', slices: [], where }
  if (typeof range === 'string') return { kind: 'slices', slices: readSlices(range, where), where }
  if (Number.isNaN(range)) throw badRange(where, 'NaN is not a number of rows', 'write how many rows are meant')
  return { kind: 'sample', size: range, where }
}

/** The indices that a range selects from a number of rows, in order of use. */
export function rangeIndexes(range: RowRange, total: number): number[] {
  const all = Array.from({ length: total }, (_, index) => index)
  if (range.kind === 'slices') return range.slices.reduce(sliced, all)
  if (range.size <= 0 || range.size >= total) return all
  const size = range.size < 1 ? Math.floor(range.size * total) : range.size
  if (!Number.isInteger(size))
    throw badRange(range.where, `${size} is neither a part (below 1) nor a number of rows`, 'write a whole number, or one below 1')
  // The reference seeds with the size, so that two runs use the same rows.
  return new PythonRandom(size).shuffle(all).slice(0, size)
}

/** The rows of a range. If the range allows it, rows are streamed and reading stops after the last needed one. */
export function inRange<Item>(items: Chunks<Item>, range: RowRange): Chunks<Item> {
  if (!isStreamable(range)) return chosen(items, range)
  return range.slices.length === 0 ? items : streamed(items, range.slices)
}

async function* chosen<Item>(items: Chunks<Item>, range: RowRange): AsyncGenerator<Item[]> {
  const all: Item[] = []
  for await (const item of oneByOne(items)) all.push(item)
  yield rangeIndexes(range, all.length).map((index) => all[index]!)
}

/** The maximum number of rows that a range can select; undefined if unlimited. */
export function mostRows(range: RowRange): number | undefined {
  if (range.kind === 'sample') return undefined // with fewer rows than the sample size, all are taken
  const counts = range.slices.flatMap(({ start = 0, stop, step }) =>
    stop === undefined || start < 0 || stop < 0 || step < 0 ? [] : [Math.max(0, Math.ceil((stop - start) / step))],
  )
  return counts.length === 0 ? undefined : Math.min(...counts)
}

type Streamable = { kind: 'slices'; slices: readonly RowSlice[] }

function isStreamable(range: RowRange): range is RowRange & Streamable {
  return range.kind === 'slices' && range.slices.every(({ start = 0, stop = 0, step }) => start >= 0 && stop >= 0 && step > 0)
}

async function* streamed<Item>(items: Chunks<Item>, slices: readonly RowSlice[]): AsyncGenerator<Iterable<Item>> {
  const seen = slices.map(() => 0)
  const isOver = () => slices.some(({ stop }, index) => stop !== undefined && seen[index]! >= stop)
  function* taken(chunk: Iterable<Item>): Generator<Item> {
    for (const item of chunk) {
      if (slices.every(({ start = 0, step }, index) => isTaken(seen[index]!++, start, step))) yield item
      if (isOver()) return
    }
  }
  if (isOver()) return
  for await (const chunk of items) {
    yield taken(chunk)
    if (isOver()) return
  }
}

function isTaken(number: number, start: number, step: number): boolean {
  return number >= start && (number - start) % step === 0
}

function sliced(items: number[], { start, stop, step }: RowSlice): number[] {
  const { length } = items
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1]
  const bound = (position: number) => Math.min(Math.max(position < 0 ? position + length : position, least), most)
  const first = start === undefined ? (step > 0 ? least : most) : bound(start)
  const end = stop === undefined ? (step > 0 ? most : least) : bound(stop)
  const taken: number[] = []
  for (let index = first; step > 0 ? index < end : index > end; index += step) taken.push(items[index]!)
  return taken
}

const howToWrite = 'write a slice such as "[0:100]", "[::2]" or "[-50:]", or a number'

function readSlices(text: string, where: string): RowSlice[] {
  if (text.trim() === '') return [] // as OpenCompass writes "no range" when it splits a dataset
  const slices = [...text.matchAll(/\s*\[([^[\]]*)\]\s*/gy)]
  const read = slices.reduce((length, [whole]) => length + whole.length, 0)
  if (slices.length === 0 || read !== text.length) throw badRange(where, `"${text}" is not a slice`, howToWrite)
  return slices.map(([, inside]) => readSlice(inside!, text, where))
}

function readSlice(inside: string, text: string, where: string): RowSlice {
  const parts = inside.split(':')
  const numbers = parts.map(position)
  if (parts.length === 1 && isNumber(numbers[0]))
    throw badRange(where, `"${text}" is one row, not a range`, `write "[${numbers[0]}:${numbers[0] + 1 || ''}]"`)
  if (parts.length < 2 || parts.length > 3 || numbers.includes(undefined)) throw badRange(where, `"${text}" is not a slice`, howToWrite)
  const [start, stop, step] = numbers
  if (step === 0) throw badRange(where, `"${text}" has a step of 0`, 'use 1 to take every row')
  return { ...(isNumber(start) ? { start } : {}), ...(isNumber(stop) ? { stop } : {}), step: isNumber(step) ? step : 1 }
}

/** A number, null if it is omitted, undefined if it is invalid. */
function position(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === 'None') return null
  return /^[+-]?\d+(_\d+)*$/.test(trimmed) ? Number(trimmed.replaceAll('_', '')) : undefined
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number'
}

function badRange(where: string, problem: string, fix: string): PromptError {
  return new PromptError('bad-range', { where, problem, fix })
}
