import { SeenBefore } from '../seen-before.ts'
import { MergeQueue } from '../sentencepiece/merge-queue.ts'
import { none, PairMap } from '../sentencepiece/pair-map.ts'

/** The model of a `tokenizer.json` whose type is BPE. */
export type BpeConfig = {
  type?: unknown
  vocab: Readonly<Record<string, number>>
  merges: readonly (string | readonly string[])[]
  unk_token?: string | null
  fuse_unk?: boolean | null
  byte_fallback?: boolean
  ignore_merges?: boolean
  end_of_word_suffix?: string | null
  continuing_subword_prefix?: string | null
  continuing_subword_suffix?: string | null
}

/** Splits words into tokens of a vocabulary; the properties are those of the library's models. */
export type TokenModel = ((words: string[]) => string[]) & {
  tokens_to_ids: Map<string, number>
  vocab: string[]
  unk_token_id?: number
}

/** Whether `bpeModel` can read a model: byte-pair encoding without prefixes or suffixes for parts of words. */
export function isPlainBpe(model: unknown): model is BpeConfig {
  const { type, vocab, merges, ...rest } = model as BpeConfig
  const isTable = typeof vocab === 'object' && vocab !== null && !Array.isArray(vocab)
  const hasAffix = rest.end_of_word_suffix || rest.continuing_subword_prefix || rest.continuing_subword_suffix
  return type === 'BPE' && isTable && Array.isArray(merges) && !hasAffix
}

/** Caches the tokens of recurring words, up to a limit. */
const longestCached = 64
const mostCached = 10_000

/**
 * Byte-pair encoding with a list of merges in order of priority. Merges are pairs of numbers here: a quarter of a million of them as text,
 * as in the library, take 60 MB and most of the time.
 */
export function bpeModel(config: BpeConfig, addedTokens: readonly { content: string; id: number }[]): TokenModel {
  const ids = new Map<string, number>()
  const vocab: string[] = []
  for (const text in config.vocab) {
    ids.set(text, config.vocab[text]!)
    vocab[config.vocab[text]!] = text
  }
  const merges = readMerges(config.merges, ids, vocab)
  const unknown = config.unk_token ?? undefined
  const unknownId = unknown === undefined ? undefined : ids.get(unknown)
  for (const { content, id } of addedTokens) {
    ids.set(content, id)
    vocab[id] = content
  }
  const cache = new Map<string, readonly string[]>()
  const seen = new SeenBefore()
  const partsOf = (word: string): readonly string[] => {
    const known = cache.get(word)
    if (known !== undefined) return known
    const merged = mergeWord(word, merges)
    const parts = merged.every((part) => ids.has(part)) ? merged : merged.flatMap(inVocabulary)
    if (word.length > longestCached || !seen.has(word)) return parts
    if (cache.size >= mostCached) cache.clear()
    cache.set(word, parts.slice())
    return parts
  }
  const inVocabulary = (part: string): string | string[] => {
    if (ids.has(part)) return part
    const bytes = config.byte_fallback ? byteTokens(part) : []
    if (bytes.length > 0 && bytes.every((byte) => ids.has(byte))) return bytes
    return unknown ?? []
  }
  const encode = (words: string[]): string[] => {
    const tokens: string[] = []
    for (const word of words) {
      if (config.ignore_merges && ids.has(word)) tokens.push(word)
      else for (const part of partsOf(word)) tokens.push(part)
    }
    return config.fuse_unk ? fuseUnknown(tokens, ids, unknownId) : tokens
  }
  return Object.assign(encode, { tokens_to_ids: ids, vocab, ...(unknownId !== undefined && { unk_token_id: unknownId }) })
}

type Merges = {
  /** The numbers of the initial parts of words: their characters. */
  characters: ReadonlyMap<string, number>
  /** The rank of the merge of two parts. */
  rankOf: PairMap
  /** The number of the part that a merge creates, by its rank. */
  made: Int32Array
  /** Empty between words. */
  queue: MergeQueue
}

/** A part's number is its id, or a number beyond all ids if it has none. */
function readMerges(list: BpeConfig['merges'], ids: ReadonlyMap<string, number>, vocab: readonly string[]): Merges {
  const others = new Map<string, number>()
  const numberOf = (text: string): number => {
    const id = ids.get(text)
    if (id !== undefined && id >= 0 && vocab[id] === text) return id
    const known = others.get(text) ?? vocab.length + others.size
    others.set(text, known)
    return known
  }
  const rankOf = new PairMap(list.length)
  const made = new Int32Array(list.length)
  for (const [rank, merge] of list.entries()) {
    const [left, right] = typeof merge === 'string' ? merge.split(' ', 2) : merge
    if (left === undefined || right === undefined) continue
    rankOf.set(numberOf(left), numberOf(right), rank)
    made[rank] = numberOf(left + right)
  }
  const characters = new Map<string, number>()
  for (const texts of [ids, others]) for (const text of texts.keys()) if (isCharacter(text)) characters.set(text, numberOf(text))
  return { characters, rankOf, made, queue: new MergeQueue(64) }
}

function isCharacter(text: string): boolean {
  return text.length === 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff)
}

/** In place of the next part: this part has been merged into another. */
const merged = -1

/** Merges the characters of a word until no adjacent pair is in the list; on a tie the leftmost goes first. */
function mergeWord(word: string, { characters, rankOf, made, queue }: Merges): string[] {
  const parts: number[] = []
  const starts: number[] = []
  for (let at = 0; at < word.length; ) {
    const end = at + (word.codePointAt(at)! > 0xffff ? 2 : 1)
    parts.push(characters.get(word.slice(at, end)) ?? none)
    starts.push(at)
    at = end
  }
  const count = parts.length
  starts.push(word.length)
  const next = parts.map((_, part) => part + 1)
  const previous = parts.map((_, part) => part - 1)
  previous.push(count - 1)
  const rankAt = (left: number): number => {
    const right = next[left]!
    return right >= count || parts[left] === none || parts[right] === none ? none : rankOf.get(parts[left]!, parts[right]!)
  }
  const consider = (left: number) => {
    const rank = rankAt(left)
    if (rank !== none) queue.push(rank * count + left, rank)
  }
  for (let part = 0; part < count - 1; part++) consider(part)
  while (queue.size > 0) {
    const { key, piece: rank } = queue
    queue.pop()
    const left = key % count
    // Stale: one of the two has been merged since.
    if (next[left] === merged || rankAt(left) !== rank) continue
    const right = next[left]!
    const after = next[right]!
    parts[left] = made[rank]!
    next[right] = merged
    next[left] = after
    previous[after] = left
    if (left > 0) consider(previous[left]!)
    consider(left)
  }
  const texts: string[] = []
  for (let part = 0; part < count; part = next[part]!) texts.push(word.slice(starts[part], starts[next[part]!]))
  return texts
}

function byteTokens(text: string): string[] {
  return Array.from(new TextEncoder().encode(text), (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
}

/** Adjacent unknown parts become one. */
function fuseUnknown(tokens: readonly string[], ids: ReadonlyMap<string, number>, unknownId: number | undefined): string[] {
  const isUnknown = (token: string) => (ids.get(token) ?? unknownId) === unknownId
  return tokens.filter((token, index) => index === 0 || !isUnknown(token) || !isUnknown(tokens[index - 1]!))
}
