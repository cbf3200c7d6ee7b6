import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { tokenizerNamed } from '../../../model/model-types/index.ts'
import { shippedTokenizer as shipped } from '../../../model/model-types/model-type.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'
import { embeddedTokenizer } from './load-embedded.ts'
import { loadTokenizer } from './load-tokenizer.ts'

const loaded = new Map<string, Tokenizer>()

/** A model's tokenizer; undefined if its path is a hub id, which is not downloaded. */
export function tokenizerOf(config: ModelConfig, folder: string): Tokenizer | undefined {
  const named = tokenizerNamed(config)
  if (named === shipped) return shippedTokenizer()
  const path = named === undefined ? undefined : resolve(folder, named)
  return path !== undefined && existsSync(path) ? tokenizerAt(path) : undefined
}

/** The embedded model's tokenizer, loaded once. */
export function shippedTokenizer(): Tokenizer {
  return once('', embeddedTokenizer)
}

/** The tokenizer at a path, loaded once. */
export function tokenizerAt(path: string): Tokenizer {
  return once(path, () => loadTokenizer(path))
}

function once(key: string, load: () => Tokenizer): Tokenizer {
  const tokenizer = loaded.get(key) ?? load()
  loaded.set(key, tokenizer)
  return tokenizer
}
