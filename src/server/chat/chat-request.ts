import { z } from 'zod'
import { only, samplingFields } from '../sampling-fields.ts'

/** What decides the prompt of a chat; `/v1/render` takes the same. */
export const chatFields = {
  model: z.string().nullish().describe('A name of `/v1/models`; not needed where only one is served.'),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .min(1)
    .describe(
      'The chat; messages may carry what formats read, e.g. `name`, `tool_calls` and `reasoning_content`. What else they carry, `token_ids` above all, is left out and told in `problems`.',
    ),
  tools: z.array(z.looseObject({})).nullish().describe('What the model may call; `{ "type": "code_interpreter" }` lets it write code.'),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
    ])
    .nullish()
    .describe('`required` and a named tool: the reply is begun with the opening of the call, so that the model can only go on with it.'),
  parallel_tool_calls: z.boolean().nullish().describe('false: the reply ends with its first call.'),
  continue_final_message: z.boolean().nullish().describe("vLLM's: the last message is the beginning of the reply."),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish().describe("vLLM's: other variables of the chat template."),
  reasoning_effort: z
    .string()
    .nullish()
    .describe(
      'How long to think, for chat templates that read `reasoning_effort`; `none` turns thinking off where the template has a switch. `problems` says where it changes nothing.',
    ),
  functions: only([[]], 'use tools'),
  function_call: only(['none', 'auto'], 'use tool_choice'),
} as const

/** The body of POST /v1/chat/completions. Fields that are not known are accepted; those that would change the answer are not. */
export const chatRequest = z.looseObject({
  ...chatFields,
  ...samplingFields,
  max_completion_tokens: z
    .int()
    .positive()
    .nullish()
    .describe("The most tokens of the reply; by default the model's max_out_len, else what fits."),
  max_tokens: z.int().positive().nullish().describe('The same by its old name.'),
  logprobs: z.boolean().nullish().describe('Whether the tokens of the reply are told, and how likely each was.'),
  top_logprobs: z.int().min(0).max(100).nullish().describe('How many of the likeliest tokens to tell at each place.'),
  return_token_ids: z
    .boolean()
    .nullish()
    .describe(
      'The message carries the `token_ids` that the model generated, and their text. They are for the client: sent back, they are left out.',
    ),
  modalities: only([['text']], 'replies are text here'),
  audio: only([], 'replies are text here'),
  web_search_options: only([], 'there is no search here'),
})

export type ChatRequest = z.output<typeof chatRequest>
export type ChatFields = Pick<ChatRequest, keyof typeof chatFields>
