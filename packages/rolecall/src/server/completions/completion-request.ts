import { z } from 'zod'
import { only, samplingRequestFields } from '../sampling-request.ts'
import { rawPrompts } from '../token-ids.ts'

/** The body of POST /v1/completions. Unknown fields are accepted; unsupported fields that would change the reply are not. */
export const completionRequest = z.looseObject({
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  prompt: rawPrompts.describe('Text in which special tokens are recognised, or token ids.'),
  ...samplingRequestFields,
  max_tokens: z.int().nonnegative().nullish().describe("16 by default, as on OpenAI's servers."),
  echo: z.boolean().nullish().describe('The prompt is returned before the reply, with its log-probabilities if requested.'),
  logprobs: z
    .union([z.int().min(0).max(100), z.boolean()])
    .nullish()
    .describe('Number of most likely tokens to return at each position, in addition to the chosen one.'),
  prompt_logprobs: z.int().min(0).max(100).nullish().describe("vLLM's: the same for the prompt, without echo."),
  add_special_tokens: z.boolean().nullish().describe('Whether the tokenizer adds BOS to a text without it; true by default.'),
  return_tokens_as_token_ids: z.boolean().nullish().describe('Tokens are returned as "token_id:42" instead of their text.'),
  return_token_ids: z.boolean().nullish().describe("vLLM's: adds `token_ids` and `prompt_token_ids` to the choices."),
  best_of: only([1], 'use n: all replies are returned'),
  suffix: only([''], 'insertion is not supported'),
})

export type CompletionRequest = z.output<typeof completionRequest>
