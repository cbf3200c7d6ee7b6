import type { LanguageModel } from '../language-model/language-model.ts'
import { type LocalParts, localModel } from '../language-model/local-model.ts'
import { applyMask, likeliestTokens, logProbability, sampleToken } from '../language-model/sampling.ts'
import type { ScoredText, TextReader } from '../language-model/text-reader.ts'
import { type Network, transformerNetwork } from './network.ts'
import type { Transformer } from './transformer.ts'

export type EmbeddedParts = Pick<LocalParts, 'name' | 'tokenizer' | 'format'> & { transformer: Transformer }

/** A model that runs in this process, in Node and in a browser with the same numbers. */
export function embeddedModel({ transformer, ...parts }: EmbeddedParts): LanguageModel {
  return networkModel({ ...parts, network: transformerNetwork(transformer, breathing()), context: transformer.shape.context })
}

/** The same with a network that runs elsewhere. */
export function networkModel({
  network,
  context,
  ...parts
}: Omit<EmbeddedParts, 'transformer'> & { network: Network; context: number }): LanguageModel {
  return localModel({ ...parts, kind: 'the embedded model', reader: networkReader(network, context) })
}

function networkReader(network: Network, context: number): TextReader {
  return {
    context,
    async score(texts, { topTokens, signal }) {
      const scored: ScoredText[] = []
      for (const ids of texts) {
        signal?.throwIfAborted()
        scored.push(await network.score(ids, topTokens))
      }
      return scored
    },
    async write(ids) {
      const begun = await network.begin(ids)
      let next = begun.logits
      return {
        reused: begun.reused,
        async choose({ sampling, counts, random, banned, mask, topTokens }) {
          const logits = next.slice()
          for (const id of banned) logits[id] = Number.NEGATIVE_INFINITY
          if (mask) applyMask(logits, mask)
          const id = sampleToken(logits, sampling, counts, random)
          const top = topTokens > 0 ? { top: likeliestTokens(next, topTokens) } : {}
          return { id, logProbability: logProbability(next, id), ...top }
        },
        async append(id) {
          next = await network.append(id)
        },
      }
    },
    ...(network.close ? { close: () => network.close!() } : {}),
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
