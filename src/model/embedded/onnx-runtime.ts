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
