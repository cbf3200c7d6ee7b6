import { ApiError } from './api-error.ts'
import type { ServerLimits } from './server-limits.ts'

/** Rejects a request for too many replies: `n` of them to each prompt. */
export function checkChoices(prompts: number, n: number, { choices, repliesPerPrompt }: ServerLimits): void {
  const most = Math.min(choices, repliesPerPrompt)
  if (n > most) throw tooMany('n', `n: ${n} replies exceed the limit of ${most}`)
  if (prompts * n > choices) throw tooMany('prompt', `${prompts} prompts with ${n} replies each exceed the limit of ${choices} at once`)
}

function tooMany(param: string, message: string): ApiError {
  return new ApiError(400, { message, param, code: 'too_many_choices' })
}
