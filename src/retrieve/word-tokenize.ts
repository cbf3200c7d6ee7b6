import { splitSpace } from '../python/index.ts'
import { pythonRegex } from '../python/regex/index.ts'
import { type SentenceModel, splitSentences } from './split-sentences.ts'

type Step = readonly [pattern: RegExp, by: string]
const step = (pattern: string, by: string): Step => [pythonRegex(pattern), by]

/** The Penn Treebank's rules as nltk 3.8 has them: quotes, punctuation, brackets, then what is short for two words. */
const opening: readonly Step[] = [
  step('([«“‘„]|[`]+)', ' $1 '),
  step('^"', '``'),
  step('(``)', ' $1 '),
  step(String.raw`([ \(\[{<])("|'{2})`, '$1 `` '),
  step(String.raw`(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b`, '$1 $2'),
]
const punctuation: readonly Step[] = [
  step(String.raw`([^\.])(\.)([\]\)}>"'»”’ ]*)\s*$`, '$1 $2 $3 '),
  step(String.raw`([:,])([^\d])`, ' $1 $2'),
  step('([:,])$', ' $1 '),
  step(String.raw`\.{2,}`, ' $& '),
  step('[;@#$%&]', ' $& '),
  step(String.raw`([^\.])(\.)([\]\)}>"']*)\s*$`, '$1 $2$3 '),
  step('[?!]', ' $& '),
  step("([^'])' ", "$1 ' "),
  step('[*]', ' $& '),
  step(String.raw`[\]\[\(\)\{\}\<\>]`, ' $& '),
  step('--', ' -- '),
]
const closing: readonly Step[] = [
  step('([»”’])', ' $1 '),
  step("''", " '' "),
  step('"', " '' "),
  step("([^' ])('[sS]|'[mM]|'[dD]|') ", '$1 $2 '),
  step("([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", '$1 $2 '),
]
const contractions: readonly Step[] = [
  ...['(can)(not)', "(d)('ye)", '(gim)(me)', '(gon)(na)', '(got)(ta)', '(lem)(me)', "(more)('n)"].map((pattern) =>
    step(String.raw`(?i)\b${pattern}\b`, ' $1 $2 '),
  ),
  step(String.raw`(?i)\b(wan)(na)\s`, ' $1 $2 '),
  step(String.raw`(?i) ('t)(is)\b`, ' $1 $2 '),
  step(String.raw`(?i) ('t)(was)\b`, ' $1 $2 '),
]

/** Texts of plain words need none of the rules but the last; most questions are such texts. */
const plainWords = /^[A-Za-z0-9 ]*$/
const mayContract = /not|'ye|me|na|ta|'n|'t/i

/** The tokens of one line, as nltk's word tokeniser gives them without splitting sentences. */
export function tokenizeLine(text: string): string[] {
  if (plainWords.test(text) && !mayContract.test(text)) return text.split(' ').filter((word) => word !== '')
  let line = text
  for (const [pattern, by] of opening) line = line.replace(pattern, by)
  for (const [pattern, by] of punctuation) line = line.replace(pattern, by)
  line = ` ${line} `
  for (const [pattern, by] of closing) line = line.replace(pattern, by)
  if (mayContract.test(line)) for (const [pattern, by] of contractions) line = line.replace(pattern, by)
  return splitSpace(line)
}

/**
 * The tokens of a text, as `nltk.word_tokenize` gives them: its sentences, then the words of each.
 *
 * @example
 * tokenizeWords("I can't.") // => ['I', 'ca', "n't", '.']
 */
export function tokenizeWords(text: string, model?: SentenceModel): string[] {
  return splitSentences(text, model).flatMap(tokenizeLine)
}

/** A tokeniser for texts without spaces between words: runs of letters and digits of other scripts, each Chinese character by itself. */
export function tokenizeCharacters(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\p{L}\p{N}]+?(?=\p{Script=Han}|\P{L}|$)|[\p{L}\p{N}]+/gu) ?? []
  )
}
