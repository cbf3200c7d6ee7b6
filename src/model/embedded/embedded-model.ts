import type { LanguageModel } from '../language-model/language-model.ts'
import { type LocalParts, localModel } from '../language-model/local-model.ts'
import { applyMask, likeliestTokens, logProbability, sampleToken } from '../language-model/sampling.ts'
import type { ScoredText, TextReader } from '../language-model/text-reader.ts'
import { PrefixReader } from './prefix-reader.ts'
import type { Transformer } from './transformer.ts'

export type EmbeddedParts = Pick<LocalParts, 'name' | 'tokenizer' | 'format'> & { transformer: Transformer }

/** A model that runs in this process, in Node and in a browser with the same numbers. */
export function embeddedModel({ transformer, ...parts }: EmbeddedParts): LanguageModel {
  return localModel({ ...parts, kind: 'the embedded model', reader: transformerReader(transformer) })
}

function transformerReader(transformer: Transformer): TextReader {
  const reader = new PrefixReader(transformer)
  const breathe = breathing()
  return {
    context: transformer.shape.context,
    async score(texts, { topTokens, signal }) {
      const scored: ScoredText[] = []
      for (const ids of texts) {
        signal?.throwIfAborted()
        const { text, reused, topTokens: top } = await reader.read(ids, { topTokens, pause: breathe })
        scored.push({
          logProbabilities: text.likely.map((token) => token?.logProbability ?? null),
          isLikeliest: text.likely.map((token) => token?.isLikeliest ?? null),
          reused,
          topTokens: top,
        })
      }
      return scored
    },
    async write(ids) {
      const position = await reader.read(ids, { pause: breathe })
      return {
        reused: position.reused,
        async choose({ sampling, counts, random, banned, mask, topTokens }) {
          await breathe()
          const logits = position.logits.slice()
          for (const id of banned) logits[id] = Number.NEGATIVE_INFINITY
          if (mask) applyMask(logits, mask)
          const id = sampleToken(logits, sampling, counts, random)
          const top = topTokens > 0 ? { top: likeliestTokens(position.logits, topTokens) } : {}
          return { id, logProbability: logProbability(position.logits, id), ...top }
        },
        append: async (id) => reader.extend(position, id),
      }
    },
  }
}

/** How long the network may block the event loop. */
const longest = 30

/** Node's setImmediate runs all pending work without delay; a timer takes a millisecond, or several on a busy machine. */
const pause: (resume: () => void) => void =
  (globalThis as { setImmediate?: (resume: () => void) => void }).setImmediate ?? ((resume) => void setTimeout(resume))

/** Yields to the event loop now and then: the network runs in this thread, and promises alone never let input, timers or I/O through. */
function breathing(now: () => number = () => performance.now()): () => Promise<void> {
  let last = now()
  return async () => {
    if (now() - last < longest) return
    await new Promise<void>((resolve) => pause(resolve))
    last = now()
  }
}
