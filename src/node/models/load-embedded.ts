import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type EmbeddedParts, embeddedModel } from '../../model/embedded/embedded-model.ts'
import { readEmbeddedTokenizer, tinyChat } from '../../model/embedded/open-embedded.ts'
import { type OnnxRuntime, Transformer } from '../../model/embedded/transformer.ts'
import type { LanguageModel } from '../../model/language-model.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import { packageFile } from '../own-files.ts'
import { onnxFiles, readUnpacked } from './onnx-files.ts'

const modelFolder = packageFile('embedded-model/')

/** The weights of the embedded model. */
export const embeddedWeights = new URL(tinyChat.weightsFile, modelFolder)

async function loadRuntime(): Promise<OnnxRuntime> {
  if (!onnxFiles) throw new Error('the files of onnxruntime-web are missing from this installation: install rolecall again')
  const loaded = (await import(pathToFileURL(onnxFiles.script).href)) as OnnxRuntime
  loaded.env.wasm.numThreads = 1
  loaded.env.wasm.wasmBinary = readUnpacked(onnxFiles.code)
  return loaded
}

/** The tokenizer of the embedded model. */
export function embeddedTokenizer(): Tokenizer {
  const json: unknown = JSON.parse(readFileSync(new URL(tinyChat.tokenizerFile, modelFolder), 'utf8'))
  return readEmbeddedTokenizer(json)
}

let transformer: Promise<Transformer> | undefined

async function loadTransformer(): Promise<Transformer> {
  const [runtime, weights] = await Promise.all([loadRuntime(), readFile(embeddedWeights)])
  return Transformer.load(runtime, weights, tinyChat.shape)
}

/** Loads the embedded model: no network, key or GPU. The network itself is loaded once for the whole process. */
export async function loadEmbedded(options: Pick<EmbeddedParts, 'format'> & { name?: string } = {}): Promise<LanguageModel> {
  transformer ??= loadTransformer()
  return embeddedModel({ name: tinyChat.name, transformer: await transformer, tokenizer: embeddedTokenizer(), ...options })
}
