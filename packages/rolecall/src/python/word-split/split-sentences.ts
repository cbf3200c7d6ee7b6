import { isUpper, strip, stripEnd } from '@rolecall/core/internal/python'
import { pythonRegex } from '../regex/index.ts'

/**
 * What a Punkt model knows (Kiss and Strunk, 2006): abbreviations without their period, words that often begin a
 * sentence, pairs of words that belong together across a period, and how words are written where.
 */
export type SentenceModel = {
  abbreviations: ReadonlySet<string>
  starters: ReadonlySet<string>
  /** `first second`. */
  collocations: ReadonlySet<string>
  /** Bits of nltk's ortho_context: 2 and 4, 8: seen upper-case at the beginning, inside, unknown; 16, 32, 64: lower-case. */
  orthography?: ReadonlyMap<string, number>
}

/** Common abbreviations and beginnings of sentences: no trained model, so that some periods are read otherwise than nltk's model reads them. */
export const commonEnglish: SentenceModel = {
  abbreviations: new Set(
    'mr mrs ms dr prof st vs jr sr inc co corp ltd bros jan feb mar apr aug sept oct nov dec u.s u.k u.n d.c a.m p.m ph.d gen col lt sgt capt maj sen rep gov rev hon messrs'.split(
      ' ',
    ),
  ),
  starters: new Set(
    'he she it they the we i this that these those there but and so in on at if when however his her their our my you what who'.split(' '),
  ),
  collocations: new Set(),
}

type Token = { text: string; type: string; breaks: boolean; abbreviation: boolean; ellipsis: boolean }

const nonWord = String.raw`(?:[)";}\]\*:@'\({\[!?])`
const multiple = String.raw`(?:\-{2,}|\.{2,}|(?:\.\s){2,}\.)`

let compiled: ReturnType<typeof compilePatterns> | undefined

/** Compiled at the first text: few programs that load the library split sentences. */
function patterns() {
  compiled ??= compilePatterns()
  return compiled
}

function compilePatterns() {
  return {
    word: pythonRegex(
      String.raw`(?:${multiple}|(?=[^\("${'`'}{\[:;&\#\*@\)}\]\-,])\S+?(?=\s|$|${nonWord}|${multiple}|,(?=$|\s|${nonWord}|${multiple}))|\S)`,
    ),
    end: pythonRegex(String.raw`[.?!](?=(?P<after>${nonWord}|\s+(?P<next>\S+)))`),
    realignment: pythonRegex(String.raw`^["')\]}]+?(?:\s+|(?=--)|$)`, { multiline: true }),
    numeric: pythonRegex(String.raw`^-?[\.,]?\d[\d,\.-]*\.?$`),
    initial: pythonRegex(String.raw`^[^\W\d]\.$`),
  }
}

