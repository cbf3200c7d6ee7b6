import { z } from 'zod'
import { modelTypeFields } from '../../model/model-types/index.ts'
import { type SyntaxName, syntaxNames } from '../../model/reply/families/reply-syntaxes.ts'
import { formatFields, writtenFormats } from '../../prompt/format/format-schema.ts'
import { postprocessorsSchema } from './dataset-schema.ts'
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
      .describe('How the model writes reasoning and tool calls; by default derived from its chat format (docs/replies.md).'),
    pred_postprocessor: postprocessorsSchema
      .optional()
      .describe(
        "Postprocessor for every answer of this model, applied before the dataset's own pred_postprocessor; reasoning is removed first.",
      ),
    tokenizer_path: z
      .string()
      .optional()
      .describe(
        "The model's folder, tokenizer.json, tokenizer.model or .gguf file, relative to the config; nothing is downloaded from a hub.",
      ),
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
    max_seq_len: z.int().positive().optional().describe('Maximum number of prompt tokens; examples are dropped until the prompt fits.'),
    max_out_len: z.int().positive().optional().describe('Maximum number of generated tokens.'),
    ...samplingFields,
    ...modelTypeFields,
    generation_kwargs: z
      .looseObject({ ...samplingFields, do_sample: z.boolean().optional().describe('false: temperature 0.') })
      .optional()
      .describe('The same settings where OpenCompass and AISBench write them; they take precedence over the keys beside them.'),
  })
  .describe('A model and its conversation format.')

const isWritten = Object.fromEntries(Object.keys(writtenFormats).map((key) => [key, true])) as Record<keyof typeof writtenFormats, true>

/** What can be checked of a model before its format is compiled. */
export const modelOutline = modelSchema.omit(isWritten)
