import { normalQuestion } from './normal-question.ts'
import { questionWords, WordCounts } from './question-words.ts'
import type { WhyRow, WhySide } from './why-row.ts'

/** What the rows of a side ask, normalised. */
export type AskedOf = {
  /** The last turn without the lines that begin or end it in every row. */
  ownText: (row: WhyRow) => string
  /** Recorded, or the own text. */
  question: (row: WhyRow) => string
  /** The last turn without the words that begin or end it in every row; undefined for rows with a recorded question. */
  ownWords: (row: WhyRow) => string | undefined
}

/** The last message, or the prompt; the start of a reply is none. */
export function lastTurn({ prompt = '' }: WhyRow): string {
  return typeof prompt === 'string' ? prompt : ((prompt.findLast(({ role }) => role !== 'assistant') ?? prompt.at(-1))?.content ?? '')
}

/** A row with what is compared. */
type Asked = { place: number; text: string; question: string; choices: readonly string[] | undefined }

/** Pairs of rows, the question of one of which is in the prompt of the other, and rows that have too many candidates. */
export type ContainedQuestions = { pairs: { pair: [number, number]; isAmbiguous: boolean }[]; skipped: number }

/** Comparisons of two rows, in total: the rows after these are not compared. */
const mostCompared = 10_000_000
const fewCompared = 40_000

/**
 * Joins rows between tools: the question of one side inside one prompt of the other; equal prompts are taken in order. Only rows that
 * share a rare word are compared.
 */
export function containedQuestions(
  left: readonly number[],
  right: readonly number[],
  [first, second]: readonly [WhySide, WhySide],
  [ownAsked, otherAsked]: readonly [AskedOf, AskedOf],
): ContainedQuestions {
  if (left.length === 0 || right.length === 0) return { pairs: [], skipped: 0 }
  // Few rows are compared with all others, and with the lines that all of them have.
  const areFew = left.length * right.length <= fewCompared
  const ownRow = rowReader(first, ownAsked, areFew)
  const otherRow = rowReader(second, otherAsked, areFew)
  const candidatesOf = areFew ? () => right : candidates(left, right, [ownRow, otherRow])
  const taken = new Set<number>()
  const found: ContainedQuestions = { pairs: [], skipped: 0 }
  let compared = 0
  for (const [index, one] of left.entries()) {
    const row = ownRow(one)
    const places = candidatesOf(one).filter((place) => !taken.has(place))
    compared += places.length
    if (compared > mostCompared) {
      found.skipped = left.length - index
      break
    }
    const asked = places.map(otherRow).filter((other) => isInside(row.question, other.text) || isInside(other.question, row.text))
    // The same question with other choices, or with the same ones in another order, is another row.
    const fitting = asked.filter((other) => isInOrder(row.choices, other.text) && isInOrder(other.choices, row.text))
    const chosen = fitting.length > 0 ? fitting : asked
    if (chosen.length === 0) continue
    taken.add(chosen[0]!.place)
    found.pairs.push({ pair: [one, chosen[0]!.place], isAmbiguous: chosen.some((other) => other.text !== chosen[0]!.text) })
  }
  return found
}

/** Characters of rows that are kept: a row is compared with many, and reading it again takes longer than comparing. */
const keptCharacters = 20_000_000

/** Reads rows; the last ones are kept. */
function rowReader(side: WhySide, asked: AskedOf, isWhole: boolean): (place: number) => Asked {
  const kept = new Map<number, Asked>()
  let size = 0
  const sizeOf = ({ text, question }: Asked) => text.length + question.length
  return (place) => {
    const known = kept.get(place)
    if (known) return known
    const row = side.row(place)
    const text = isWhole ? normalQuestion(lastTurn(row)) : asked.ownText(row)
    const read = { place, text, question: asked.question(row), choices: row.choices }
    kept.set(place, read)
    size += sizeOf(read)
    for (const [first, oldest] of kept) {
      if (size <= keptCharacters) break
      kept.delete(first)
      size -= sizeOf(oldest)
    }
    return read
  }
}

type ReadRow = (place: number) => Asked

/** The places on the right that can contain the question of a row on the left, or whose question it can contain, in order. */
function candidates(
  left: readonly number[],
  right: readonly number[],
  [own, other]: readonly [ReadRow, ReadRow],
): (place: number) => number[] {
  const inRight = rareWords(left, right, [own, other])
  const inLeft = rareWords(right, left, [other, own])
  // Rows on the right whose question has this rarest word.
  const askers = new Map<number, number[]>()
  for (const [place, rarest] of inLeft.rarest) push(askers, rarest, place)
  const containing = new Map<number, number[]>()
  for (const place of right)
    for (const one of new Set(questionWords(other(place).text))) if (inRight.wanted.has(one)) push(containing, one, place)
  return (place) => {
    const rarest = inRight.rarest.get(place)
    const found = new Set(rarest === undefined ? [] : containing.get(rarest))
    for (const one of new Set(questionWords(own(place).text))) for (const asker of askers.get(one) ?? []) found.add(asker)
    return [...found].sort((one, another) => one - another)
  }
}

/** The rarest word of each question among the texts of the other side; none for a question with a word that they lack. */
function rareWords(asked: readonly number[], texts: readonly number[], [question, text]: readonly [ReadRow, ReadRow]) {
  const counts = new WordCounts()
  for (const place of texts) counts.add(questionWords(text(place).text))
  const rarest = new Map<number, number>()
  const wanted = new Set<number>()
  for (const place of asked) {
    const words = questionWords(question(place).question, { isInner: true })
    if (words.length === 0) continue
    const word = words.reduce((least, one) => (counts.of(one) < counts.of(least) ? one : least))
    if (counts.of(word) === 0) continue
    rarest.set(place, word)
    wanted.add(word)
  }
  return { rarest, wanted }
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Whether choices stand in a text in this order; true without choices. */
function isInOrder(choices: readonly string[] | undefined, text: string): boolean {
  let at = 0
  return (choices ?? []).every((choice) => {
    const [wanted, isWord] = [
      normalQuestion(choice),
      (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character),
    ]
    if (wanted === '') return true
    for (let found = text.indexOf(wanted, at); found >= 0; found = text.indexOf(wanted, found + 1)) {
      const end = found + wanted.length
      if (isWord(text[found - 1]) || isWord(text[end])) continue
      at = end
      return true
    }
    return false
  })
}

function isInside(question: string, text: string): boolean {
  return question !== '' && text.includes(question)
}
