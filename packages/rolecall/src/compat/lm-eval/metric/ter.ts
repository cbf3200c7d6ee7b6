import { splitSpace } from '@rolecall/core/internal/python'

/** Limits of Tercom, which sacrebleu shares. */
const longestShift = 10
const farthestShift = 50
const beam = 25
const mostCandidates = 1000

/** How a word of the reply aligns with a word of the reference. */
const same = 0
const replaced = 1
const added = 2
const dropped = 3

/** The number of inserted, deleted, replaced or shifted words, and the mean number of reference words. */
export type TranslationEdits = { edits: number; words: number }

/**
 * The number of words to insert, delete, replace or shift to turn a reply into its nearest reference, and the mean number of reference
 * words: translation edit rate as sacrebleu computes it, ignoring case. http://mt-archive.info/AMTA-2006-Snover.pdf
 *
 * @example translationEdits('mat the on', ['on the mat']) // => { edits: 2, words: 3 }
 */
export function translationEdits(reply: string, references: readonly string[]): TranslationEdits {
  const said = wordsOf(reply)
  let edits = Number.POSITIVE_INFINITY
  let words = 0
  for (const reference of references) {
    const right = wordsOf(reference)
    words += right.length
    edits = Math.min(edits, right.length === 0 ? said.length : editsWithShifts(said, right))
  }
  return references.length === 0 ? { edits: said.length, words: 0 } : { edits, words: words / references.length }
}

function wordsOf(text: string): string[] {
  return splitSpace(text.toLowerCase())
}

/** Shifts words as long as that saves edits, then counts the remaining edits. */
function editsWithShifts(said: readonly string[], right: readonly string[]): number {
  let words = said
  let shifts = 0
  for (let tried = 0; ; ) {
    const best = bestShift(words, right, tried)
    tried = best.tried
    if (tried >= mostCandidates || best.saved <= 0) return shifts + align(words, right).edits
    shifts++
    words = best.words
  }
}

type Shift = { saved: number; length: number; start: number; target: number; words: readonly string[] }

/** The shift that saves most; ties go to the longest shift, then the first in the reply, then the first target position. */
function bestShift(
  said: readonly string[],
  right: readonly string[],
  triedBefore: number,
): Pick<Shift, 'saved' | 'words'> & { tried: number } {
  const before = align(said, right)
  const { places, wrongInReply, wrongInReference } = before
  let tried = triedBefore
  let best: Shift | undefined
  for (const [start, from, length] of commonRuns(said, right)) {
    const isWrong = anyOf(wrongInReply, start, length) && anyOf(wrongInReference, from, length)
    const place = places[from]!
    if (!isWrong || (start <= place && place < start + length)) continue
    let last = -1
    for (let offset = -1; offset < length; offset++) {
      const target = from + offset === -1 ? 0 : places[from + offset] === undefined ? undefined : places[from + offset]! + 1
      if (target === undefined) break
      if (target === last) continue
      last = target
      const words = moved(said, start, length, target)
      const shift: Shift = { saved: before.edits - align(words, right).edits, length, start, target, words }
      tried++
      if (best === undefined || isBetter(shift, best)) best = shift
    }
    if (tried >= mostCandidates) break
  }
  return best === undefined ? { saved: 0, words: said, tried } : { saved: best.saved, words: best.words, tried }
}

function isBetter(a: Shift, b: Shift): boolean {
  if (a.saved !== b.saved) return a.saved > b.saved
  if (a.length !== b.length) return a.length > b.length
  return a.start === b.start ? a.target < b.target : a.start < b.start
}

function anyOf(marks: readonly boolean[], start: number, length: number): boolean {
  for (let index = start; index < start + length; index++) if (marks[index]) return true
  return false
}

/** Runs of words in both texts, each as its start in the reply, its start in the reference, and its length. */
function* commonRuns(said: readonly string[], right: readonly string[]): Generator<[start: number, from: number, length: number]> {
  for (let start = 0; start < said.length; start++) {
    for (let from = 0; from < right.length; from++) {
      if (Math.abs(from - start) > farthestShift) continue
      const longest = Math.min(longestShift, said.length - start, right.length - from)
      for (let length = 1; length <= longest && said[start + length - 1] === right[from + length - 1]; length++) yield [start, from, length]
    }
  }
}

function moved(words: readonly string[], start: number, length: number, target: number): string[] {
  const run = words.slice(start, start + length)
  if (target < start) return [...words.slice(0, target), ...run, ...words.slice(target, start), ...words.slice(start + length)]
  const end = target > start + length ? target : length + target
  return [...words.slice(0, start), ...words.slice(start + length, end), ...run, ...words.slice(end)]
}

type Alignment = {
  edits: number
  /** For each word of the reference, the aligned position in the reply. */
  places: readonly number[]
  wrongInReply: readonly boolean[]
  wrongInReference: readonly boolean[]
}

/** The minimum edit distance, searched only near the diagonal. */
function align(said: readonly string[], right: readonly string[]): Alignment {
  const width = right.length + 1
  const costs = new Float64Array((said.length + 1) * width).fill(Number.POSITIVE_INFINITY)
  const steps = new Uint8Array((said.length + 1) * width)
  for (let column = 0; column < width; column++) {
    costs[column] = column
    steps[column] = added
  }
  const ratio = said.length === 0 ? 1 : right.length / said.length
  const reach = beam < ratio / 2 ? Math.ceil(ratio / 2 + beam) : beam
  for (let row = 1; row <= said.length; row++) {
    const centre = Math.floor(row * ratio)
    const end = row === said.length ? width : Math.min(width, centre + reach)
    for (let column = Math.max(0, centre - reach); column < end; column++) {
      const at = row * width + column
      if (column === 0) {
        costs[at] = costs[at - width]! + 1
        steps[at] = dropped
        continue
      }
      const isSame = said[row - 1] === right[column - 1]
      let cost = costs[at - width - 1]! + (isSame ? 0 : 1)
      let step = isSame ? same : replaced
      if (costs[at - width]! + 1 < cost) [cost, step] = [costs[at - width]! + 1, dropped]
      if (costs[at - 1]! + 1 < cost) [cost, step] = [costs[at - 1]! + 1, added]
      costs[at] = cost
      steps[at] = step
    }
  }
  return { edits: costs[costs.length - 1]!, ...traceBack(steps, said.length, right.length) }
}

function traceBack(steps: Uint8Array, rows: number, columns: number): Omit<Alignment, 'edits'> {
  const trace: number[] = []
  for (let [row, column] = [rows, columns]; row > 0 || column > 0; ) {
    const step = steps[row * (columns + 1) + column]!
    trace.push(step)
    if (step !== added) row--
    if (step !== dropped) column--
  }
  const places: number[] = []
  const wrongInReply: boolean[] = []
  const wrongInReference: boolean[] = []
  for (const step of trace.reverse()) {
    if (step !== added) wrongInReply.push(step !== same)
    if (step !== dropped) {
      wrongInReference.push(step !== same)
      places.push(wrongInReply.length - 1)
    }
  }
  return { places, wrongInReply, wrongInReference }
}
