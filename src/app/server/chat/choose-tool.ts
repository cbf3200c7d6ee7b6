import { isCannotScore } from '../../../model/language-model/cannot-score.ts'
import type { ScoredPrompt } from '../../../model/language-model/language-model.ts'
import type { Token } from '../../../prompt/tokenizer/tokenize.ts'
import { ApiError } from '../api-error.ts'
import type { ServedModel } from '../served-model.ts'
import type { ChatPrompt } from './chat-prompt.ts'

/**
 * Which of several tools a required call is of: the one whose name the model finds likeliest there. So it cannot invent one,
 * nor make no call at all. Where the model does not tell how likely a text is, only the marks of the call are written for it.
 */
export async function chooseTool(asked: ChatPrompt, { model, name }: ServedModel, signal: AbortSignal): Promise<ChatPrompt> {
  const { candidates = [] } = asked
  if (candidates.length === 0) return asked
  if (!model.score) return withoutChoice(asked, name)
  const isForced = (token: Token, index: number) => (token.pieces?.[1] ?? -1) >= (candidates[index]!.forcedFrom ?? 0)
  let scored: ScoredPrompt[]
  try {
    scored = await model.score(
      candidates.map(({ prompt }) => prompt),
      { needs: isForced, signal },
    )
  } catch (error) {
    if (isCannotScore(error)) return withoutChoice(asked, name)
    throw error
  }
  const likelihoods = scored.map(({ tokens, logProbabilities }, index) =>
    tokens.reduce((sum, token, place) => (isForced(token, index) ? sum + (logProbabilities[place] ?? 0) : sum), 0),
  )
  return candidates[likelihoods.indexOf(Math.max(...likelihoods))] ?? asked
}

/** Marks alone leave the choice to the model; where a syntax has none, nobody could make it. */
function withoutChoice(asked: ChatPrompt, name: string): ChatPrompt {
  if (asked.prompt !== asked.candidates?.[0]?.prompt) return asked
  throw new ApiError(400, {
    message: `tool_choice: ${name} cannot be made to choose among several tools; use "auto", or name one`,
    param: 'tool_choice',
    code: 'unsupported',
  })
}
