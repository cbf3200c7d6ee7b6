import { splitSpace } from '../../python/index.ts'
import { bleuCounts, corpusBleu } from '../../score/evaluate/bleu.ts'
import { translationEdits } from './ter.ts'

/** A reply and the texts it is compared with. */
export type Translation = { reply: string; references: readonly string[] }

/** sacrebleu's BLEU of a corpus (13a tokeniser, exponential smoothing), 0 to 100. */
export function bleuOfCorpus(corpus: readonly Translation[]): number {
  return corpusBleu(corpus.map(({ reply, references }) => bleuCounts(reply, references))).score
}

/** sacrebleu's TER of a corpus: edits for each hundred words of the references. */
export function terOfCorpus(corpus: readonly Translation[]): number {
  let edits = 0
  let words = 0
  for (const { reply, references } of corpus) {
    const counted = translationEdits(reply, references)
    edits += counted.edits
    words += counted.words
  }
  return words > 0 ? (100 * edits) / words : edits > 0 ? 100 : 0
}

const characterOrder = 6
const beta = 2

/** sacrebleu's chrF of a corpus, 0 to 100; with n-grams of words, too, it is chrF++. */
export function chrfOfCorpus(corpus: readonly Translation[], wordOrder = 0): number {
  const order = characterOrder + wordOrder
  const total = new Array<number>(order * 3).fill(0)
  for (const { reply, references } of corpus) {
    const said = ngramsOf(reply, wordOrder)
    let best: number[] | undefined
    let bestScore = -1
    for (const reference of references) {
      const counts = ngramsOf(reference, wordOrder).flatMap((right, index) => matchesOf(said[index]!, right))
      const score = chrfScore(counts, order)
      if (score > bestScore) [best, bestScore] = [counts, score]
    }
    for (const [index, count] of (best ?? []).entries()) total[index]! += count
  }
  return chrfScore(total, order)
}

/** The n-grams of characters without white space, from one to six, and those of words. */
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

/** A word, with one mark at its end or start as a word of its own. */
function punctuationApart(word: string): string[] {
  const characters = [...word]
  if (characters.length === 1) return [word]
  const last = characters.at(-1)!
  if (punctuation.has(last)) return [characters.slice(0, -1).join(''), last]
  const first = characters[0]!
  return punctuation.has(first) ? [first, characters.slice(1).join('')] : [word]
}

/** How many n-grams the reply has, the reference has, and both have. A reply without any of this length leaves the reference uncounted. */
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
function chrfScore(counts: readonly number[], order: number): number {
  let [precision, recall, lengths] = [0, 0, 0]
  for (let index = 0; index < order; index++) {
    const [said, right, matching] = counts.slice(index * 3, index * 3 + 3) as [number, number, number]
    if (said === 0 || right === 0) continue
    precision += matching / said
    recall += matching / right
    lengths++
  }
  if (precision + recall === 0) return 0
  const factor = beta ** 2
  const [meanPrecision, meanRecall] = [precision / lengths, recall / lengths]
  return (100 * (1 + factor) * meanPrecision * meanRecall) / (factor * meanPrecision + meanRecall)
}
