import { z } from 'zod'
import { only, samplingRequestFields } from '../sampling-request.ts'

/** The fields that determine the prompt of a chat, also accepted by `/v1/render`. */
export const chatFields = {
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .min(1)
    .describe(
      'The chat; messages may have the fields that formats use, e.g. `name`, `tool_calls` and `reasoning_content`. Other fields, `token_ids` in particular, are ignored and reported in `problems`.',
    ),
  tools: z
    .array(z.looseObject({}))
    .nullish()
    .describe(
      'Tools that the model may call: functions, and custom tools, whose input is free text; `{ "type": "code_interpreter" }` lets it write code.',
    ),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
      z
        .looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: z.string() }) })
        // The model sees a function.
        .transform(({ custom }) => ({ type: 'function' as const, function: custom })),
    ])
    .nullish()
    .describe('`required` and a named tool: the reply is forced to start with a call.'),
  parallel_tool_calls: z.boolean().nullish().describe('false: the reply ends with its first call.'),
  continue_final_message: z.boolean().nullish().describe("vLLM's: continue the last message."),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish().describe("vLLM's: additional variables of the chat template."),
  reasoning_effort: z
    .string()
    .nullish()
    .describe(
      'Reasoning effort, for chat templates that use `reasoning_effort`; `none` disables reasoning if the template has a switch. `problems` says if it has no effect.',
    ),
  functions: only([[]], 'use tools'),
  function_call: only(['none', 'auto'], 'use tool_choice'),
} as const

const chatRequestFields = {
  ...chatFields,
  ...samplingRequestFields,
  max_completion_tokens: z
    .int()
    .positive()
    .nullish()
    .describe("Maximum number of generated tokens; by default the model's max_out_len, else what fits."),
  max_tokens: z.int().positive().nullish().describe('Deprecated name of `max_completion_tokens`.'),
  logprobs: z.boolean().nullish().describe('Whether to return the log-probabilities of the generated tokens.'),
  top_logprobs: z.int().min(0).max(100).nullish().describe('Number of most likely tokens to return at each position.'),
  return_token_ids: z
    .boolean()
    .nullish()
    .describe('Adds the generated `token_ids` and their text to the message. They are for the client only: ids in a request are ignored.'),
  modalities: only([['text']], 'replies are text only'),
  audio: only([], 'replies are text only'),
  web_search_options: only([], 'web search is not supported'),
} as const

/** The body of POST /v1/chat/completions. Unknown fields are accepted; unsupported fields that would change the reply are not. */
export const chatRequest = z.looseObject(chatRequestFields)

/** A chat request without its messages: those are read separately, exactly as in the body. */
export type ChatSettings = Pick<z.output<typeof chatRequest>, Exclude<keyof typeof chatRequestFields, 'messages'>>
