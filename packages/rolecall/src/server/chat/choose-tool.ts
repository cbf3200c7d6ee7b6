import type { Token } from '@rolecall/core/internal/tokenizer'
import { isCannotScore } from '../../model/language-model/cannot-score.ts'
import type { ScoredPrompt } from '../../model/language-model/language-model.ts'
import { badField } from '../api-error.ts'
import { asIds, type ReadyPrompt } from '../prompts/as-ids.ts'
import type { ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import type { ChatPrompt } from './chat-prompt.ts'

/**
 * Chooses the tool of a required call: the one whose name is most likely. The model can neither invent a tool nor skip the call. If it
 * cannot score text, only the markers of the call are forced.
 */
export async function chooseTool(
  chatPrompt: ChatPrompt,
  served: ServedModel,
  server: ServerContext,
  signal: AbortSignal,
): Promise<ChatPrompt> {
  const { model, name } = served
  const { candidates = [] } = chatPrompt
  if (candidates.length === 0) return chatPrompt
  if (!model.score) return markersOnly(chatPrompt, name)
  const ready: ReadyPrompt[] = []
  for (const { prompt, forcedFrom = 0 } of candidates) ready.push(await asIds(prompt, served, server, { signal, from: forcedFrom }))
  const isForced = (token: Token, index: number) => (token.pieces?.[1] ?? -1) >= ready[index]!.from
  let scored: ScoredPrompt[]
  try {
    scored = await model.score(
      ready.map(({ prompt }) => prompt),
      { needs: isForced, signal },
    )
  } catch (error) {
    if (isCannotScore(error)) return markersOnly(chatPrompt, name)
    throw error
  }
  const likelihoods = scored.map(({ tokens, logProbabilities }, index) =>
    tokens.reduce((sum, token, position) => (isForced(token, index) ? sum + (logProbabilities[position] ?? 0) : sum), 0),
  )
  return candidates[likelihoods.indexOf(Math.max(...likelihoods))] ?? chatPrompt
}

/** Markers leave the choice of the tool to the model; a syntax without markers cannot force a call. */
function markersOnly(chatPrompt: ChatPrompt, name: string): ChatPrompt {
  if (chatPrompt.prompt !== chatPrompt.candidates?.[0]?.prompt) return chatPrompt
  throw badField('tool_choice', `${name} cannot choose among several tools; use "auto", or name one`, 'unsupported')
}
