import type { Prompt } from '../../prompt/format/format.ts'
import { tokenize } from '../../prompt/tokenizer/tokenize.ts'
import { ApiError } from './api-error.ts'
import type { ServedModel } from './served-model.ts'

/** How many tokens a prompt has; undefined where only the server behind this one knows. */
export function countTokens(prompt: Prompt, { model: { tokenizer }, maker: { format } }: ServedModel): number | undefined {
  if (!tokenizer || prompt.kind === 'chat') return undefined
  return tokenize(prompt, tokenizer, { markers: format.markers, tokens: format.tokens }).ids.length
}

/** The same, for clients that ask for nothing else. */
export function countOrRefuse(prompt: Prompt, served: ServedModel): number {
  const count = countTokens(prompt, served)
  if (count !== undefined) return count
  throw new ApiError(400, {
    message: `the tokenizer of ${served.name} is not known here, so its tokens cannot be counted`,
    param: 'model',
    code: 'unsupported',
  })
}
