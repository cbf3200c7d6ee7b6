import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { type EmbeddedParts, embeddedModel } from '../../model/embedded/embedded-model.ts'
import { readEmbeddedTokenizer, tinyChat } from '../../model/embedded/open-embedded.ts'
import { Transformer } from '../../model/embedded/transformer.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { packageFile } from '../own-files.ts'

const modelFolder = packageFile('embedded-model/')

/** The weights of the embedded model. */
export const embeddedWeights: URL = new URL(tinyChat.weightsFile, modelFolder)

/** The tokenizer of the embedded model. */
export function embeddedTokenizer(): Tokenizer {
  const json: unknown = JSON.parse(readFileSync(new URL(tinyChat.tokenizerFile, modelFolder), 'utf8'))
  return readEmbeddedTokenizer(json)
}

let transformer: Promise<Transformer> | undefined

async function loadTransformer(): Promise<Transformer> {
  return Transformer.load(await readFile(embeddedWeights), tinyChat.shape)
}

export type EmbeddedOptions = Pick<EmbeddedParts, 'format'> & { name?: string }

/** Loads the embedded model, which needs no network access, key or GPU. Its weights are loaded once per process. */
export async function loadEmbedded(options: EmbeddedOptions = {}): Promise<LanguageModel> {
  transformer ??= loadTransformer()
  return embeddedModel({ name: tinyChat.name, transformer: await transformer, tokenizer: embeddedTokenizer(), ...options })
}
