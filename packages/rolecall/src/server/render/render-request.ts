import { z } from 'zod'
import { chatFields } from '../chat/chat-request.ts'

/** A row and a dataset's template, as in a config. */
export const rowRequest = z.looseObject({
  model: z.string().nullish().describe('A name from `/v1/models`; optional if only one model is served.'),
  template: z.unknown().describe('As `prompt_template.template` in a config: a string, a dialogue, or one of them per label.'),
  ice_template: z.unknown().optional().describe('The template of examples, as in a config.'),
  ice_token: z.string().nullish().describe('Where examples go.'),
  row: z.record(z.string(), z.unknown()).describe('The test row.'),
  examples: z.array(z.record(z.string(), z.unknown())).nullish().describe('The example rows.'),
  output_column: z.string().nullish().describe('The column with the answer, which is omitted from the prompt.'),
  mode: z.enum(['gen', 'ppl']).nullish().describe('Generation (the default) or perplexity.'),
  label: z.string().nullish().describe('The label, for perplexity.'),
})

export const chatRenderRequest = z.looseObject(chatFields)

/** The body of POST /v1/render: messages, or a template and a row. */
export const renderRequest = z
  .looseObject({ messages: z.unknown().optional(), template: z.unknown().optional() })
  .refine(
    ({ messages, template }) => (messages === undefined) !== (template === undefined),
    'send either messages, or a template and a row',
  )
