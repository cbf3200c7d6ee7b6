import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { tokenizerNamed } from '../../../model/model-types/index.ts'
import { shippedTokenizer as shipped } from '../../../model/model-types/model-type.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'
import { embeddedTokenizer } from './load-embedded.ts'
import { loadTokenizer } from './load-tokenizer.ts'

const loaded = new Map<string, Tokenizer>()

/** A model's own tokenizer. Configs often name one on a hub, which is not fetched: then there is none. */
export function tokenizerOf(config: ModelConfig, folder: string): Tokenizer | undefined {
  const named = tokenizerNamed(config)
  if (named === shipped) return shippedTokenizer()
  const path = named === undefined ? undefined : resolve(folder, named)
  return path !== undefined && existsSync(path) ? tokenizerAt(path) : undefined
}

/** The tokenizer of the embedded model, read once. */
export function shippedTokenizer(): Tokenizer {
  return once('', embeddedTokenizer)
}

/** The tokenizer at a path, read once. */
export function tokenizerAt(path: string): Tokenizer {
  return once(path, () => loadTokenizer(path))
}

function once(key: string, load: () => Tokenizer): Tokenizer {
  const tokenizer = loaded.get(key) ?? load()
  loaded.set(key, tokenizer)
  return tokenizer
}
