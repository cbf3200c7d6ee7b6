import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import * as ort from 'onnxruntime-web'

export type TinyChat = {
  encode(text: string): number[]
  /** The most likely continuation, up to the end of the turn or `most` tokens. */
  generate(prompt: string, most: number): Promise<string>
  /** The log-probability of each continuation of a prompt. */
  scoreAll(prompt: string, continuations: readonly string[]): Promise<number[]>
}

type Cache = ort.TypedTensor<'float32'>
type Step = { logits: Float32Array; length: number; present: Cache }

const turnEnd = 7
const layers = 6
const heads = 4
const headSize = 48

/** Loads the exported model and its tokenizer from their files: just enough to measure it, with no code of the library in between. */
export async function loadTinyChat(folder: URL, tokenizerFile: URL): Promise<TinyChat> {
  ort.env.wasm.numThreads = 1
  const session = await ort.InferenceSession.create(readFileSync(new URL('model.int8.onnx', folder)), {
    executionProviders: ['wasm'],
    extra: { session: { disable_quant_qdq: '1' } },
  })
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(tokenizerFile, 'utf8')), {})
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false }).ids

  async function run(ids: readonly number[], past?: Cache): Promise<Step> {
    const { logits, present } = await session.run({
      input_ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      past: past ?? new ort.Tensor('float32', new Float32Array(), [layers, 2, heads, 0, headSize]),
    })
    return { logits: logits!.data as Float32Array, length: ids.length, present: present as Cache }
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
        step = await run([next], step.present)
      }
      if (made.length === 0) return '' // which the decoder refuses
      return tokenizer.decode(made, { skip_special_tokens: false, clean_up_tokenization_spaces: false })
    },
    async scoreAll(prompt, continuations) {
      const start = await run(encode(prompt))
      const scores: number[] = []
      for (const continuation of continuations) {
        const ids = encode(continuation)
        const rest = await run(ids, start.present)
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
