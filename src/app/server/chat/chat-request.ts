import { z } from 'zod'
import { only, samplingFields } from '../sampling-request.ts'

/** What decides the prompt of a chat; `/v1/render` takes the same. */
export const chatFields = {
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .min(1)
    .describe(
      'The chat; messages may carry what formats read, e.g. `name`, `tool_calls` and `reasoning_content`. Other fields, `token_ids` in particular, are ignored and reported in `problems`.',
    ),
  tools: z.array(z.looseObject({})).nullish().describe('What the model may call; `{ "type": "code_interpreter" }` lets it write code.'),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
    ])
    .nullish()
    .describe('`required` and a named tool: the reply is forced to start with a call.'),
  parallel_tool_calls: z.boolean().nullish().describe('false: the reply ends with its first call.'),
  continue_final_message: z.boolean().nullish().describe("vLLM's: the last message is the beginning of the reply."),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish().describe("vLLM's: other variables of the chat template."),
  reasoning_effort: z
    .string()
    .nullish()
    .describe(
      'Reasoning effort, for chat templates that use `reasoning_effort`; `none` disables reasoning if the template has a switch. `problems` says if it has no effect.',
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
    .describe("Maximum number of generated tokens; by default the model's max_out_len, else what fits."),
  max_tokens: z.int().positive().nullish().describe('The same by its old name.'),
  logprobs: z.boolean().nullish().describe('Whether to return the log-probabilities of the generated tokens.'),
  top_logprobs: z.int().min(0).max(100).nullish().describe('Number of most likely tokens to return at each position.'),
  return_token_ids: z
    .boolean()
    .nullish()
    .describe(
      'The message carries the `token_ids` that the model generated, and their text. They are for the client only: ids in a request are ignored.',
    ),
  modalities: only([['text']], 'replies are text only'),
  audio: only([], 'replies are text only'),
  web_search_options: only([], 'there is no web search'),
})

export type ChatRequest = z.output<typeof chatRequest>
export type ChatFields = Pick<ChatRequest, keyof typeof chatFields>
