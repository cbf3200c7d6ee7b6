import type { Prompt } from '../../prompt/format/format.ts'
import { ApiError } from './api-error.ts'
import type { ServedModel } from './served-model.ts'

/** No tokenizer makes fewer tokens of a text: not of one that could be in a prompt. */
const mostCharactersPerToken = 64

/** Refuses a prompt that can never fit before it is split into tokens, which would keep everybody else waiting. */
export function refuseHopeless(prompt: Prompt, { name, model: { context } }: ServedModel): void {
  if (context === undefined || prompt.kind === 'chat') return
  let size = 0
  for (const piece of prompt.pieces) {
    size += 'text' in piece ? piece.text.length : 'ids' in piece ? piece.ids.length * mostCharactersPerToken : 0
  }
  if (size <= context * mostCharactersPerToken) return
  throw new ApiError(400, {
    message: `the prompt is far longer than the ${context} tokens that ${name} can read`,
    code: 'context_length_exceeded',
  })
}
