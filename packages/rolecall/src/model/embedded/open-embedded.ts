import { readHuggingFaceTokenizer } from '@rolecall/core/internal/tokenizer'
import type { LanguageModel } from '../language-model/language-model.ts'
import { type EmbeddedParts, embeddedModel } from './embedded-model.ts'
import { Transformer } from './transformer.ts'

/** The files of the embedded model, wherever they are. */
export type EmbeddedFiles = {
  /** The bytes of `packages/rolecall/embedded-model/model.int8.safetensors`. */
  weights: Uint8Array
  /** The parsed `packages/rolecall/embedded-model/tokenizer.json`. */
  tokenizer: unknown
}

/** The tokenizer of the embedded model, from its parsed `tokenizer.json`. */
export function readEmbeddedTokenizer(json: unknown) {
  return readHuggingFaceTokenizer(json, tinyChat.tokenizerConfig, tinyChat.tokenizerName)
}

/** Opens the embedded model without a file system: a page fetches its files. In Node, `loadEmbedded` finds them. */
export async function openEmbedded(
  { weights, tokenizer }: EmbeddedFiles,
  options: Pick<EmbeddedParts, 'format'> & { name?: string } = {},
): Promise<LanguageModel> {
  const transformer = await Transformer.load(weights, tinyChat.shape)
  return embeddedModel({ name: tinyChat.name, transformer, tokenizer: readEmbeddedTokenizer(tokenizer), ...options })
}

/** Settings of the shipped model that are not in its files in `embedded-model/`. */
export const tinyChat = {
  name: 'tiny-chat',
  weightsFile: 'model.int8.safetensors',
  tokenizerFile: 'tokenizer.json',
  tokenizerName: 'the embedded model',
  tokenizerConfig: { bos_token: '<s>', eos_token: '<|im_end|>' },
  shape: { layers: 6, heads: 4, headSize: 48, inner: 512, vocabulary: 1536, context: 1024, epsilon: 1e-5, theta: 10_000 },
} as const
