/** Keys and values of the tokens read so far, for each layer: what the network remembers of a text. */
export type Memory = { readonly length: number; readonly keysAndValues: readonly Float32Array[] }

export type TransformerShape = { layers: number; heads: number; headSize: number; vocabulary: number; context: number }

/** Logits after each token that was read, one row of `vocabulary` values for each. */
export type Read = { logits: Float32Array; memory: Memory }

/** The network itself: reads token ids after what it remembers, and says what it expects after each of them. */
export class Transformer {
  readonly shape: TransformerShape
  readonly #runtime: OnnxRuntime
  readonly #session: OnnxSession
  readonly #nothing: Memory

  private constructor(runtime: OnnxRuntime, session: OnnxSession, shape: TransformerShape) {
    this.#runtime = runtime
    this.#session = session
    this.shape = shape
    this.#nothing = { length: 0, keysAndValues: Array.from({ length: 2 * shape.layers }, () => new Float32Array(0)) }
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

  async read(ids: readonly number[], memory: Memory = this.#nothing): Promise<Read> {
    const { layers, heads, headSize } = this.shape
    const { Tensor } = this.#runtime
    const integers = (values: readonly number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
    const inputs: Record<string, OnnxTensor> = {
      input_ids: integers(ids),
      positions: integers(ids.map((_, index) => memory.length + index)),
    }
    const dimensions = [1, heads, memory.length, headSize]
    for (let layer = 0; layer < layers; layer++) {
      inputs[`past_key_${layer}`] = new Tensor('float32', memory.keysAndValues[2 * layer]!, dimensions)
      inputs[`past_value_${layer}`] = new Tensor('float32', memory.keysAndValues[2 * layer + 1]!, dimensions)
    }
    const outputs = await this.#session.run(inputs)
    const values = (name: string) => outputs[name]!.data as Float32Array
    const keysAndValues = Array.from({ length: layers }, (_, layer) => [values(`key_${layer}`), values(`value_${layer}`)]).flat()
    return { logits: values('logits'), memory: { length: memory.length + ids.length, keysAndValues } }
  }

  /** The memory of only the first tokens. */
  shorten(memory: Memory, length: number): Memory {
    if (length === memory.length) return memory
    const { heads, headSize } = this.shape
    const kept = length * headSize
    const keysAndValues = memory.keysAndValues.map((values) => {
      const shortened = new Float32Array(heads * kept)
      for (let head = 0; head < heads; head++) {
        const start = head * memory.length * headSize
        shortened.set(values.subarray(start, start + kept), head * kept)
      }
      return shortened
    })
    return { length, keysAndValues }
  }

  async close(): Promise<void> {
    await this.#session.release()
  }
}

/**
 * The part of onnxruntime-web that is used here. Its own types are not, so that users of our types need not install it:
 * the runtime is handed in, from the package's own copy in Node, from a URL in a browser.
 */
export type OnnxRuntime = {
  env: { wasm: { numThreads?: number; wasmBinary?: ArrayBufferLike | Uint8Array; wasmPaths?: unknown }; logLevel?: string }
  InferenceSession: { create(model: Uint8Array, options: object): Promise<OnnxSession> }
  Tensor: new (type: 'int64' | 'float32', data: BigInt64Array | Float32Array, dims: readonly number[]) => OnnxTensor
}

export type OnnxTensor = { data: unknown; dims: readonly number[]; dispose(): void }

export type OnnxSession = {
  run(inputs: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>
  release(): Promise<void>
}
