import { hashText } from '../../evaluation/run/examine/text-hash.ts'
import { normalQuestion } from './normal-question.ts'
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
}

type Key = { name: string; of: (row: WhyRow, question: string) => string | undefined; isSameTool?: true }

/** The strongest first. An id alone proves nothing between tools, nor a hash that depends on the prompt. */
const keys: readonly Key[] = [
  { name: 'doc_hash', of: ({ keys }) => keys.doc_hash },
  { name: 'row_hash', of: ({ keys }) => keys.row_hash },
  { name: 'id', of: ({ keys }, question) => (keys.id === undefined ? undefined : `${keys.id} ${question}`), isSameTool: true },
  { name: 'question and choices', of: ({ choices = [] }, question) => JSON.stringify([question, ...[...choices].sort()]) },
  { name: 'sample_hash', of: ({ keys }) => keys.sample_hash },
  { name: 'question', of: (_, question) => question },
  { name: 'question without labels', of: (row, question) => (row.question === undefined ? withoutLabels(question) : undefined) },
]

/** Joins rows by the strongest key that both sides have; rows that fit several are paired in order and reported. */
export function joinRows(first: WhySide, second: WhySide): JoinedRows {
  const isSameTool = first.setup.harness === second.setup.harness
  const used = keys.filter((key) => isSameTool || !key.isSameTool)
  const questions = [questionsOf(first), questionsOf(second)] as const
  const known = [first, second].map((side, index) => keysOf(side, questions[index]!, used)) as [Known, Known]
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
      for (const [index, one] of ones.entries()) {
        const other = others[index]
        if (other === undefined) continue
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
  for (const { pair, isAmbiguous } of containedQuestions(left, right, [first, second], questions)) {
    pairs.push(pair)
    by['question in prompt'] = (by['question in prompt'] ?? 0) + 1
    if (isAmbiguous) ambiguous.push(pair[0])
    left = left.filter((place) => place !== pair[0])
    right = right.filter((place) => place !== pair[1])
  }
  return { pairs: pairs.sort(([one], [other]) => one - other), onlyFirst: left, onlySecond: right, ambiguous, by }
}

/** Hashes of each key by place, because the texts of all rows may not fit into memory; the last is of what makes rows interchangeable. */
type Known = readonly Float64Array[]

function keysOf(side: WhySide, questionOf: QuestionOf, used: readonly Key[]): Known {
  const known = Array.from({ length: used.length + 1 }, () => new Float64Array(side.count).fill(Number.NaN))
  for (let place = 0; place < side.count; place++) {
    const row = side.row(place)
    const question = questionOf(row)
    const content = JSON.stringify([question, row.choices ?? null, row.gold ?? null])
    for (const [key, text] of [...used.map(({ of }) => of(row, question)), content].entries())
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

type QuestionOf = (row: WhyRow) => string

/** Between tools: the question of one side inside one prompt of the other; equal prompts are taken in order. */
function* containedQuestions(
  left: readonly number[],
  right: readonly number[],
  [first, second]: readonly [WhySide, WhySide],
  [questionOf, otherQuestionOf]: readonly [QuestionOf, QuestionOf],
): Generator<{ pair: [number, number]; isAmbiguous: boolean }> {
  if (left.length === 0 || right.length === 0 || left.length * right.length > mostCompared) return
  const rows = right.map((place) => ({ place, row: second.row(place) }))
  const texts = rows.map(({ place, row }) => ({
    place,
    text: normalQuestion(lastTurn(row)),
    question: otherQuestionOf(row),
    choices: row.choices,
  }))
  const taken = new Set<number>()
  for (const one of left) {
    const row = first.row(one)
    const [question, text] = [questionOf(row), normalQuestion(lastTurn(row))]
    const asked = texts.filter((other) => !taken.has(other.place) && (isInside(question, other.text) || isInside(other.question, text)))
    // The same question with other choices, or with the same ones in another order, is another row.
    const fitting = asked.filter((other) => isInOrder(row.choices, other.text) && isInOrder(other.choices, text))
    const found = fitting.length > 0 ? fitting : asked
    if (found.length === 0) continue
    taken.add(found[0]!.place)
    yield { pair: [one, found[0]!.place], isAmbiguous: found.some((other) => other.text !== found[0]!.text) }
  }
}

const mostCompared = 4_000_000

/** Whether choices stand in a text in this order; true without choices. */
function isInOrder(choices: readonly string[] | undefined, text: string): boolean {
  let at = 0
  return (choices ?? []).every((choice) => {
    const [wanted, isWord] = [
      normalQuestion(choice),
      (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character),
    ]
    for (let found = text.indexOf(wanted, at); found >= 0; found = text.indexOf(wanted, found + 1)) {
      const end = found + wanted.length
      if (isWord(text[found - 1]) || isWord(text[end])) continue
      at = end
      return true
    }
    return false
  })
}

/** The lines of a question without the labels of a template: `Question:`, `A.`, `选项：`. */
function withoutLabels(question: string): string {
  const lines = question.split('\n').map((line) => line.replace(/^\s*(?:[^\s:：]{1,12}[:：]|\(?[a-j][.)、])\s*/u, '').trim())
  return JSON.stringify(lines.filter((line) => line !== ''))
}

function isInside(question: string, text: string): boolean {
  return question !== '' && text.includes(question)
}

/** The question of each row: recorded, or the last turn without the lines that begin or end it in every row. */
function questionsOf(side: WhySide): QuestionOf {
  let [start, end] = [undefined, undefined] as [string[] | undefined, string[] | undefined]
  for (let place = 0; place < side.count && side.count > 1; place++) {
    const row = side.row(place)
    if (row.question !== undefined) continue
    const lines = lastTurn(row).split('\n')
    start = start === undefined ? lines : start.slice(0, commonLength(start, lines))
    const reversed = lines.toReversed()
    end = end === undefined ? reversed : end.slice(0, commonLength(end, reversed))
  }
  return (row) => {
    if (row.question !== undefined) return normalQuestion(row.question)
    const lines = lastTurn(row).split('\n')
    const own = lines.slice(start?.length ?? 0, lines.length - (end?.length ?? 0)).join('\n')
    return normalQuestion(own) || normalQuestion(lines.join('\n'))
  }
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}

function lastTurn({ prompt = '' }: WhyRow): string {
  return typeof prompt === 'string' ? prompt : (prompt.at(-1)?.content ?? '')
}
