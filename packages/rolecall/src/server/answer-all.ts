import type { ModelReply } from '../model/language-model/language-model.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { ServedModel } from './served-model.ts'

/** `tokens`: as counted for the request. */
type Answered<Answer> = { answer: Answer; tokens: ModelReply['tokens'] }

/** Answers the choices of a request with the model's full concurrency; `usage` sums up their tokens. */
export async function answerAll<Choice, Answer>(
  choices: readonly Choice[],
  { model }: ServedModel,
  signal: AbortSignal,
  answer: (choice: Choice, signal: AbortSignal) => Promise<Answered<Answer>>,
) {
  const answered = await mapConcurrently(choices, { concurrency: model.concurrency ?? 1, signal }, answer)
  const sum = (kind: 'prompt' | 'reused' | 'reply') => answered.reduce((total, { tokens }) => total + tokens[kind], 0)
  const [prompt, reply] = [sum('prompt'), sum('reply')]
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: reply,
    total_tokens: prompt + reply,
    prompt_tokens_details: { cached_tokens: sum('reused') },
  }
  return { answers: answered.map((one) => one.answer), usage }
}
