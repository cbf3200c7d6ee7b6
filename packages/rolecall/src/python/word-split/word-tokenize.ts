import { PromptError } from '@rolecall/core/internal/errors'
import { splitSpace } from '@rolecall/core/internal/python'
import { pythonRegex } from '../regex/index.ts'
import { type SentenceModel, splitSentences } from './split-sentences.ts'

/** A rule, and a character that a text must have for it; looking for that is far faster than trying the rule. */
type Step = { pattern: () => RegExp; by: string; when: RegExp }

/** Rules are compiled when a text first needs them: most programs never do. */
function step(when: RegExp, pattern: string, by: string): Step {
  let compiled: RegExp | undefined
  return { pattern: () => (compiled ??= pythonRegex(pattern)), by, when }
}

/** The Penn Treebank's rules as nltk 3.8 has them: quotes, punctuation, brackets, then what is short for two words. */
const opening: readonly Step[] = [
  step(/[«“‘„`]/, '([«“‘„]|[`]+)', ' $1 '),
  step(/"/, '^"', '``'),
  step(/`/, '(``)', ' $1 '),
  step(/["']/, String.raw`([ \(\[{<])("|'{2})`, '$1 `` '),
  step(/'/, String.raw`(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b`, '$1 $2'),
]

const punctuation: readonly Step[] = [
  step(/\./, String.raw`([^\.])(\.)([\]\)}>"'»”’ ]*)\s*$`, '$1 $2 $3 '),
  step(/[:,]/, String.raw`([:,])([^\d])`, ' $1 $2'),
  step(/[:,]/, '([:,])$', ' $1 '),
  step(/\.\./, String.raw`\.{2,}`, ' $& '),
  step(/[;@#$%&]/, '[;@#$%&]', ' $& '),
  step(/\./, String.raw`([^\.])(\.)([\]\)}>"']*)\s*$`, '$1 $2$3 '),
  step(/[?!]/, '[?!]', ' $& '),
  step(/'/, "([^'])' ", "$1 ' "),
  step(/\*/, '[*]', ' $& '),
  step(/[\][(){}<>]/, String.raw`[\]\[\(\)\{\}\<\>]`, ' $& '),
  step(/--/, '--', ' -- '),
]

const closing: readonly Step[] = [
  step(/[»”’]/, '([»”’])', ' $1 '),
  step(/''/, "''", " '' "),
  step(/"/, '"', " '' "),
  step(/'/, "([^' ])('[sS]|'[mM]|'[dD]|') ", '$1 $2 '),
  step(/'/, "([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", '$1 $2 '),
]

const contractions: readonly Step[] = [
  step(/cannot/i, String.raw`(?i)\b(can)(not)\b`, ' $1 $2 '),
  step(/d'ye/i, String.raw`(?i)\b(d)('ye)\b`, ' $1 $2 '),
  step(/gimme/i, String.raw`(?i)\b(gim)(me)\b`, ' $1 $2 '),
  step(/gonna/i, String.raw`(?i)\b(gon)(na)\b`, ' $1 $2 '),
  step(/gotta/i, String.raw`(?i)\b(got)(ta)\b`, ' $1 $2 '),
  step(/lemme/i, String.raw`(?i)\b(lem)(me)\b`, ' $1 $2 '),
  step(/more'n/i, String.raw`(?i)\b(more)('n)\b`, ' $1 $2 '),
  step(/wanna/i, String.raw`(?i)\b(wan)(na)\s`, ' $1 $2 '),
  // The long s and the dotted and dotless i are an s and an i without case.
  step(/ 't[iİı][sſ]/i, String.raw`(?i) ('t)(is)\b`, ' $1 $2 '),
  step(/ 'twa[sſ]/i, String.raw`(?i) ('t)(was)\b`, ' $1 $2 '),
]

function apply(steps: readonly Step[], text: string): string {
  let line = text
  for (const { pattern, by, when } of steps) if (when.test(line)) line = line.replace(pattern(), by)
  return line
}

/** The tokens of one line, as nltk's word tokeniser gives them without splitting sentences. */
export function tokenizeLine(text: string): string[] {
  const line = apply(punctuation, apply(opening, text))
  return splitSpace(apply(contractions, apply(closing, ` ${line} `)))
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

/**
 * A tokeniser for texts without spaces between words: each Chinese character and each sign of the Japanese syllabaries by
 * itself, runs of other letters and digits as they are.
 *
 * @example
 * tokenizeCharacters('GDP 2024年') // => ['gdp', '2024', '年']
 */
export function tokenizeCharacters(text: string): string[] {
  // The mark of a long vowel, ー, belongs to both syllabaries: by its script alone it is of neither.
  return text.toLowerCase().match(/(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])[\p{L}\p{N}\p{M}])+|[\p{L}\p{N}]\p{M}*/gu) ?? []
}

/** Splits a Chinese text into words, in the order of the text and with nothing left out, as jieba does. */
export type SplitWords = (text: string) => readonly string[]

/** Dependencies of scoring that are not bundled: in Node they are found where they are installed. */
export type ScoringPeers = { words?: SplitWords }

/** The word splitter of languages without spaces. A program in a page passes its own function. */
export function wordsFor(name: string, { words }: ScoringPeers, where: string): SplitWords {
  if (words) return words
  throw new PromptError('missing-peer', {
    where,
    problem: `"${name}" splits Chinese into words by jieba's dictionary, which is not installed`,
    fix: 'install it: npm install jieba-wasm',
  })
}
