import type { Prompt } from '../../packages/core/src/prompt/format/format.ts'
import type { LanguageModel, ModelReply } from '../../packages/rolecall/src/model/language-model/language-model.ts'

export type Script = {
  /** The reply to each prompt, in chunks. */
  says: (prompt: Prompt) => readonly string[]
  /** Delay per chunk. */
  milliseconds?: number
  concurrency?: number
}

/** What a scripted model has seen. */
export type Played = { begun: number; ended: number; aborted: number; most: number }

/** A model that streams the replies of a test in given chunks, and can be aborted. */
export function scriptedModel({ says, milliseconds = 0, concurrency }: Script): LanguageModel & { played: Played } {
  const played: Played = { begun: 0, ended: 0, aborted: 0, most: 0 }
  let running = 0
  return {
    name: 'scripted',
    played,
    ...(concurrency === undefined ? {} : { concurrency }),
    async generate(prompt, { signal, onText }): Promise<ModelReply> {
      played.begun++
      played.most = Math.max(played.most, ++running)
      let text = ''
      const pieces = says(prompt)
      for (const piece of pieces) {
        if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds))
        if (signal?.aborted) break
        text += piece
        onText?.(piece)
      }
      running--
      if (signal?.aborted) played.aborted++
      else played.ended++
      return { text, finish: signal?.aborted ? 'aborted' : 'stop', tokens: { prompt: 1, reused: 0, reply: pieces.length }, notes: [] }
    },
  }
}
