import { z } from 'zod'
import { only, samplingFields } from '../sampling-fields.ts'

const id = z.int().nonnegative()

/** The body of POST /v1/completions. Fields that are not known are accepted; those that would change the answer are not. */
export const completionRequest = z.looseObject({
  model: z.string().nullish().describe('A name of `/v1/models`; not needed where only one is served.'),
  prompt: z
    .union([z.string(), z.array(z.string()).min(1), z.array(id).min(1), z.array(z.array(id).min(1)).min(1)], {
      error: 'this must be a text, a list of texts, a list of token ids, or a list of such lists',
    })
    .describe('Text in which special tokens count as such, or token ids.'),
  ...samplingFields,
  max_tokens: z.int().nonnegative().nullish().describe('16 by default, as everywhere.'),
  echo: z.boolean().nullish().describe('The prompt comes back before the reply, with its log-probabilities if those are asked for.'),
  logprobs: z
    .union([z.int().min(0).max(100), z.boolean()])
    .nullish()
    .describe('How many of the likeliest tokens to tell at each place, besides the chosen one.'),
  prompt_logprobs: z.int().min(0).max(100).nullish().describe("vLLM's: the same for the prompt, without echo."),
  add_special_tokens: z.boolean().nullish().describe('Whether the tokenizer writes BOS before a text that lacks it; true by default.'),
  return_tokens_as_token_ids: z.boolean().nullish().describe('Tokens are told as "token_id:42" rather than by their text.'),
  return_token_ids: z.boolean().nullish().describe("vLLM's: choices carry `token_ids` and `prompt_token_ids`."),
  best_of: only([1], 'all replies come back here: use n'),
  suffix: only([''], 'nothing can be inserted here: the reply follows the prompt'),
})

export type CompletionRequest = z.output<typeof completionRequest>
