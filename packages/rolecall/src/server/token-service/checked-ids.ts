import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { ApiError, badField } from '../api-error.ts'
import type { PromptModel } from '../served-model.ts'

export function tokenizerOf({ model: { tokenizer }, name }: PromptModel): Tokenizer {
  if (tokenizer) return tokenizer
  throw badField('model', `the tokenizer of ${name} is not available here (serve --tokenizer)`, 'unsupported')
}

/** Ids of a request: each is one of the model's, and they fit its context. */
export function checkedIds(ids: readonly number[], served: PromptModel, param = 'token_ids'): readonly number[] {
  const tokenizer = tokenizerOf(served)
  const { context } = served.model
  if (context !== undefined && ids.length > context)
    throw new ApiError(400, { message: `${param}: ${ids.length} ids, and the context of ${served.name} has ${context}`, param })
  const unknown = ids.find((id) => tokenizer.tokenOf(id) === undefined)
  if (unknown === undefined) return ids
  throw new ApiError(400, { message: `${param}: ${served.name} has no token with id ${unknown}`, param, code: 'unknown_token' })
}
