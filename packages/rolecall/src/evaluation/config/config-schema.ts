import { z } from 'zod'
import { datasetSchema } from './dataset-schema.ts'
import { modelSchema } from './model-schema.ts'
import { presetUseSchema } from './preset-schema.ts'
import { summaryGroupSchema } from './summary-group-schema.ts'

const lintSchema = z
  .strictObject({
    rules: z
      .record(z.string(), z.enum(['off', 'note', 'warning', 'error']))
      .optional()
      .describe('Severity by rule id, or `off`. `rolecall lint --list` shows the rules.'),
  })
  .describe('What `rolecall lint` reports.')

/** The schema of a configuration; `checkConfig` gives better errors. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema, for editors.'),
    models: z.array(modelSchema).default([]).describe('The models to render for or to run.'),
    datasets: z
      .array(z.union([datasetSchema, presetUseSchema]))
      .default([])
      .describe('The datasets, written out or by the name of a preset.'),
    summarizer: z
      .looseObject({
        summary_groups: z.array(summaryGroupSchema).optional().describe('Datasets that are also combined into one score.'),
        dataset_abbrs: z
          .array(z.union([z.string(), z.array(z.string())]))
          .optional()
          .describe('The datasets and groups that the tables show, in this order, as [abbr, metric] or by abbr alone; all by default.'),
      })
      .optional()
      .describe('What else the summary shows.'),
    model_dataset_combinations: z
      .array(
        z.strictObject({
          models: z.array(z.string()).describe('The abbr of models.'),
          datasets: z.array(z.string()).describe('The abbr of the datasets that they run on.'),
        }),
      )
      .optional()
      .describe('Which models run on which datasets, by their abbr; by default all on all.'),
    with_python: z
      .union([
        z.boolean(),
        z.string(),
        z.strictObject({
          python: z.string().optional().describe('The executable, or the folder of an environment.'),
          environment: z
            .array(z.string())
            .optional()
            .describe('Variables of the environment that the code may read, beside those that Python needs.'),
          seconds: z.number().positive().optional().describe('How long one call may take.'),
        }),
      ])
      .optional()
      .describe(
        "Run own classes and functions in the user's own Python, with the user's rights, as --with-python does: true, or its path.",
      ),
    lint: lintSchema.optional(),
  })
  .describe('A Rolecall configuration.')

/** A model of a config, as users write it. */
export type ModelConfig = z.input<typeof modelSchema>
/** A dataset of a config, as users write it. */
export type DatasetConfig = z.input<typeof datasetSchema>
/** A Rolecall config, as users write it. */
export type Config = z.input<typeof configSchema>
