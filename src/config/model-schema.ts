import { z } from 'zod'
import { type SyntaxName, syntaxNames } from '../parse/syntaxes/index.ts'
import { postprocessorsSchema } from './dataset-schema.ts'
import { formatFields, writtenFormats } from './format-schema.ts'
import { modelTypeFields } from './model-types/index.ts'
import { samplingFields } from './sampling-fields.ts'

export const modelSchema = z
  .looseObject({
    abbr: z.string().optional().describe('A short name for tables and files.'),
    type: z.string().optional().describe('What runs the model; a model without a runnable type can still be rendered.'),
    path: z.string().optional().describe('The name, folder or file of the model; for type "gguf" the file, relative to the config.'),
    ...formatFields,
    reply_syntax: z
      .enum(syntaxNames as [SyntaxName, ...SyntaxName[]])
      .optional()
      .describe('How the model writes reasoning and tool calls; by default what the marks of its format say (docs/replies.md).'),
    pred_postprocessor: postprocessorsSchema
      .optional()
      .describe(
        "What is done to every answer of this model before the dataset's own pred_postprocessor; reasoning is set apart before that.",
      ),
    tokenizer_path: z
      .string()
      .optional()
      .describe(
        "The model's folder, tokenizer.json, tokenizer.model or .gguf file, relative to the config; names of a hub are not fetched.",
      ),
    marker_policy: z
      .enum(['report', 'reject', 'allow'])
      .optional()
      .describe(
        'What happens where a row contains a text that marks turns in this format: `report` (a note, the default), `reject` or `allow`.',
      ),
    price: z
      .strictObject({
        input: z.number().nonnegative().describe('For a million tokens of prompts.'),
        output: z.number().nonnegative().describe('For a million tokens of replies, reasoning included.'),
        cached_input: z
          .number()
          .nonnegative()
          .optional()
          .describe('For a million tokens of prompts that the server knew already; the same as `input` by default.'),
        currency: z.string().optional().describe('What the prices are in; USD by default.'),
      })
      .optional()
      .describe('What tokens cost, so that a run says what it cost.'),
    max_seq_len: z.int().positive().optional().describe('The most tokens of a prompt; examples are dropped until it fits.'),
    max_out_len: z.int().positive().optional().describe('The most tokens the model may generate.'),
    ...samplingFields,
    ...modelTypeFields,
    generation_kwargs: z
      .looseObject({ ...samplingFields, do_sample: z.boolean().optional().describe('false: temperature 0.') })
      .optional()
      .describe('The same settings where OpenCompass and AISBench write them; they win over those beside it.'),
  })
  .describe('A model and its conversation format.')

const isWritten = Object.fromEntries(Object.keys(writtenFormats).map((key) => [key, true])) as Record<keyof typeof writtenFormats, true>

/** What can be checked of a model before its format is compiled. */
export const modelOutline = modelSchema.omit(isWritten)
