import type { ScoredText } from '../language-model/text-reader.ts'
import { type Position, PrefixReader } from './prefix-reader.ts'
import type { Transformer } from './transformer.ts'

/** What the embedded model needs of its network, which may run in this thread or in another. It continues one text at a time. */
export type Network = {
  /** The log-probability of each token of a text. */
  score(ids: readonly number[], topTokens: number): Promise<ScoredText>
  /** Reads the beginning of a text; returns the logits of the next token. */
  begin(ids: readonly number[]): Promise<{ logits: Float32Array; reused: number }>
  /** Appends a token to the text begun last; returns the logits of the next one. */
  append(id: number): Promise<Float32Array>
  close?(): Promise<void>
}

/** The network in this thread; at a pause, other work of the thread may run. */
export function transformerNetwork(transformer: Transformer, pause: () => Promise<void> = async () => {}): Network {
  const reader = new PrefixReader(transformer)
  let position: Position | undefined
  return {
    async score(ids, topTokens) {
      const { text, reused, topTokens: top } = await reader.read(ids, { topTokens, pause })
      return {
        logProbabilities: text.likely.map((token) => token?.logProbability ?? null),
        isLikeliest: text.likely.map((token) => token?.isLikeliest ?? null),
        reused,
        ...(top ? { topTokens: top } : {}),
      }
    },
    async begin(ids) {
      position = await reader.read(ids, { pause })
      const { logits, reused } = position
      return { logits, reused }
    },
    async append(id) {
      await pause()
      reader.extend(position!, id)
      return position!.logits
    },
  }
}
