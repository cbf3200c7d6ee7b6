import { z } from 'zod'
import { textFormat } from '../response-format.ts'
import { only, samplingFields } from '../sampling-request.ts'

/** What decides the prompt; `/v1/responses/input_tokens` takes the same. */
export const responsesFields = {
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  input: z
    .union([z.string(), z.array(z.looseObject({ type: z.string().nullish() })).min(1)])
    .describe(
      'A text, or items: messages, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output`, `reasoning`, and `item_reference` to what is kept.',
    ),
  instructions: z.string().nullish().describe('The system turn. It is not carried over by `previous_response_id`.'),
  previous_response_id: z
    .string()
    .nullish()
    .describe('The response after which this goes on. Responses are kept in memory, the latest 1,000 and at most 64 MB of them.'),
  tools: z
    .array(z.looseObject({ type: z.string(), name: z.string().nullish() }))
    .nullish()
    .describe(
      'Functions and custom tools that the model may call; the input of a custom tool is any text. Tools that only OpenAI can run are not shown to the model, and `problems` says so.',
    ),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string(), name: z.string().optional() })])
    .nullish()
    .describe('As for chats; `{ "type": "function", "name": … }` names a tool, `allowed_tools` shows the model only some.'),
  parallel_tool_calls: z.boolean().nullish().describe('false: the reply ends with its first call.'),
  reasoning: z
    .looseObject({ effort: z.string().nullish(), summary: z.string().nullish() })
    .nullish()
    .describe(
      '`effort`: how long to think, for chat templates that read `reasoning_effort`; `none` turns thinking off where there is a switch. `summary`: thoughts come as the summary, all of them, rather than as content.',
    ),
  truncation: z.enum(['auto', 'disabled']).nullish().describe('Nothing is cut: what is too long is refused (`context_length_exceeded`).'),
  conversation: only([], 'use previous_response_id'),
  prompt: only([], 'there are no stored prompts'),
} as const

/** The body of POST /v1/responses. Fields that are not known are accepted; those that would change the answer are not. */
export const responsesRequest = z.looseObject({
  ...responsesFields,
  max_output_tokens: z
    .int()
    .positive()
    .nullish()
    .describe("Maximum number of generated tokens; by default the model's max_out_len, else what fits."),
  temperature: samplingFields.temperature,
  top_p: samplingFields.top_p,
  stream: samplingFields.stream,
  store: z
    .boolean()
    .nullish()
    .describe('Whether the response is kept, for `previous_response_id` and `GET /v1/responses/ID`; true by default.'),
  metadata: z.record(z.string(), z.unknown()).nullish().describe('Returned unchanged.'),
  text: z
    .looseObject({ format: textFormat.nullish(), verbosity: z.string().nullish() })
    .nullish()
    .describe('`format`: the form of the reply, `text`, `json_object`, or `json_schema` with its `schema`, as `response_format` of chats.'),
  include: z
    .array(z.string())
    .nullish()
    .refine((names) => !names?.includes('message.output_text.logprobs'), 'use /v1/chat/completions for log-probabilities')
    .describe('Reasoning is always included; there is nothing else to include.'),
  top_logprobs: only([0], 'use /v1/chat/completions for log-probabilities'),
  background: only([false], 'responses are answered immediately'),
})

/** The body of POST /v1/responses/input_tokens. */
export const inputTokensRequest = z.looseObject(responsesFields)

export type ResponsesRequest = z.output<typeof responsesRequest>
export type ResponsesFields = z.output<typeof inputTokensRequest>
