import { z } from 'zod'
import { evalSchema, inferSchema } from './dataset-schema.ts'

/** A known benchmark among `datasets`: its templates and scores are ours, its files are the user's. */
export const presetUseSchema = z
  .strictObject({
    preset: z.string().describe('A benchmark by name, e.g. "mmlu"; `rolecall presets` lists them.'),
    path: z.string().describe('The folder with its files as they were downloaded, relative to the config.'),
    abbr: z.string().optional().describe('A short name for tables and files; the name of the preset by default.'),
    mode: z.enum(['gen', 'ppl']).optional().describe('Generation or perplexity, where the preset has both; generation by default.'),
    shots: z.int().nonnegative().optional().describe('How many examples are shown; as many as usual by default.'),
    subjects: z.array(z.string()).min(1).optional().describe('Only these subjects, by the names of their files.'),
    max_out_len: z
      .int()
      .positive()
      .optional()
      .describe("The most tokens of an answer, for every model; by default the model's max_out_len, else what the preset says."),
    stop: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe(
        "Texts that end an answer, besides the format's own stops, in place of those of the preset: the inferencer's stopping_criteria. [] for none.",
      ),
    n: z.int().positive().optional().describe('How many answers each row gets, as for any dataset.'),
    k: z
      .union([z.int().positive(), z.array(z.int().positive()).min(1)])
      .optional()
      .describe('With `n`: the figures pass@k, majority@k and G-Pass@k for these numbers.'),
    infer_cfg: inferSchema
      .optional()
      .describe(
        "In place of the preset's own: templates whole; of inferencer and retriever the keys that are given, or all of it where their type is another.",
      ),
    eval_cfg: evalSchema
      .optional()
      .describe("In place of the preset's own, key by key: evaluator, pred_postprocessor, dataset_postprocessor."),
  })
  .describe('A known benchmark, from the files that you have.')

export type PresetUse = z.input<typeof presetUseSchema>
