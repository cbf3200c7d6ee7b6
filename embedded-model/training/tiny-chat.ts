import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import * as ort from 'onnxruntime-web'
import { tinyChat } from '../../src/model/embedded/open-embedded.ts'
import { type Memory, type OnnxRuntime, type Read, Transformer } from '../../src/model/embedded/transformer.ts'

export type TinyChat = {
  encode(text: string): number[]
  /** The most likely continuation, up to the end of the turn or `most` tokens. */
  generate(prompt: string, most: number): Promise<string>
  /** The log-probability of each continuation of a prompt. */
  scoreAll(prompt: string, continuations: readonly string[]): Promise<number[]>
}

type Step = Read & { length: number }

const turnEnd = 7

/** Loads an exported model and its tokenizer from their files: the library's network, and nothing else of it, to measure the model alone. */
export async function loadTinyChat(folder: URL, tokenizerFile: URL): Promise<TinyChat> {
  ort.env.wasm.numThreads = 1
  const weights = readFileSync(new URL('model.int8.onnx', folder))
  const network = await Transformer.load(ort as unknown as OnnxRuntime, weights, tinyChat.shape)
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(tokenizerFile, 'utf8')), {})
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false }).ids

  async function run(ids: readonly number[], memory?: Memory): Promise<Step> {
    return { ...(await network.read(ids, memory)), length: ids.length }
  }

  return {
    encode,
    async generate(prompt, most) {
      let step = await run(encode(prompt))
      const made: number[] = []
      while (made.length < most) {
        const next = mostLikely(lastRow(step))
        if (next === turnEnd) break
        made.push(next)
        step = await run([next], step.memory)
      }
      if (made.length === 0) return '' // which the decoder refuses
      return tokenizer.decode(made, { skip_special_tokens: false, clean_up_tokenization_spaces: false })
    },
    async scoreAll(prompt, continuations) {
      const start = await run(encode(prompt))
      const scores: number[] = []
      for (const continuation of continuations) {
        const ids = encode(continuation)
        const rest = await run(ids, start.memory)
        const rows = [lastRow(start), ...ids.slice(1).map((_, index) => rowAt(rest, index))]
        scores.push(ids.reduce((sum, id, index) => sum + logProbability(rows[index]!, id), 0))
      }
      return scores
    },
  }
}

function rowAt({ logits, length }: Step, index: number): Float32Array {
  const size = logits.length / length
  return logits.subarray(index * size, (index + 1) * size)
}

function lastRow(step: Step): Float32Array {
  return rowAt(step, step.length - 1)
}

function mostLikely(row: Float32Array): number {
  let best = 0
  for (let id = 1; id < row.length; id++) if (row[id]! > row[best]!) best = id
  return best
}

function logProbability(row: Float32Array, id: number): number {
  const largest = row.reduce((left, right) => Math.max(left, right))
  return row[id]! - largest - Math.log(row.reduce((sum, value) => sum + Math.exp(value - largest), 0))
}
