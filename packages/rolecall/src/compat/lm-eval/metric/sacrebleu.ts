import { splitSpace } from '@rolecall/core/internal/python'
import { type BleuCounts, bleuCounts, corpusBleu } from '../../../evaluation/score/evaluate/bleu.ts'
import { type TranslationEdits, translationEdits } from './ter.ts'

/** A reply and the texts it is compared with. */
export type Translation = { reply: string; references: readonly string[] }

/** BLEU statistics of one translation (13a tokenizer). */
export function bleuOfTranslation({ reply, references }: Translation): BleuCounts {
  return bleuCounts(reply, references)
}

/** sacrebleu's BLEU of a corpus (exponential smoothing), 0 to 100. */
export function bleuOfCorpus(corpus: readonly BleuCounts[]): number {
  return corpusBleu(corpus).score
}

/** The edits of one translation, and the number of words in its references. */
export function terOfTranslation({ reply, references }: Translation): TranslationEdits {
  return translationEdits(reply, references)
}

/** sacrebleu's TER of a corpus: edits per hundred reference words. */
export function terOfCorpus(corpus: readonly TranslationEdits[]): number {
  const edits = corpus.reduce((total, one) => total + one.edits, 0)
  const words = corpus.reduce((total, one) => total + one.words, 0)
  return words > 0 ? 100 * (edits / words) : edits > 0 ? 100 : 0
}

const characterOrder = 6
const beta = 2

/** For each n-gram length: the number in the reply, in the reference, and in both. */
export type ChrfCounts = readonly number[]

/** The counts of one translation against its best reference; with word n-grams they are the counts of chrF++. */
export function chrfOfTranslation({ reply, references }: Translation, wordOrder = 0): ChrfCounts {
  const said = ngramsOf(reply, wordOrder)
  let best: ChrfCounts = new Array<number>((characterOrder + wordOrder) * 3).fill(0)
  let bestScore = -1
  for (const reference of references) {
    const counts = ngramsOf(reference, wordOrder).flatMap((right, index) => matchesOf(said[index]!, right))
    const score = chrfScore(counts)
    if (score > bestScore) [best, bestScore] = [counts, score]
  }
  return best
}

/** sacrebleu's chrF of a corpus, 0 to 100. */
export function chrfOfCorpus(corpus: readonly ChrfCounts[]): number {
  const total = new Array<number>(corpus[0]?.length ?? 0).fill(0)
  for (const counts of corpus) for (let index = 0; index < total.length; index++) total[index]! += counts[index]!
  return chrfScore(total)
}

/** Character n-grams of length one to six without white space, and word n-grams. */
function ngramsOf(text: string, wordOrder: number): Map<string, number>[] {
  const characters = [...splitSpace(text).join('')]
  const byCharacter = Array.from({ length: characterOrder }, (_, index) => countNgrams(characters, index + 1, ''))
  if (wordOrder === 0) return byCharacter
  const words = splitSpace(text).flatMap(punctuationApart)
  return [...byCharacter, ...Array.from({ length: wordOrder }, (_, index) => countNgrams(words, index + 1, '\u0000'))]
}

function countNgrams(items: readonly string[], length: number, between: string): Map<string, number> {
  const found = new Map<string, number>()
  for (let at = 0; at + length <= items.length; at++) {
    const ngram = items.slice(at, at + length).join(between)
    found.set(ngram, (found.get(ngram) ?? 0) + 1)
  }
  return found
}

const punctuation = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')

/** Splits one punctuation mark from the end or start of a word. */
function punctuationApart(word: string): string[] {
  const characters = [...word]
  if (characters.length === 1) return [word]
  const last = characters.at(-1)!
  if (punctuation.has(last)) return [characters.slice(0, -1).join(''), last]
  const first = characters[0]!
  return punctuation.has(first) ? [first, characters.slice(1).join('')] : [word]
}

/** The number of n-grams in the reply, in the reference, and in both. If the reply has none of this length, the reference is not counted. */
function matchesOf(said: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): [number, number, number] {
  let [all, matching] = [0, 0]
  for (const [ngram, count] of said) {
    all += count
    matching += Math.min(count, right.get(ngram) ?? 0)
  }
  let reference = 0
  for (const count of right.values()) reference += count
  return [right.size > 0 ? all : 0, reference, matching]
}

/** The F-score of the mean precision and recall over the n-gram lengths that both texts have. */
function chrfScore(counts: ChrfCounts): number {
  let [precision, recall, lengths] = [0, 0, 0]
  for (let index = 0; index < counts.length; index += 3) {
    const [said, right, matching] = [counts[index]!, counts[index + 1]!, counts[index + 2]!]
    if (said === 0 || right === 0) continue
    precision += matching / said
    recall += matching / right
    lengths++
  }
  if (precision + recall === 0) return 0
  const factor = beta ** 2
  const [meanPrecision, meanRecall] = [precision / lengths, recall / lengths]
  return 100 * (((1 + factor) * meanPrecision * meanRecall) / (factor * meanPrecision + meanRecall))
}
