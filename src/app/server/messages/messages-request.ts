import { z } from 'zod'
import { textFormat } from '../response-format.ts'
import { only, samplingFields } from '../sampling-request.ts'

const blocks = z.array(z.looseObject({ type: z.string() }))

/** What decides the prompt; `/v1/messages/count_tokens` takes the same. */
export const messagesFields = {
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: z.union([z.string(), blocks]) }))
    .min(1)
    .describe(
      'The chat: texts, or blocks of the types `text`, `image`, `tool_use`, `tool_result` and `thinking`. A last message of the assistant is the beginning of the reply.',
    ),
  system: z.union([z.string(), blocks]).nullish().describe('The system turn, as text or as blocks of text.'),
  tools: z
    .array(z.looseObject({ type: z.string().nullish(), name: z.string() }))
    .nullish()
    .describe('What the model may call. Tools that only Anthropic can run are not shown to the model, and `problems` says so.'),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().nullish(),
    })
    .refine(({ type, name }) => type !== 'tool' || name !== undefined, 'name the tool')
    .nullish()
    .describe('`any` and `tool`: the reply is forced to start with a call. `disable_parallel_tool_use` ends it with its first call.'),
  thinking: z
    .looseObject({ type: z.string() })
    .nullish()
    .describe(
      'Turns thinking on or off by the switch of the chat template, where it has one. `budget_tokens` is not a limit here. By default as the template has it.',
    ),
  output_config: z
    .looseObject({ effort: z.string().nullish(), format: textFormat.nullish() })
    .nullish()
    .describe(
      '`effort`: how long to think, for chat templates that read `reasoning_effort`. `format`: `{ type: json_schema, schema }`, what the reply has to be, as `response_format` of chats.',
    ),
} as const

/** The body of POST /v1/messages. Fields that are not known are accepted; those that would change the answer are not. */
export const messagesRequest = z.looseObject({
  ...messagesFields,
  max_tokens: z.int().positive().describe('Maximum number of generated tokens.'),
  stop_sequences: z.array(z.string()).nullish().describe('Stop sequences; they are not part of the reply.'),
  stream: samplingFields.stream,
  temperature: samplingFields.temperature,
  top_p: samplingFields.top_p,
  top_k: samplingFields.top_k,
  container: only([], 'nothing is executed'),
  mcp_servers: only([[]], 'no other server is contacted'),
})

/** The body of POST /v1/messages/count_tokens. */
export const countTokensRequest = z.looseObject(messagesFields)

export type MessagesRequest = z.output<typeof messagesRequest>
export type MessagesFields = z.output<typeof countTokensRequest>
