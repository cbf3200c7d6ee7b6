import type { StepBudget } from '../../../base/pattern/index.ts'
import { none } from '../sentencepiece/pair-map.ts'
import { Trie } from '../sentencepiece/trie.ts'
import type { TokenModel } from './bpe-model.ts'

/** The model of a `tokenizer.json` whose type is Unigram: its tokens with their log probabilities. */
export type UnigramConfig = { type: 'Unigram'; vocab: readonly (readonly [token: string, score: number])[]; unk_id?: number | null }

/** The penalty of a character without a token, below the worst token. */
const unknownPenalty = 10

/** Whether a model is of the type Unigram; one whose tokens are damaged is an error. */
export function isUnigram(model: unknown): model is UnigramConfig {
  const { type, vocab, unk_id: unknown } = model as Record<string, unknown>
  if (type !== 'Unigram') return false
  const isEntry = (entry: unknown) => Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
  if (!Array.isArray(vocab) || !vocab.every(isEntry)) throw new Error('its tokens are not a list of texts with their scores')
  if (unknown !== undefined && unknown !== null && !(Number.isInteger(unknown) && Number(unknown) >= 0 && Number(unknown) < vocab.length))
    throw new Error('its unk_id is none of its tokens')
  return true
}

/**
 * The most probable segmentation of each word. One best path is kept for each position, as in the model's own tokenizer: the library keeps
 * every token at every position and compares them in pairs, so that tokens that begin alike take gigabytes and minutes.
 */
export function unigramModel(
  config: UnigramConfig,
  addedTokens: readonly { content: string; id: number }[],
  budget: StepBudget,
): TokenModel {
  const unknownId = config.unk_id ?? undefined
  const vocab = config.vocab.map(([text]) => text)
  const ids = new Map(vocab.map((text, id) => [text, id]))
  const scores = Float64Array.from(config.vocab, ([, score]) => score)
  const unknownScore = scores.reduce((lowest, score) => Math.min(lowest, score), Number.POSITIVE_INFINITY) - unknownPenalty
  if (unknownId !== undefined) scores[unknownId] = unknownScore
  const trie = new Trie(ids)
  for (const { content, id } of addedTokens) {
    ids.set(content, id)
    vocab[id] = content
  }

  const partsOf = (word: string): string[] => {
    const { length } = word
    // For every position the best path to it: its score, and the start of its last token.
    const best = new Float64Array(length + 1)
    const starts = new Int32Array(length + 1).fill(none)
    for (let start = 0, size = 0; start < length; start += size) {
      size = (word.codePointAt(start) ?? 0) > 0xffff ? 2 : 1
      const scoreHere = best[start] ?? 0
      const reach = (end: number, score: number) => {
        if (starts[end] !== none && !(score > (best[end] ?? 0))) return
        best[end] = score
        starts[end] = start
      }
      let at = start
      let hasCharacter = false
      for (let node = 0; at < length; ) {
        node = trie.child(node, word.charCodeAt(at++))
        if (node === none) break
        const id = trie.idAt(node)
        if (id === none) continue
        if (at === start + size) hasCharacter = true
        reach(at, scoreHere + (scores[id] ?? 0))
      }
      budget.take(at - start)
      if (!hasCharacter) reach(start + size, scoreHere + unknownScore)
    }
    const parts: string[] = []
    for (let end = length; end > 0; ) {
      const start = starts[end] ?? 0
      parts.push(word.slice(start, end))
      end = start
    }
    return parts.reverse()
  }

  const isUnknown = (token: string) => (ids.get(token) ?? unknownId) === unknownId
  /** Neighbouring characters without a token are one unknown token. */
  const fused = (tokens: readonly string[]): string[] => {
    const all: string[] = []
    tokens.forEach((token, index) => {
      const before = tokens[index - 1]
      if (before !== undefined && isUnknown(token) && isUnknown(before)) all[all.length - 1] += token
      else all.push(token)
    })
    return all
  }
  return Object.assign((words: string[]) => fused(words.flatMap(partsOf)), { tokens_to_ids: ids, vocab, unk_token_id: unknownId })
}
