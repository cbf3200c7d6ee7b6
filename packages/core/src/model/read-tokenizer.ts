import { check } from '../base/errors/check.ts'
import { PromptError } from '../base/errors/prompt-error.ts'
import * as z from '../base/schema/schema.ts'
import { readHuggingFaceTokenizer } from '../prompt/tokenizer/hugging-face/hugging-face-tokenizer.ts'
import { readSentencePiece } from '../prompt/tokenizer/sentencepiece/sentencepiece-tokenizer.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'

/** What belongs to a tokenizer's file. */
export type TokenizerFileOptions = {
  /** The contents of the tokenizer_config.json beside a tokenizer.json: its BOS, EOS and flags. */
  config?: object
  /** For errors and notes; by default the usual name of the file. */
  name?: string
}

const fileOptionsSchema = z.strictObject({
  config: z.optional(z.custom<object>((value) => typeof value === 'object' && value !== null, 'expected an object')),
  name: z.optional(z.string()),
} satisfies { readonly [Key in keyof Required<TokenizerFileOptions>]: z.FieldSchemas[string] })

/**
 * Reads a tokenizer: the contents of a `tokenizer.json` (an object, or its text), or the bytes of a SentencePiece `tokenizer.model`.
 *
 * @example
 * const model = { type: 'WordLevel', vocab: { Hi: 0 }, unk_token: 'Hi' }
 * readTokenizer({ version: '1.0', model, added_tokens: [], normalizer: null, pre_tokenizer: null, decoder: null, post_processor: null }).size // => 1
 */
export function readTokenizer(file: object | string | Uint8Array, options: TokenizerFileOptions = {}): Tokenizer {
  check(fileOptionsSchema, options, 'readTokenizer › options › ')
  const { config = {}, name } = options
  if (file instanceof Uint8Array) return readSentencePiece(file, name ?? 'tokenizer.model')
  const place = name ?? 'tokenizer.json'
  return readHuggingFaceTokenizer(typeof file === 'string' ? parsed(file, place) : file, config, place)
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PromptError('bad-tokenizer', {
      where,
      problem: `this is not JSON (${(error as Error).message})`,
      fix: 'give the contents of the tokenizer.json; of a tokenizer.model, give its bytes as a Uint8Array',
    })
  }
}
