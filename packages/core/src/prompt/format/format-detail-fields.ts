import * as z from '../../base/schema/schema.ts'
import { partsSchema } from './chat-template/parts-schema.ts'
import { rolesSchema } from './roles/roles-setting.ts'

/** What a format may be told besides its name or its template; most of it is for chat templates. */
export const formatDetailFields = {
  special_tokens: z
    .optional(z.record(z.string(), z.string()))
    .check(z.describe("The template's special tokens, e.g. bos_token; by default those of the tokenizer_config.json.")),
  chat_template_kwargs: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe('Other variables of the template, e.g. enable_thinking; of an MLC template only enable_thinking.')),
  roles: z
    .optional(rolesSchema)
    .check(
      z.describe(
        'Turns, tools and media that the chat template does not write: `strict`, the default, passes all messages on as they are; `auto`, the default of `serve`, rewrites what the template would lose or refuse, and reports it; an object has a rule for each kind.',
      ),
    ),
  system_policy: z
    .optional(z.enum(['error', 'fold', 'drop']))
    .check(
      z.describe(
        'If the chat template rejects or leaves out a system turn: an error (the default), or prepended to the user message; `drop` lets a template leave it out, with a note.',
      ),
    ),
  neighbours_policy: z
    .optional(z.enum(['merge', 'error']))
    .check(z.describe('Consecutive turns of one role, if the chat template requires alternation: merged, or an error.')),
  normalize_messages: z
    .optional(z.boolean())
    .check(z.describe('Whether arguments given as JSON text are parsed and null contents become empty, as in servers; true by default.')),
  earlier_reasoning: z
    .optional(z.enum(['strip', 'keep']))
    .check(z.describe('The reasoning of earlier turns: removed, or kept if the chat template can; by default the template decides.')),
  lost_text_policy: z
    .optional(z.enum(['note', 'error']))
    .check(
      z.describe(
        'Text of the conversation that the chat template does not write: a note, or an error; by default an error only if it belongs to an example.',
      ),
    ),
  parts: z
    .optional(partsSchema)
    .check(
      z.describe(
        'The serving stack that prepares contents for the chat template (`vllm`, `sglang`, `llama.cpp`, `transformers`, `transformers-serve`), or an object with `engine` and what it knows about the model; by default contents are prepared as the template itself takes them.',
      ),
    ),
  response_template: z
    .optional(z.record(z.string(), z.unknown()))
    .check(
      z.describe(
        'How replies are read: the response_template of the tokenizer_config.json, which comes with a chat_template that is given as a path. `reply_syntax` takes precedence.',
      ),
    ),
  join_turns: z
    .optional(z.string())
    .check(z.describe('For conversation templates that write only the last user text: write all turns, joined by this text.')),
  is_api: z
    .optional(z.boolean())
    .check(z.describe('Whether the model takes messages; by default it does if a role has an api_role or the type is an API.')),
}
