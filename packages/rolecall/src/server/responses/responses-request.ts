import { z } from 'zod'
import { textFormat } from '../response-format.ts'
import { only, samplingRequestFields, samplingSettingFields } from '../sampling-request.ts'

/** The fields that determine the prompt, also accepted by `/v1/responses/input_tokens`. */
export const responsesFields = {
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  input: z
    .union([z.string(), z.array(z.looseObject({ type: z.string().nullish() })).min(1)])
    .describe(
      'A string, or items: messages, `reasoning`, calls and their outputs (`function_call`, `function_call_output`, `custom_tool_call`, …), `additional_tools`, and `item_reference` to stored items. Others are listed in `problems`.',
    ),
  instructions: z.string().nullish().describe('The system turn. It is not carried over by `previous_response_id`.'),
  previous_response_id: z
    .string()
    .nullish()
    .describe('The response to continue. Responses are kept in memory: the latest 1,000, at most 64 MB.'),
  tools: z
    .array(z.looseObject({ type: z.string(), name: z.string().nullish() }))
    .nullish()
    .describe(
      'Functions, custom tools, namespaces of them, a tool search of the client and `local_shell`: what the model may call; the input of a custom tool is free text. Tools that only OpenAI can run are not shown to the model, and are listed in `problems`.',
    ),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string(), name: z.string().optional() })])
    .nullish()
    .describe('As for chats; `{ "type": "function", "name": … }` names a tool, `allowed_tools` restricts the tools shown to the model.'),
  parallel_tool_calls: z.boolean().nullish().describe('false: the reply ends with its first call.'),
  reasoning: z
    .looseObject({ effort: z.string().nullish(), summary: z.string().nullish() })
    .nullish()
    .describe(
      '`effort`: reasoning effort, for chat templates that use `reasoning_effort`; `none` disables reasoning if the template has a switch. `summary`: reasoning is returned, in full, as the summary instead of content.',
    ),
  truncation: z
    .enum(['auto', 'disabled'])
    .nullish()
    .describe('Nothing is truncated: a prompt that is too long is rejected (`context_length_exceeded`).'),
  conversation: only([], 'use previous_response_id'),
  prompt: only([], 'stored prompts are not supported'),
} as const

/** The body of POST /v1/responses. Unknown fields are accepted; unsupported fields that would change the reply are not. */
export const responsesRequest = z.looseObject({
  ...responsesFields,
  max_output_tokens: z
    .int()
    .positive()
    .nullish()
    .describe("Maximum number of generated tokens; by default the model's max_out_len, else what fits."),
  ...samplingSettingFields,
  stream: samplingRequestFields.stream,
  store: z
    .boolean()
    .nullish()
    .describe('Whether to store the response, for `previous_response_id` and `GET /v1/responses/ID`; true by default.'),
  metadata: z.record(z.string(), z.unknown()).nullish().describe('Returned unchanged.'),
  text: z
    .looseObject({ format: textFormat.nullish(), verbosity: z.string().nullish() })
    .nullish()
    .describe('`format`: `text`, `json_object`, or `json_schema` with its `schema`, like `response_format` of chats.'),
  include: z
    .array(z.string())
    .nullish()
    .refine((names) => !names?.includes('message.output_text.logprobs'), 'use /v1/chat/completions for log-probabilities')
    .describe('Reasoning is always included; there is nothing else to include.'),
  top_logprobs: only([0], 'use /v1/chat/completions for log-probabilities'),
  background: only([false], 'background responses are not supported'),
})

/** The body of POST /v1/responses/input_tokens. */
export const inputTokensRequest = z.looseObject(responsesFields)

export type ResponsesRequest = z.output<typeof responsesRequest>
export type ResponsesFields = z.output<typeof inputTokensRequest>
