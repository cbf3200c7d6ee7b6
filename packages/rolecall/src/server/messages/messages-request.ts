import { z } from 'zod'
import { textFormat } from '../response-format.ts'
import { only, samplingRequestFields, samplingSettingFields } from '../sampling-request.ts'

const blocks = z.array(z.looseObject({ type: z.string() }))

/** The fields that determine the prompt, also accepted by `/v1/messages/count_tokens`. */
export const messagesFields = {
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: z.union([z.string(), blocks]) }))
    .min(1)
    .describe(
      'The chat: strings, or blocks of the types `text`, `image`, `document`, `search_result`, `tool_use`, `tool_result` and `thinking`; others are listed in `problems`. A final assistant message is continued.',
    ),
  system: z.union([z.string(), blocks]).nullish().describe('The system turn, as text or as blocks of text.'),
  tools: z
    .array(z.looseObject({ type: z.string().nullish(), name: z.string() }))
    .nullish()
    .describe('Tools that the model may call. Tools that only Anthropic can run are not shown to the model, and are listed in `problems`.'),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().nullish(),
    })
    .refine(({ type, name }) => type !== 'tool' || name !== undefined, 'name is required')
    .nullish()
    .describe('`any` and `tool`: the reply is forced to start with a call. `disable_parallel_tool_use`: it ends with its first call.'),
  thinking: z
    .looseObject({ type: z.string() })
    .nullish()
    .describe(
      'Turns thinking on or off if the chat template has a switch. `budget_tokens` is not enforced. Defaults to what the template does.',
    ),
  output_config: z
    .looseObject({ effort: z.string().nullish(), format: textFormat.nullish() })
    .nullish()
    .describe(
      '`effort`: reasoning effort, for chat templates that use `reasoning_effort`. `format`: `{ type: json_schema, schema }`, constrains the reply like `response_format` of chats.',
    ),
} as const

/** The body of POST /v1/messages. Unknown fields are accepted; unsupported fields that would change the reply are not. */
export const messagesRequest = z.looseObject({
  ...messagesFields,
  max_tokens: z.int().positive().describe('Maximum number of generated tokens.'),
  stop_sequences: z.array(z.string()).nullish().describe('Stop sequences; they are not part of the reply.'),
  stream: samplingRequestFields.stream,
  ...samplingSettingFields,
  container: only([], 'code execution is not supported'),
  mcp_servers: only([[]], 'MCP servers are not supported'),
})

/** The body of POST /v1/messages/count_tokens. */
export const countTokensRequest = z.looseObject(messagesFields)

export type MessagesRequest = z.output<typeof messagesRequest>
export type MessagesFields = z.output<typeof countTokensRequest>
