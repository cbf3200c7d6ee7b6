import { hashText } from '../../evaluation/run/examine/text-hash.ts'
import { normalQuestion } from './normal-question.ts'
import { type AskedOf, containedQuestions, lastTurn } from './question-in-prompt.ts'
import { questionWords, WordCounts } from './question-words.ts'
import type { WhyRow, WhySide } from './why-row.ts'

/** The rows of two sides, paired by place. */
export type JoinedRows = {
  pairs: readonly (readonly [first: number, second: number])[]
  onlyFirst: readonly number[]
  onlySecond: readonly number[]
  /** Rows of the first side that fit several of the second, or the reverse: paired in order. */
  ambiguous: readonly number[]
  /** How many pairs each key made. */
  by: Readonly<Record<string, number>>
  /** Whether all rows that a side has alone are copies of its joined rows. */
  areCopies: readonly [boolean, boolean]
  /** Rows that were not compared with those of the other side, because too many are alike. */
  skipped: number
}

type Key = { name: string; of: (row: WhyRow, question: string, ownWords: AskedOf['ownWords']) => string | undefined; isSameTool?: true }

/** The strongest first. An id alone proves nothing between tools, nor a hash that depends on the prompt. */
const keys: readonly Key[] = [
  { name: 'doc_hash', of: ({ keys }) => keys.doc_hash },
  { name: 'row_hash', of: ({ keys }) => keys.row_hash },
  { name: 'id', of: ({ keys }, question) => (keys.id === undefined ? undefined : `${keys.id} ${question}`), isSameTool: true },
  { name: 'question and choices', of: ({ choices = [] }, question) => JSON.stringify([question, ...[...choices].sort()]) },
  { name: 'sample_hash', of: ({ keys }) => keys.sample_hash },
  { name: 'question', of: (_, question) => question },
  { name: 'question without labels', of: (row, question) => (row.question === undefined ? withoutLabels(question) : undefined) },
  { name: 'question without common words', of: (row, _, ownWords) => ownWords(row) },
]

/** Joins rows by the strongest key that both sides have; rows that fit several are paired in order and reported. */
export function joinRows(first: WhySide, second: WhySide): JoinedRows {
  const isSameTool = first.setup.harness === second.setup.harness
  const used = keys.filter((key) => isSameTool || !key.isSameTool)
  const [one, other] = [askedOf(first), askedOf(second)]
  const known: readonly [Known, Known] = [keysOf(first, one, used), keysOf(second, other, used)]
  const pairs: [number, number][] = []
  const ambiguous: number[] = []
  const by: Record<string, number> = {}
  let [left, right] = [first, second].map(({ count }) => Array.from({ length: count }, (_, place) => place)) as [number[], number[]]
  for (const [number, { name }] of used.entries()) {
    const waiting = groups(right, known[1], number)
    const taken = new Set<number>()
    const own = groups(left, known[0], number)
    for (const [key, ones] of own) {
      const others = waiting.get(key) ?? []
      for (const [one, other] of isSameTool ? byId(ones, others, [first, second]) : inOrder(ones, others)) {
        pairs.push([one, other])
        taken.add(other)
        by[name] = (by[name] ?? 0) + 1
        const isAlike = ones.length === 1 && others.length === 1
        if (!isAlike && !isOrderSafe(ones, others, known)) ambiguous.push(one)
      }
    }
    const paired = new Set(pairs.map(([one]) => one))
    left = left.filter((place) => !paired.has(place))
    right = right.filter((place) => !taken.has(place))
  }
  const add = (name: string, found: readonly (readonly [number, number])[]) => {
    if (found.length === 0) return
    by[name] = found.length
    for (const [one, other] of found) pairs.push([one, other])
    const [ones, others] = [new Set(found.map(([one]) => one)), new Set(found.map(([, other]) => other))]
    left = left.filter((place) => !ones.has(place))
    right = right.filter((place) => !others.has(place))
  }
  if (isSameTool) add('id and similar prompt', sameIds(left, right, [first, second]))
  const contained = containedQuestions(left, right, [first, second], [one, other])
  add(
    'question in prompt',
    contained.pairs.map(({ pair }) => pair),
  )
  for (const { pair, isAmbiguous } of contained.pairs) if (isAmbiguous) ambiguous.push(pair[0])
  return {
    pairs: pairs.sort(byFirst),
    onlyFirst: left,
    onlySecond: right,
    ambiguous,
    by,
    areCopies: [
      areCopies(
        left,
        pairs.map(([one]) => one),
        known[0],
      ),
      areCopies(
        right,
        pairs.map(([, other]) => other),
        known[1],
      ),
    ],
    skipped: Math.min(contained.skipped, left.length),
  }
}

function inOrder(ones: readonly number[], others: readonly number[]): [number, number][] {
  return ones.slice(0, others.length).map((one, index) => [one, others[index]!])
}

/** Rows with the same key, those with the same id first. */
function byId(ones: readonly number[], others: readonly number[], [first, second]: readonly [WhySide, WhySide]): [number, number][] {
  if (ones.length === 1 && others.length === 1) return inOrder(ones, others)
  const left = placesById(second, others)
  const pairs = [...placesById(first, ones)].flatMap(([id, one]) => (left.has(id) ? [[one, left.get(id)!] as [number, number]] : []))
  const [taken, given] = [new Set(pairs.map(([one]) => one)), new Set(pairs.map(([, other]) => other))]
  return [
    ...pairs,
    ...inOrder(
      ones.filter((one) => !taken.has(one)),
      others.filter((other) => !given.has(other)),
    ),
  ]
}

