import { type Measure, measures, type NumberRange, readRange, type Show, shows } from '../rows/row-filter.ts'

// The filter line of the grid: terms joined by "and". The page, downloads and links read it by this code.

/** What a word asks of an answer, or of all answers of a row. `wrong` is every row without a point, `incorrect` only those whose answer was compared. */
export const answerWords = [...shows.filter((show) => show !== 'all'), 'incorrect', 'unread'] as const satisfies readonly (
  | Show
  | 'incorrect'
  | 'unread'
)[]
export type AnswerWord = Exclude<Show, 'all'> | 'incorrect' | 'unread'

/** What a word asks of a row: some answers right and others not, left out of scores, the second column against the first. */
const rowWords = ['disagree', 'excluded', 'better', 'worse', 'changed', 'same'] as const
export type RowWord = (typeof rowWords)[number]

/** Where a text is searched. */
export const textFields = ['any', 'question', 'reply'] as const
export type TextField = (typeof textFields)[number]

/** The names of `question` and `reply` that may be typed. */
const fieldNames: ReadonlyMap<string, TextField> = new Map([
  ['any', 'any'],
  ['q', 'question'],
  ['question', 'question'],
  ['reply', 'reply'],
  ['answer', 'reply'],
])

type Condition =
  | { kind: 'answer'; word: AnswerWord }
  | { kind: 'row'; word: RowWord }
  | { kind: 'value'; name: string; value: string }
  | { kind: 'range'; measure: Measure; range: NumberRange }
  | { kind: 'text'; field: TextField; text: string; isPattern: boolean }
  | { kind: 'unknown'; problem: 'word' | 'range' | 'column' }

/** A term of the line as it is written, the column it is about (`all`: each of them; absent: any of them), and whether it is negated. */
export type Term = Condition & { source: string; at?: string; isNegated?: true }

/** Reads a filter line. Nothing is refused while it is typed: what is not understood is an unknown term. */
export function readTerms(line: string): Term[] {
  return tokensOf(line.slice(0, longestLine)).slice(0, mostTerms).map(readTerm)
}

// A line may come with a link; each of its texts is searched for in all rows.
const longestLine = 4000
const mostTerms = 40

/** Splits at white space outside of quotes and patterns. */
export function tokensOf(line: string): string[] {
  const tokens: string[] = []
  let token = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (/\s/u.test(letter)) {
      if (token !== '') tokens.push(token)
      token = ''
      continue
    }
    const isPattern = letter === '/' && (token === '' || token === '-' || token.endsWith('~'))
    const end = letter === '"' || isPattern ? closingAt(line, at, letter) : at
    token += line.slice(at, end + 1)
    at = end
  }
  return token === '' ? tokens : [...tokens, token]
}

/** Where a quote or pattern ends; a quote without an end goes on to the end of the line, a slash without one is a letter. */
function closingAt(line: string, from: number, mark: string): number {
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === mark && (mark === '"' || at === line.length - 1 || /\s/u.test(line[at + 1]!))) return at
  }
  return mark === '"' ? line.length - 1 : from
}

function readTerm(source: string): Term {
  const isNegated = /^-[^\s\d.]/.test(source)
  const text = isNegated ? source.slice(1) : source
  const term = readCondition(text)
  return { ...term, source, ...(isNegated ? { isNegated: true as const } : {}) }
}

function readCondition(text: string): Condition & { at?: string } {
  const quoted = unquoted(text)
  if (quoted !== undefined) return { kind: 'text', field: 'any', text: quoted, isPattern: false }
  const pattern = /^\/(.+)\/$/su.exec(text)?.[1]
  if (pattern !== undefined) return { kind: 'text', field: 'any', text: pattern, isPattern: true }
  const searched = /^(\w+)~(.*)$/su.exec(text)
  if (searched) {
    const field = fieldNames.get(searched[1]!.toLowerCase())
    return field === undefined ? { kind: 'unknown', problem: 'column' } : textCondition(field, searched[2]!)
  }
  const compared = /^("(?:\\.|[^"\\])*"|[^=:"]+)=(.*)$/su.exec(text)
  if (compared) return valueCondition(unquoted(compared[1]!) ?? compared[1]!, unquoted(compared[2]!) ?? compared[2]!)
  const placed = /^("(?:\\.|[^"\\])*"|.+):([\w-]+)$/su.exec(text)
  if (placed) {
    const word = placed[2]!.toLowerCase()
    const at = unquoted(placed[1]!) ?? placed[1]!
    return isAnswerWord(word) ? { kind: 'answer', word, at } : { kind: 'unknown', problem: 'word', at }
  }
  const word = text.toLowerCase()
  if (isAnswerWord(word)) return { kind: 'answer', word }
  if (isRowWord(word)) return { kind: 'row', word }
  return { kind: 'text', field: 'any', text, isPattern: false }
}

function textCondition(field: TextField, written: string): Condition {
  const pattern = /^\/(.+)\/$/su.exec(written)?.[1]
  return pattern === undefined
    ? { kind: 'text', field, text: unquoted(written) ?? written.replace(/^"/, ''), isPattern: false }
    : { kind: 'text', field, text: pattern, isPattern: true }
}

/** `level=hard`, `tokens=256..1024`, `B.tokens=..1024`. */
function valueCondition(name: string, value: string): Condition & { at?: string } {
  const [, at, measured] = /^(?:(.+)\.)?([a-z]+)$/su.exec(name) ?? []
  const measure = measures.find((one) => one === measured)
  if (measure === undefined) return { kind: 'value', name, value }
  const range = readRange(value) ?? readRange(`${value}..${value}`)
  return { ...(range ? { kind: 'range', measure, range } : { kind: 'unknown', problem: 'range' }), ...(at === undefined ? {} : { at }) }
}

function unquoted(text: string): string | undefined {
  const inside = /^"((?:\\.|[^"\\])*)"$/su.exec(text)?.[1]
  return inside?.replace(/\\(.)/gsu, '$1')
}

/** A text as a term writes it: quoted where it would be read as something else. */
export function quotedTerm(text: string): string {
  const isPlain = /^[\p{L}\p{N}_][\p{L}\p{N}_.,%-]*$/u.test(text) && !isAnswerWord(text.toLowerCase()) && !isRowWord(text.toLowerCase())
  return isPlain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** `name=value`. */
export function valueTerm(name: string, value: string): string {
  const plain = (text: string) => (/^[^\s"=:~/-][^\s"=:~]*$/u.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`)
  return `${plain(name)}=${plain(value)}`
}

/** A term about a column: its letter or its name. */
export function answerTerm(at: string, word: AnswerWord): string {
  return `${/^[^\s":]+$/u.test(at) ? at : `"${at.replace(/["\\]/g, '\\$&')}"`}:${word}`
}

/** The line with a term, or without it if it has it. */
export function toggledTerm(line: string, term: string): string {
  const tokens = tokensOf(line)
  return (tokens.includes(term) ? tokens.filter((one) => one !== term) : [...tokens, term]).join(' ')
}

function isAnswerWord(word: string): word is AnswerWord {
  return (answerWords as readonly string[]).includes(word)
}

function isRowWord(word: string): word is RowWord {
  return (rowWords as readonly string[]).includes(word)
}
