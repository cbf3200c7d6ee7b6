import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { decodeTokens } from '@rolecall/core/internal/tokenizer'
import type { LoaderTokenizer } from './files.ts'

/** A tokenizer as loaders use it: without the tokens at the beginning and end. */
export function loaderTokenizer(tokenizer: Tokenizer): LoaderTokenizer {
  return {
    encode: (text) => [...tokenizer.encodeRun(text, true, () => false).ids],
    decode: (ids) => decodeTokens(ids, tokenizer),
  }
}
