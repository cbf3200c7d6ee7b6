import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'

export type TokenBytes = Pick<Tokenizer, 'bytesOf' | 'addedTokens' | 'size'>

/**
 * The tokens of a vocabulary by their bytes, as a flattened tree in preorder. Special tokens are excluded: they mean something else than
 * their letters.
 */
export type TokenTrie = {
  /** The number of ids. */
  size: number
  /** The last byte of each node, its depth in bytes, and the end of its subtree. */
  bytes: Uint8Array
  depths: Uint16Array
  ends: Int32Array
  /** The tokens of each node: those from `firsts[node]` up to `firsts[node + 1]`. */
  firsts: Int32Array
  ids: Int32Array
  /** The longest token, in bytes. */
  deepest: number
}

/** Builds the tree and caches it: large vocabularies take a while. */
export function tokenTrie(vocabulary: TokenBytes): TokenTrie {
  const found = known.get(vocabulary) ?? build(vocabulary)
  known.set(vocabulary, found)
  return found
}

const known = new WeakMap<object, TokenTrie>()

function build({ bytesOf, addedTokens, size = 0 }: TokenBytes): TokenTrie {
  const special = new Set(addedTokens.flatMap(({ id, special: isSpecial }) => (isSpecial ? [id] : [])))
  const tokens: { id: number; bytes: Uint8Array }[] = []
  for (let id = 0; id < size; id++) {
    const bytes = bytesOf(id)
    if (bytes.length > 0 && bytes.length < longest && !special.has(id)) tokens.push({ id, bytes })
  }
  tokens.sort((one, other) => compare(one.bytes, other.bytes))
  const bytes: number[] = []
  const depths: number[] = []
  const ends: number[] = []
  const firsts: number[] = []
  const ids: number[] = []
  /** The nodes from the root to the latest token. */
  const path: number[] = []
  let last: Uint8Array = new Uint8Array()
  for (const token of tokens) {
    let common = 0
    while (common < last.length && last[common] === token.bytes[common]) common++
    while (path.length > common) ends[path.pop()!] = bytes.length
    for (let depth = common; depth < token.bytes.length; depth++) {
      path.push(bytes.length)
      bytes.push(token.bytes[depth]!)
      depths.push(depth + 1)
      ends.push(0)
      firsts.push(ids.length)
    }
    ids.push(token.id)
    last = token.bytes
  }
  while (path.length > 0) ends[path.pop()!] = bytes.length
  firsts.push(ids.length)
  return {
    size,
    bytes: Uint8Array.from(bytes),
    depths: Uint16Array.from(depths),
    ends: Int32Array.from(ends),
    firsts: Int32Array.from(firsts),
    ids: Int32Array.from(ids),
    deepest: depths.reduce((most, depth) => Math.max(most, depth), 0),
  }
}

/** Longer tokens are runs of one character, which are not needed. */
const longest = 1024

function compare(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return one[index]! - other[index]!
  return one.length - other.length
}
