import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadTokenizer, shippedTokenizer } from '../../node/load-tokenizer.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import type { View } from '../render/view.ts'

const loaded = new Map<string, Tokenizer>()

/** The tokenizer that is given, else the model's own where its file is there, else the shipped one. */
export function tokenizerFor({ tokenizerPath }: Pick<View, 'tokenizerPath'>, given: string | undefined, folder: string): Tokenizer {
  return given === undefined ? (ownTokenizer(tokenizerPath, folder) ?? load(shippedTokenizer)) : load(given)
}

/** The model's own tokenizer. Configs often name one on a hub, which is not fetched: then there is none. */
export function ownTokenizer(tokenizerPath: string | undefined, folder: string): Tokenizer | undefined {
  const path = tokenizerPath === undefined ? undefined : resolve(folder, tokenizerPath)
  return path !== undefined && existsSync(path) ? load(path) : undefined
}

function load(path: string): Tokenizer {
  const tokenizer =
    loaded.get(path) ?? (path === shippedTokenizer ? { ...loadTokenizer(path), name: 'the shipped tokenizer' } : loadTokenizer(path))
  loaded.set(path, tokenizer)
  return tokenizer
}
