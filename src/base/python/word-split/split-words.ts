import { PromptError } from '../../errors/prompt-error.ts'

/** Splits a Chinese text into words, in the order of the text and with nothing left out, as jieba does. */
export type SplitWords = (text: string) => readonly string[]

/** What scoring needs and does not bring: in Node it is found where it is installed. */
export type ScoringPeers = { words?: SplitWords }

/** The words of those that need them. A program in a page hands in a function of its own. */
export function wordsFor(name: string, { words }: ScoringPeers, where: string): SplitWords {
  if (words) return words
  throw new PromptError('missing-peer', {
    where,
    problem: `"${name}" splits Chinese into words by jieba's dictionary, which is not installed`,
    fix: 'install it: npm install jieba-wasm',
  })
}
