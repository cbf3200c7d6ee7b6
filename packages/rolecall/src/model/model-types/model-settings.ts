import { formatFields } from '@rolecall/core/internal/format'
import { type SyntaxName, syntaxNames } from '@rolecall/core/internal/reply'
import { describe, optional } from '@rolecall/core/internal/schema'
import { z } from 'zod'
import { bySamplingName, lmdeployNames, samplingSettings } from '../language-model/sampling-settings.ts'
import { asZod, fieldsAsZod } from './as-zod.ts'

/** How the next token is chosen, the same for a model and for the inferencer of a dataset. */
export const samplingFields = bySamplingName(({ schema, doc, otherwise }) =>
  asZod(optional(schema).check(describe(`${[doc.en, ...(otherwise === undefined ? [] : [otherwise])].join('; ')}.`))),
)

const lmdeployFields = Object.fromEntries(
  lmdeployNames.map(({ name, theirs }) => [theirs, asZod(optional(samplingSettings[name].schema).check(describe(`${name}.`)))]),
)

/** The settings of every model, whatever its type. */
export const modelFields = {
  abbr: z.string().optional().describe('A short name for tables and files.'),
  type: z.string().optional().describe('What runs the model; a model without a runnable type can still be rendered.'),
  path: z.string().optional().describe('The name, folder or file of the model; for type "gguf" the file, relative to the config.'),
  ...fieldsAsZod(formatFields),
  reply_syntax: z
    .enum(['derived', ...syntaxNames] as ['derived', ...SyntaxName[]])
    .optional()
    .describe(
      "How the model writes reasoning and tool calls; by default as the model's own response template says, otherwise derived from its chat format (docs/replies.md). `derived` ignores a response template.",
    ),
  tokenizer_path: z
    .string()
    .optional()
    .describe("The model's folder, tokenizer.json, tokenizer.model or .gguf file, relative to the config, or its name on a hub."),
  add_bos_token: z.boolean().optional().describe('Whether the tokenizer writes BOS before a text; by default as its files say.'),
  marker_policy: z
    .enum(['report', 'reject', 'allow'])
    .optional()
    .describe('What happens if a row contains a turn marker of this format: `report` (a note, the default), `reject` or `allow`.'),
  price: z
    .strictObject({
      input: z.number().nonnegative().describe('Per million prompt tokens.'),
      output: z.number().nonnegative().describe('Per million generated tokens, including reasoning.'),
      cached_input: z.number().nonnegative().optional().describe('Per million cached prompt tokens; the same as `input` by default.'),
      currency: z.string().optional().describe('Currency; USD by default.'),
    })
    .optional()
    .describe('Token prices, so that a run reports its cost.'),
  max_cost_per_row: z
    .number()
    .positive()
    .optional()
    .describe(
      'A row that has cost this much, in the currency of `price`, sends no more requests and fails: for chats and agents with many turns.',
    ),
  max_seq_len: z.int().positive().optional().describe('Maximum number of prompt tokens; examples are dropped until the prompt fits.'),
  max_out_len: z.int().positive().optional().describe('Maximum number of generated tokens.'),
  ...samplingFields,
  generation_kwargs: z
    .looseObject({ ...samplingFields, do_sample: z.boolean().optional().describe('false: temperature 0.') })
    .optional()
    .describe('The same settings where OpenCompass and AISBench write them; they take precedence over the keys beside them.'),
  stop_words: z
    .array(z.string())
    .optional()
    .describe("Texts that end an answer of this model, in addition to the stops of its format and a dataset's stopping_criteria."),
  gen_config: z
    .looseObject({
      ...samplingFields,
      do_sample: z.boolean().optional().describe('true: sample; otherwise temperature 0, as in OpenCompass.'),
      max_new_tokens: z.int().positive().optional().describe('max_out_len, if the model has none.'),
      min_new_tokens: z.int().nonnegative().optional().describe('Minimum number of generated tokens.'),
      stop_words: z.array(z.string()).optional().describe('As stop_words of the model.'),
      ...lmdeployFields,
    })
    .optional()
    .describe(
      'Settings of LMDeploy, as OpenCompass passes them: greedy unless `do_sample` is true; `max_new_tokens` where the model has no max_out_len; also `stop_words`, `min_new_tokens` and sampling parameters, a seed as `random_seed`.',
    ),
}

const modelSettingsSchema = z.looseObject(modelFields)

/** What a config says about a model; each type of model reads more settings, which `ModelType.fields` lists. */
export type ModelSettings = z.input<typeof modelSettingsSchema>
