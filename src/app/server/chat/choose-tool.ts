import { isCannotScore } from '../../../model/language-model/cannot-score.ts'
import type { ScoredPrompt } from '../../../model/language-model/language-model.ts'
import type { Token } from '../../../prompt/tokenizer/tokenize.ts'
import { badField } from '../api-error.ts'
import type { ServedModel } from '../served-model.ts'
import type { ChatPrompt } from './chat-prompt.ts'

/**
 * Chooses the tool of a required call: the one whose name is most likely. The model can neither invent a tool nor skip the call. If it
 * cannot score text, only the markers of the call are forced.
 */
export async function chooseTool(chatPrompt: ChatPrompt, { model, name }: ServedModel, signal: AbortSignal): Promise<ChatPrompt> {
  const { candidates = [] } = chatPrompt
  if (candidates.length === 0) return chatPrompt
  if (!model.score) return markersOnly(chatPrompt, name)
  const isForced = (token: Token, index: number) => (token.pieces?.[1] ?? -1) >= (candidates[index]!.forcedFrom ?? 0)
  let scored: ScoredPrompt[]
  try {
    scored = await model.score(
      candidates.map(({ prompt }) => prompt),
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
