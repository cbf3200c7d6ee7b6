import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadTokenizer, shippedTokenizer } from '../../node/load-tokenizer.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import type { View } from '../render/view.ts'

const loaded = new Map<string, Tokenizer>()

/** The tokenizer that is given, else the model's own where its file is there, else the shipped one. */
export function tokenizerFor({ tokenizerPath }: Pick<View, 'tokenizerPath'>, given: string | undefined, folder: string): Tokenizer {
  return given === undefined ? (ownTokenizer(tokenizerPath, folder) ?? shippedFor(tokenizerPath)) : load(given)
}

/** The model's own tokenizer. Configs often name one on a hub, which is not fetched: then there is none. */
export function ownTokenizer(tokenizerPath: string | undefined, folder: string): Tokenizer | undefined {
  const path = tokenizerPath === undefined ? undefined : resolve(folder, tokenizerPath)
  return path !== undefined && existsSync(path) ? load(path) : undefined
}

/** The shipped tokenizer under a name that says when it stands for another. */
function shippedFor(tokenizerPath: string | undefined): Tokenizer {
  const name = `the shipped tokenizer${tokenizerPath === undefined ? '' : ` (there is no ${tokenizerPath} here)`}`
  const tokenizer = loaded.get(name) ?? { ...load(shippedTokenizer), name }
  loaded.set(name, tokenizer)
  return tokenizer
}

function load(path: string): Tokenizer {
  const tokenizer = loaded.get(path) ?? loadTokenizer(path)
  loaded.set(path, tokenizer)
  return tokenizer
}
