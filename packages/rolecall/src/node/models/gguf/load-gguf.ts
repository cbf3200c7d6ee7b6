import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../../../model/language-model/language-model.ts'
import { localModel } from '../../../model/language-model/local-model.ts'
import { importPeer } from '../../find-peer.ts'
import { defaultContext } from '../context-of.ts'
import { tokenizerAt } from '../load-tokenizer.ts'
import { installHint } from './install-hint.ts'
import type { Llama, LlamaModel, NodeLlamaCpp } from './llama-reader.ts'
import { llamaReader } from './llama-reader.ts'

/** Loads a GGUF file through node-llama-cpp, which users install themselves. */
export async function loadGguf(
  config: ModelConfig,
  format?: Pick<Format, 'markers' | 'tokens'>,
  { folder = '.' }: { folder?: string } = {},
): Promise<LanguageModel> {
  const name = config.abbr ?? 'model'
  const path = fileOf(config, name, folder)
  const tokenizer = tokenizerAt(config.tokenizer_path === undefined ? path : resolve(folder, config.tokenizer_path))
  const gpu = config.gpu ?? false
  const llama = await openLlama(name, gpu)
  const { model, release } = await loadWeights(llama, path, config.gpu_layers)
  const wanted = config.context ?? Math.min(model.trainContextSize, defaultContext)
  const threads = config.threads ?? defaultThreads()
  // llama.cpp shifts the context when its last position is taken, so allocate one more than is used.
  const context = await model.createContext({
    contextSize: wanted + 1,
    threads,
    batchSize: Math.min(512, wanted + 1),
    // With flash attention, scores depend on how a prompt was split between requests; on a CPU it is no faster.
    flashAttention: gpu !== false,
  })
  const reader = llamaReader({
    sequence: context.getSequence(),
    vocabulary: tokenizer.size ?? 0,
    context: Math.min(wanted, context.contextSize - 1),
    async close() {
      await context.dispose()
      release()
    },
  })
  return localModel({
    name,
    kind: 'a GGUF model',
    reader,
    tokenizer,
    notes: config.tokenizer_path === undefined ? tokenizerNotes(model, tokenizer) : [],
    ...(format ? { format } : {}),
  })
}

function fileOf({ path }: ModelConfig, name: string, folder: string): string {
  if (path !== undefined && existsSync(resolve(folder, path))) return resolve(folder, path)
  throw new PromptError(path === undefined ? 'missing' : 'no-file', {
    where: `${name} › path`,
    problem: path === undefined ? 'the model has no path' : `there is no file ${path}`,
    fix: 'set path to a .gguf file, relative to the config; for a split model, to the first part',
  })
}

/** One less than the cores: llama.cpp's threads spin, and with its default, one other busy process slows it to a token per second. */
export function defaultThreads(): number {
  return Math.max(1, availableParallelism() - 1)
}

const opened = new Map<unknown, Promise<Llama>>()

/** Opens llama.cpp once per process and GPU setting. */
async function openLlama(where: string, gpu: unknown): Promise<Llama> {
  const peer = (await importPeer('node-llama-cpp')) as NodeLlamaCpp | undefined
  if (!peer) {
    throw new PromptError('peer-missing', {
      where: `${where} › type`,
      problem: 'GGUF files are run by node-llama-cpp, which is not installed',
      fix: `install the variant for this machine: ${installHint(process.platform, process.arch, gpu)}`,
    })
  }
  const known = opened.get(gpu) ?? peer.getLlama({ gpu, build: 'never', logLevel: 'error', maxThreads: 0 })
  opened.set(gpu, known)
  try {
    return await known
  } catch (error) {
    opened.delete(gpu)
    throw new PromptError('peer-broken', {
      where: `${where} › type`,
      problem: `node-llama-cpp cannot start (${(error as Error).message})`,
      fix: `install its binary for this machine: ${installHint(process.platform, process.arch, gpu)}${gpu === false ? '' : '; or set gpu: false'}`,
    })
  }
}

/** Weights stay loaded until another model is needed: a run opens its model for each dataset. */
const weights = new Map<string, Weights>()
type Weights = { model: Promise<LlamaModel>; users: number }

async function loadWeights(llama: Llama, path: string, gpuLayers: number | undefined): Promise<{ model: LlamaModel; release: () => void }> {
  const key = JSON.stringify([path, gpuLayers])
  const known = weights.get(key)
  if (!known) dropUnused()
  const own = known ?? { model: llama.loadModel({ modelPath: path, ...(gpuLayers === undefined ? {} : { gpuLayers }) }), users: 0 }
  weights.set(key, own)
  try {
    const model = await own.model
    own.users++
    return { model, release: () => void own.users-- }
  } catch (error) {
    weights.delete(key)
    throw new PromptError('bad-gguf', {
      where: path,
      problem: `llama.cpp cannot load it (${(error as Error).message})`,
      fix: 'check that the file is complete, and that this version of node-llama-cpp supports the model',
    })
  }
}

function dropUnused(): void {
  for (const [key, { model, users }] of weights) {
    if (users > 0) continue
    weights.delete(key)
    void model.then((one) => one.dispose()).catch(() => undefined)
  }
}

const probe = 'Hello world!  It\'s 12,345.67 — "ça va"?\n\n\tdef f(x):\n    return x**2 # 你好，世界 😀'

/** Warns if our tokenizer and llama.cpp's disagree on an ordinary text: the file's tokenizer name or our reading of it is wrong. */
function tokenizerNotes(model: LlamaModel, tokenizer: Tokenizer): Note[] {
  const isSpecial = new Set(tokenizer.addedTokens.flatMap(({ id, special }) => (special ? [id] : [])))
  const ours = tokenizer.encodeRun(probe, true, (id) => isSpecial.has(id)).ids
  const theirs = model.tokenize(probe)
  if (ours.length === theirs.length && ours.every((id, index) => id === theirs[index])) return []
  const text = `${tokenizer.name}: llama.cpp and Rolecall tokenize ordinary text differently; set tokenizer_path to the model's tokenizer`
  return [{ code: 'tokenizer-differs', text }]
}
