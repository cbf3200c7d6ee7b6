import { z } from 'zod'
import { evalSchema } from '../score/eval-schema.ts'
import { inferSchema } from './dataset-schema.ts'

/** A known benchmark among `datasets`: its templates and scores are built in, its files are the user's or a hub's. */
export const presetUseSchema = z
  .strictObject({
    preset: z.string().describe('A benchmark by name, e.g. "mmlu"; `rolecall list presets` lists them.'),
    path: z
      .string()
      .optional()
      .describe(
        'The folder with its files as they were downloaded, relative to the config, or a dataset on a hub (ORG/NAME); by default the files are downloaded from Hugging Face.',
      ),
    abbr: z.string().optional().describe('A short name for tables and files; the name of the preset by default.'),
    mode: z.enum(['gen', 'ppl']).optional().describe('Generation or perplexity, if the preset has both; generation by default.'),
    shots: z.int().nonnegative().optional().describe('Number of few-shot examples; the usual number for the benchmark by default.'),
    subjects: z.array(z.string()).min(1).optional().describe('Only these subjects, by file name.'),
    max_out_len: z
      .int()
      .positive()
      .optional()
      .describe("Maximum number of generated tokens, for every model; by default the model's max_out_len, else the preset's."),
    stop: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe(
        "Stop sequences, in addition to those of the format, instead of those of the preset: the inferencer's stopping_criteria. [] for none.",
      ),
    n: z.int().positive().optional().describe('Number of answers per row, as for any dataset.'),
    k: z
      .union([z.int().positive(), z.array(z.int().positive()).min(1)])
      .optional()
      .describe('With `n`: the values of k for pass@k, majority@k and G-Pass@k.'),
    infer_cfg: inferSchema
      .optional()
      .describe(
        "Overrides the preset's own: templates as a whole; inferencer and retriever key by key, or as a whole if their type differs.",
      ),
    eval_cfg: evalSchema
      .optional()
      .describe("Overrides the preset's own, key by key: evaluator, pred_postprocessor, dataset_postprocessor."),
  })
  .describe('A known benchmark, from the files that you have or from a hub.')

export type PresetUse = z.input<typeof presetUseSchema>
