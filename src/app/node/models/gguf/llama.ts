/** The part of node-llama-cpp that is used here. https://node-llama-cpp.withcat.ai */
export type NodeLlamaCpp = { getLlama(options: Record<string, unknown>): Promise<Llama> }

export type Llama = { loadModel(options: Record<string, unknown>): Promise<LlamaModel> }

export type LlamaModel = {
  trainContextSize: number
  tokenize(text: string, specialTokens?: boolean): readonly number[]
  createContext(options: Record<string, unknown>): Promise<LlamaContext>
  dispose(): Promise<void>
}

export type LlamaContext = { contextSize: number; getSequence(): LlamaSequence; dispose(): Promise<void> }

/** The logits to return after a token. Filtering keeps large vocabularies fast (`includeMax` has no effect in 3.22, `includeTop: 1` does). */
export type Wanted = {
  logits: true | { filter: { tokens: readonly number[]; includeTop: number } }
  totalLogitWeight: true
}

export type LlamaSequence = {
  nextTokenIndex: number
  clearHistory(): Promise<void>
  eraseContextTokenRanges(ranges: readonly { start: number; end: number }[]): Promise<void>
  controlledEvaluate(
    input: readonly (number | readonly [token: number, options: { generateNext: Wanted }])[],
  ): Promise<readonly ({ next: { logits?: Map<number, number>; totalLogitWeight?: number } } | undefined)[]>
}
