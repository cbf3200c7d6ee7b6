import type { Format } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { readHuggingFaceTokenizer, readSentencePiece } from '@rolecall/core/internal/tokenizer'
import { openEmbedded, readEmbeddedTokenizer } from 'rolecall/internal/model/embedded/open-embedded'
import { readGgufTokenizer } from 'rolecall/internal/model/gguf/gguf-tokenizer'
import type { LanguageModel } from 'rolecall/internal/model/language-model/language-model'
import type { TokenizerSite } from 'rolecall/internal/server/viewer/viewer-data'
import { load } from './load.ts'

const read = new Map<string, Promise<Tokenizer>>()

/** A model's tokenizer, loaded in the page; the built-in one if the model has none here. */
export function tokenizerAt(site: TokenizerSite | undefined): Promise<Tokenizer> {
  const key = !site || site.kind === 'embedded' ? '' : site.url
  let tokenizer = read.get(key)
  if (!tokenizer) {
    tokenizer = !site || site.kind === 'embedded' ? embeddedTokenizer() : readTokenizer(site)
    // Failures are not cached: the server may be back next time.
    tokenizer.catch(() => read.delete(key))
    read.set(key, tokenizer)
  }
  return tokenizer
}

async function embeddedTokenizer(): Promise<Tokenizer> {
  return readEmbeddedTokenizer(await (await load('embedded/tokenizer.json')).json())
}

async function readTokenizer(site: Exclude<TokenizerSite, { kind: 'embedded' }>): Promise<Tokenizer> {
  const file = await load(`data/${site.url}`)
  if (site.kind === 'sentencepiece') return readSentencePiece(new Uint8Array(await file.arrayBuffer()), site.name)
  if (site.kind === 'gguf') return readGgufTokenizer(new Map(await file.json()), site.name)
  const config: unknown = site.config === undefined ? {} : await (await load(`data/${site.config}`)).json()
  return readHuggingFaceTokenizer(await file.json(), config as never, site.name)
}

type Files = { weights: Uint8Array; tokenizer: unknown }
let files: Promise<Files> | undefined

/** The embedded model in the page; its files are fetched once. */
export async function embeddedModel(format: Pick<Format, 'markers' | 'tokens'>): Promise<LanguageModel> {
  files ??= loadFiles()
  files.catch(() => {
    files = undefined
  })
  return openEmbedded(await files, { format })
}

async function loadFiles(): Promise<Files> {
  const [weights, tokenizer] = await Promise.all([
    load('embedded/model.safetensors').then((file) => file.arrayBuffer()),
    load('embedded/tokenizer.json').then((file) => file.json() as Promise<unknown>),
  ])
  return { weights: new Uint8Array(weights), tokenizer }
}
