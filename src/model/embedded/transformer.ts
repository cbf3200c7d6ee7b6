import type { OnnxRuntime, OnnxSession, OnnxTensor } from './onnx-runtime.ts'

/** Keys and values of the tokens read so far: what the network remembers of a text. */
export type Memory = { readonly length: number; readonly data: Float32Array }

export type TransformerShape = { layers: number; heads: number; headSize: number; vocabulary: number; context: number }

/** Logits after each token that was read, one row of `vocabulary` values for each. */
export type Read = { logits: Float32Array; memory: Memory }

/** The network itself: reads token ids after what it remembers, and says what it expects after each of them. */
export class Transformer {
  readonly shape: TransformerShape
  readonly #runtime: OnnxRuntime
  readonly #session: OnnxSession

  private constructor(runtime: OnnxRuntime, session: OnnxSession, shape: TransformerShape) {
    this.#runtime = runtime
    this.#session = session
    this.shape = shape
  }

  static async load(runtime: OnnxRuntime, weights: Uint8Array, shape: TransformerShape): Promise<Transformer> {
    runtime.env.wasm.numThreads ??= 1
    const session = await runtime.InferenceSession.create(weights, {
      executionProviders: ['wasm'],
      logSeverityLevel: 3,
      // Weights are int8, arithmetic is float32: quantised arithmetic would make a token's value depend on its neighbours.
      extra: { session: { disable_quant_qdq: '1' } },
    })
    return new Transformer(runtime, session, shape)
  }

  async read(ids: readonly number[], memory: Memory = nothing): Promise<Read> {
    const { layers, heads, headSize } = this.shape
    const { Tensor } = this.#runtime
    const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length])
    const past = new Tensor('float32', memory.data, [layers, 2, heads, memory.length, headSize])
    const { logits, present } = (await this.#session.run({ input_ids: input, past })) as { logits: OnnxTensor; present: OnnxTensor }
    return { logits: logits.data as Float32Array, memory: { length: memory.length + ids.length, data: present.data as Float32Array } }
  }

  /** The memory of only the first tokens. */
  shorten({ length, data }: Memory, kept: number): Memory {
    if (kept === length) return { length, data }
    const { layers, heads, headSize } = this.shape
    const blocks = layers * 2 * heads
    const shortened = new Float32Array(blocks * kept * headSize)
    for (let block = 0; block < blocks; block++) {
      const start = block * length * headSize
      shortened.set(data.subarray(start, start + kept * headSize), block * kept * headSize)
    }
    return { length: kept, data: shortened }
  }

  async close(): Promise<void> {
    await this.#session.release()
  }
}

const nothing: Memory = { length: 0, data: new Float32Array(0) }
