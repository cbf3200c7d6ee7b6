import { z } from 'zod'
import { replySyntaxes, type SyntaxName } from '../parse/syntaxes/index.ts'
import { postprocessorsSchema } from './dataset-schema.ts'
import { formatFields, writtenFormats } from './format-schema.ts'
import { modelTypeFields } from './model-types/index.ts'

const samplingFields = {
  temperature: z
    .number()
    .nonnegative()
    .optional()
    .describe('How freely the model writes; 0, the default, always takes the likeliest token.'),
  top_p: z.number().positive().max(1).optional().describe('Only the likeliest tokens that together reach this probability; 1 by default.'),
  repetition_penalty: z.number().positive().optional().describe('Above 1, tokens of the answer so far become less likely; 1 by default.'),
  presence_penalty: z.number().optional().describe('Taken from the logits of tokens that the answer has; 0 by default.'),
  frequency_penalty: z.number().optional().describe('The same, as often as the answer has them; 0 by default.'),
  seed: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      'For sampling: the same seed gives the same answers; each row and sample draws by a number made of it. 0 by default for models that run here; servers are sent one only where it is set.',
    ),
}

export const modelSchema = z
  .looseObject({
    abbr: z.string().optional().describe('A short name for tables and files.'),
    type: z.string().optional().describe('What runs the model; a model without a runnable type can still be rendered.'),
    path: z.string().optional().describe('The name, folder or file of the model; for type "gguf" the file, relative to the config.'),
    ...formatFields,
    reply_syntax: z
      .enum(Object.keys(replySyntaxes) as [SyntaxName])
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
