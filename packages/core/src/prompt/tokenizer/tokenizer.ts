/** A token beyond a tokenizer's own vocabulary, which is found in text before anything else. */
export type AddedToken = {
  id: number
  content: string
  /** Marked as special by the tokenizer's own file. */
  special: boolean
  /** Swallows white space before or after it. */
  lstrip: boolean
  rstrip: boolean
}

/** Ids with the characters each covers: for token i, from `starts[i]` up to `ends[i]` of the run's text (UTF-16 units). */
export type EncodedRun = {
  ids: readonly number[]
  starts: readonly number[]
  ends: readonly number[]
  /** Tokens that hold only some bytes of a character; its range is the whole character's. */
  partial: ReadonlySet<number>
}

/** A tokenizer: turns text into ids. */
export type Tokenizer = {
  name: string
  /** The number of ids: one more than the highest. */
  size?: number
  /** Tokens outside the vocabulary's merges: markers, special tokens, runs of spaces. */
  addedTokens: readonly AddedToken[]
  /**
   * Encodes text in which no protected token is recognised. `isFirst`: nothing precedes it, which decides whether a
   * space is prepended. `isProtected` decides which added tokens are not recognised, and which ids must not result.
   */
  encodeRun(text: string, isFirst: boolean, isProtected: (id: number) => boolean): EncodedRun
  /** The id of a token by its text. */
  idOf(token: string): number | undefined
  /** The text of a token. */
  tokenOf(id: number): string | undefined
  /** The UTF-8 of a token; a token may hold only some bytes of a character. Unknown ids have no bytes. */
  bytesOf(id: number): Uint8Array
  /** The ids that the tokenizer adds before and after a text (BOS, EOS). */
  before: readonly number[]
  after: readonly number[]
  bos?: number
  eos?: number
}
