import type { Prompt } from '@rolecall/core/internal/format'
import type { ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import type { EncodedPrompt } from './prompt-messages.ts'

/** A prompt for the model, and its ids if they were encoded elsewhere. */
export type ReadyPrompt = { prompt: Prompt; encoded?: EncodedPrompt; from: number }

/**
 * A long prompt as token ids, for a model that would encode it in this thread: in two pieces, the second with the tokens of the piece
 * `from` and all after it. Other prompts stay as they are.
 */
export async function asIds(
  prompt: Prompt,
  served: ServedModel,
  { prompts, client }: ServerContext,
  { signal, from = 0 }: { signal: AbortSignal; from?: number },
): Promise<ReadyPrompt> {
  if (prompt.kind === 'chat' || !served.model.encodesHere) return { prompt, from }
  const encoded = await prompts?.encode(served, prompt, { client, signal }, from)
  if (!encoded) return { prompt, from }
  const ids = Array.from(encoded.ids)
  const source = { by: 'message', path: 'prompt' } as const
  const pieces = [ids.slice(0, encoded.first), ids.slice(encoded.first)].map((some) => ({ ids: some, source }))
  const { needsPrefix: _, ...rest } = prompt
  return { prompt: { ...rest, pieces, bos: 'none', ...(prompt.answer && { answer: { start: 2, end: 2 } }) }, encoded, from: 1 }
}
