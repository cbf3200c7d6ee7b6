import * as z from '../../../base/schema/schema.ts'

/** The options of the InternLM2 family; the defaults are those of training. */
export const internlm2OptionsSchema = z
  .strictObject({
    bos: z
      .optional(z.enum(['in-prompt', 'tokenizer', 'none']))
      .check(z.describe("Who writes `<s>`: the prompt (the default), the tokenizer, or neither, as in the document's examples.")),
    system: z
      .optional(z.string())
      .check(z.describe('System prompt if the conversation does not start with a system turn; none by default.')),
    call_key: z
      .optional(z.enum(['parameters', 'arguments']))
      .check(
        z.describe('What a tool call names its arguments: `parameters` (as in the InternLM2 document, the default) or `arguments` (vLLM).'),
      ),
    tools_layout: z
      .optional(z.enum(['line', 'indent', 'document']))
      .check(
        z.describe(
          "How tools are written: JSON on one line (the default), indented by 4 (lagent), or broken at 80 columns as in the document's examples.",
        ),
      ),
    tools_order: z
      .optional(z.enum(['interpreter-first', 'plugin-first']))
      .check(
        z.describe(
          'Which of the two turns comes first when there are tools and an interpreter; the interpreter by default, as in the InternLM2 document.',
        ),
      ),
    tools_place: z
      .optional(z.enum(['after-first-system', 'after-systems', 'start']))
      .check(
        z.describe(
          'Where these turns go: after the system turn that starts the conversation (the default), after all that start it, or before them.',
        ),
      ),
    end_newlines: z
      .optional(z.array(z.enum(['tools', 'interpreter', 'plugin-call', 'code-call'])))
      .check(
        z.describe(
          "Which texts end with a newline before their end marker: none by default; the document's examples have tools, interpreter and code-call.",
        ),
      ),
    language: z.optional(z.enum(['zh', 'en'])).check(z.describe("The language of the interpreter's instruction, `zh` by default.")),
    token_ids: z
      .optional(z.record(z.string(), z.int().check(z.nonnegative())))
      .check(z.describe("Ids that the format's tokens must have, e.g. { '<|im_end|>': 92542 }; checked against the tokenizer.")),
  })
  .check(z.describe('Options of the formats internlm2, internlm2.5 and internlm-xcomposer2.'))

export type InternLM2Options = z.input<typeof internlm2OptionsSchema>
