import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { readHuggingFaceTokenizer, readSentencePiece } from '@rolecall/core/internal/tokenizer'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { readGgufTokenizer } from '../../model/gguf/gguf-tokenizer.ts'
import { tokenizerNamed } from '../../model/model-types/index.ts'
import { shippedTokenizer as shipped } from '../../model/model-types/model-type.ts'
import { readWholeFile, readWholeText } from '../read-whole-file.ts'
import { readGgufMetadata } from './gguf/read-gguf.ts'
import { embeddedTokenizer } from './load-embedded.ts'

/** Reads a model's tokenizer: its folder, a `tokenizer.json` (with the `tokenizer_config.json` beside it), a `tokenizer.model`, or a GGUF file. */
export function loadTokenizer(path: string): Tokenizer {
  if (!existsSync(path)) {
    throw new PromptError('no-file', {
      where: path,
      problem: 'there is no such file or folder',
      fix: "give the model's folder, its tokenizer.json, its tokenizer.model or a GGUF file",
    })
  }
  if (statSync(path).isDirectory()) return loadTokenizer(inFolder(path))
  if (path.endsWith('.gguf')) return readGgufTokenizer(readGgufMetadata(path), basename(path))
  if (path.endsWith('.model')) return readSentencePiece(readWholeFile(path), basename(path))
  const beside = join(dirname(path), 'tokenizer_config.json')
  return readHuggingFaceTokenizer(readJson(path), existsSync(beside) ? readJson(beside) : {}, path)
}

function inFolder(folder: string): string {
  const found = ['tokenizer.json', 'tokenizer.model'].map((name) => join(folder, name)).find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new PromptError('no-file', {
    where: folder,
    problem: 'the folder has neither a tokenizer.json nor a tokenizer.model',
    fix: "give the model's folder",
  })
}

function readJson(path: string): unknown {
  const text = readWholeText(path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PromptError('bad-tokenizer', {
      where: path,
      problem: `this is not JSON (${(error as Error).message})`,
      fix: "give the tokenizer.json of the model's folder; if it is truncated, copy it again",
    })
  }
}

const loaded = new Map<string, Tokenizer>()

/** A model's tokenizer; undefined if its path is a hub id, which is not downloaded. */
export function tokenizerOf(config: ModelConfig, folder: string): Tokenizer | undefined {
  const named = tokenizerNamed(config)
  if (named === shipped) return shippedTokenizer()
  const path = named === undefined ? undefined : resolve(folder, named)
  if (path === undefined || !existsSync(path)) return undefined
  const { add_bos_token: writesBos } = config
  return writesBos === undefined ? tokenizerAt(path) : once(`${path} ${writesBos}`, () => withBosToken(tokenizerAt(path), writesBos))
}

function withBosToken(tokenizer: Tokenizer, writesBos: boolean): Tokenizer {
  if (!writesBos) return { ...tokenizer, before: [] }
  return tokenizer.before.length > 0 || tokenizer.bos === undefined ? tokenizer : { ...tokenizer, before: [tokenizer.bos] }
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