/** The sentences of a text, by the algorithm of nltk's Punkt. */
export function splitSentences(text: string, model: SentenceModel = commonEnglish): string[] {
  // Most texts are one sentence without an ambiguous end inside.
  const whole = stripEnd(text)
  if (!/[.?!][)";}\]*:@'({[!?\s\x1c-\x1f\x85]/.test(whole)) return whole === '' ? [] : [whole]
  return realigned(text, spans(text, model))
}

type Span = { start: number; end: number }

function spans(text: string, model: SentenceModel): Span[] {
  const found: Span[] = []
  let start = 0
  for (const { match, context } of candidates(text)) {
    if (!containsBreak(context, model)) continue
    const end = match.index + match[0].length
    found.push({ start, end })
    start = match.indices?.groups?.next?.[0] ?? end
  }
  return [...found, { start, end: stripEnd(text).length }]
}

/** Places that may end a sentence, each with the word before it and what comes after; of places in one word the last. */
function candidates(text: string): { match: RegExpExecArray; context: string }[] {
  const found: { match: RegExpExecArray; context: string }[] = []
  let word: Span = { start: 0, end: 0 }
  let previous: RegExpExecArray | undefined
  const push = (match: RegExpExecArray, { start, end }: Span) =>
    found.push({ match, context: text.slice(start, end) + match[0] + match.groups!.after })
  for (const match of text.matchAll(patterns().end)) {
    const before = text.slice(word.end, match.index)
    const space = before.search(/[ \t\n\r\v\f](?=[^ \t\n\r\v\f]*$)/)
    // As in nltk, white space right after the word before counts as none.
    const next = { start: space > 0 ? word.end + space + 1 : word.start, end: match.index }
    if (previous && word.end <= next.start) push(previous, word)
    previous = match
    word = next
  }
  if (previous) push(previous, word)
  return found
}

function containsBreak(context: string, model: SentenceModel): boolean {
  const tokens = tokensOf(context).map((token) => firstPass(token, model))
  for (const [index, token] of tokens.entries()) if (tokens[index + 1]) secondPass(token, tokens[index + 1]!, model)
  return tokens.slice(0, -1).some(({ breaks }) => breaks)
}

function tokensOf(text: string): Token[] {
  return text
    .split('\n')
    .filter((line) => strip(line) !== '')
    .flatMap((line) => line.match(patterns().word) ?? [])
    .map((word) => ({
      text: word,
      type: word.toLowerCase().replace(patterns().numeric, '##number##'),
      breaks: false,
      abbreviation: false,
      ellipsis: false,
    }))
}

function firstPass(token: Token, { abbreviations }: SentenceModel): Token {
  const { text } = token
  if (text === '.' || text === '?' || text === '!') return { ...token, breaks: true }
  if (/^\.\.+$/.test(text)) return { ...token, ellipsis: true }
  if (!text.endsWith('.') || text.endsWith('..')) return token
  const word = text.slice(0, -1).toLowerCase()
  return abbreviations.has(word) || abbreviations.has(word.split('-').at(-1)!)
    ? { ...token, abbreviation: true }
    : { ...token, breaks: true }
}

function withoutPeriod(type: string): string {
  return type.length > 1 && type.endsWith('.') ? type.slice(0, -1) : type
}

function secondPass(token: Token, next: Token, model: SentenceModel): void {
  if (!token.text.endsWith('.')) return
  const type = withoutPeriod(token.type)
  const nextType = next.breaks ? withoutPeriod(next.type) : next.type
  const isInitial = token.text.search(patterns().initial) === 0
  const keepTogether = () => {
    token.breaks = false
    token.abbreviation = true
  }
  if (model.collocations.has(`${type} ${nextType}`)) {
    keepTogether()
    return
  }
  const starts = startsSentence(next, nextType, model)
  if ((token.abbreviation || token.ellipsis) && !isInitial) {
    if (starts === true || (isUpper([...next.text][0]!) && model.starters.has(nextType))) {
      token.breaks = true
      return
    }
  }
  if (!isInitial && type !== '##number##') return
  const lowerSeen = model.orthography ? ((model.orthography.get(nextType) ?? 0) & 112) !== 0 : model.starters.has(nextType)
  if (starts === false || (starts === undefined && isInitial && isUpper([...next.text][0]!) && !lowerSeen)) keepTogether()
}

/** Whether a word begins a sentence, by how it is written here and elsewhere; undefined where that says nothing. */
function startsSentence({ text }: Token, type: string, { orthography }: SentenceModel): boolean | undefined {
  if (/^[;:,.!?]$/.test(text)) return false
  const [first = ''] = text
  const isLower = /^\p{Lowercase}$/u.test(first)
  // Without statistics, a small letter is the only evidence.
  if (!orthography) return isLower ? false : undefined
  const seen = orthography.get(type) ?? 0
  if (isUpper(first) && (seen & 112) !== 0 && (seen & 4) === 0) return true
  if (isLower && ((seen & 14) !== 0 || (seen & 16) === 0)) return false
  return undefined
}

/** Closing quotes and brackets after the period belong to the sentence before. */
function realigned(text: string, found: readonly Span[]): string[] {
  const sentences: string[] = []
  let shift = 0
  for (const [index, { start, end }] of found.entries()) {
    const next = found[index + 1]
    const from = start + shift
    const moved = next && realigning(text.slice(next.start, next.end))
    if (moved !== undefined) {
      sentences.push(text.slice(from, next!.start + stripEnd(moved).length))
      shift = moved.length
    } else {
      shift = 0
      if (from < end) sentences.push(text.slice(from, end))
    }
  }
  return sentences
}

function realigning(text: string): string | undefined {
  const { realignment } = patterns()
  realignment.lastIndex = 0
  const match = realignment.exec(text)
  return match?.index === 0 ? match[0] : undefined
}