function areCopies(alone: readonly number[], joined: readonly number[], known: Known): boolean {
  const contents = new Set(joined.map((place) => known.at(-1)![place]!))
  return alone.length > 0 && alone.every((place) => contents.has(known.at(-1)![place]!))
}

function byFirst([one]: readonly [number, number], [other]: readonly [number, number]): number {
  return one - other
}

/** Rows of one tool with the same id, which only one row has on each side, and at least half of the words that are not in every row. */
function sameIds(left: readonly number[], right: readonly number[], [first, second]: readonly [WhySide, WhySide]): [number, number][] {
  const [own, others] = [placesById(first, left), placesById(second, right)]
  const shared = [...own].flatMap(([id, one]) => (others.has(id) ? [[one, others.get(id)!] as [number, number]] : []))
  if (shared.length === 0) return []
  const wordsAt = (side: WhySide, place: number) => new Set(questionWords(normalQuestion(lastTurn(side.row(place)))))
  const [counts, otherCounts] = [new WordCounts(), new WordCounts()]
  for (const place of left) counts.add(wordsAt(first, place))
  for (const place of right) otherCounts.add(wordsAt(second, place))
  const isTelling = (word: number) =>
    Math.min(left.length, right.length) < 3 || (counts.of(word) < left.length / 2 && otherCounts.of(word) < right.length / 2)
  return shared.filter(([one, other]) => {
    const [words, otherWords] = [[...wordsAt(first, one)].filter(isTelling), wordsAt(second, other)]
    return words.length > 0 && words.filter((word) => otherWords.has(word)).length >= words.length / 2
  })
}

/** The places of ids that only one row has. */
function placesById(side: WhySide, places: readonly number[]): Map<string, number> {
  const found = new Map<string, number>()
  const repeated = new Set<string>()
  for (const place of places) {
    const { id } = side.row(place).keys
    if (id === undefined) continue
    if (found.has(id)) repeated.add(id)
    else found.set(id, place)
  }
  for (const id of repeated) found.delete(id)
  return found
}

/** Hashes of each key by place, because the texts of all rows may not fit into memory; the last is of what makes rows interchangeable. */
type Known = readonly Float64Array[]

function keysOf(side: WhySide, asked: AskedOf, used: readonly Key[]): Known {
  const known = Array.from({ length: used.length + 1 }, () => new Float64Array(side.count).fill(Number.NaN))
  for (let place = 0; place < side.count; place++) {
    const row = side.row(place)
    const question = asked.question(row)
    const content = JSON.stringify([question, row.choices ?? null, row.gold ?? null])
    for (const [key, text] of [...used.map(({ of }) => of(row, question, asked.ownWords)), content].entries())
      if (text !== undefined) known[key]![place] = hashText(text)
  }
  return known
}

function groups(places: readonly number[], known: Known, key: number): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const place of places) {
    const value = known[key]![place]!
    if (Number.isNaN(value)) continue
    const group = found.get(value)
    if (group) group.push(place)
    else found.set(value, [place])
  }
  return found
}

/** Equal rows may be paired in any order, and so may equally many rows in the same order. */
function isOrderSafe(ones: readonly number[], others: readonly number[], known: readonly [Known, Known]): boolean {
  const [own, theirs] = [ones.map((place) => known[0].at(-1)![place]!), others.map((place) => known[1].at(-1)![place]!)]
  return (
    new Set([...own, ...theirs]).size === 1 || (own.length === theirs.length && own.every((content, index) => content === theirs[index]))
  )
}

/** The lines of a question without the labels of a template: `Question:`, `A.`, `选项：`. */
function withoutLabels(question: string): string {
  const lines = question.split('\n').map((line) => line.replace(/^\s*(?:[^\s:：]{1,12}[:：]|\(?[a-j\d][.)、]|[-*•])\s*/u, '').trim())
  return JSON.stringify(lines.filter((line) => line !== ''))
}

function askedOf(side: WhySide): AskedOf {
  const [lines, words] = [new CommonEnds(), new CommonEnds()]
  for (let place = 0; place < side.count && side.count > 1; place++) {
    const row = side.row(place)
    lines.add(linesOf(row))
    if (row.question === undefined) words.add(wordsOf(row))
  }
  const ownText = (row: WhyRow) => {
    const all = linesOf(row)
    return normalQuestion(lines.without(all).join('\n')) || normalQuestion(all.join('\n'))
  }
  return {
    ownText,
    question: (row) => (row.question === undefined ? ownText(row) : normalQuestion(row.question)),
    ownWords: (row) => (row.question === undefined ? words.without(wordsOf(row)).join(' ') || undefined : undefined),
  }
}

function linesOf(row: WhyRow): string[] {
  return lastTurn(row).split('\n')
}

function wordsOf(row: WhyRow): string[] {
  return normalQuestion(lastTurn(row)).split(/\s+/u)
}

/** The parts that begin, and end, every one of some lists. */
class CommonEnds {
  #start: readonly string[] | undefined
  #end: readonly string[] | undefined

  add(parts: readonly string[]): void {
    const reversed = parts.toReversed()
    this.#start = this.#start === undefined ? parts : this.#start.slice(0, commonLength(this.#start, parts))
    this.#end = this.#end === undefined ? reversed : this.#end.slice(0, commonLength(this.#end, reversed))
  }

  without(parts: readonly string[]): string[] {
    return parts.slice(this.#start?.length ?? 0, parts.length - (this.#end?.length ?? 0))
  }
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}
