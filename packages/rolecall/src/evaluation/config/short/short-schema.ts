import { promptFields } from '@rolecall/core/internal/conversation'
import { z } from 'zod'
import { asZod } from '../../../model/model-types/as-zod.ts'
import { checksSchema } from '../../score/checks/check-schema.ts'
import { postprocessorsSchema } from '../../score/eval-schema.ts'
import { configSchema } from '../config-schema.ts'
import { datasetSchema } from '../dataset-schema.ts'
import { modelSchema } from '../model-schema.ts'

const row = z.record(z.string(), z.unknown())

const sourceFields = datasetSchema.pick({
  path: true,
  rows: true,
  columns: true,
  delimiter: true,
  map_columns: true,
  media_columns: true,
  media_root: true,
  file_type: true,
  answers_path: true,
  row_format: true,
  on_bad_row: true,
  keep_columns: true,
})

const sourceSchema = z.union([
  z.string(),
  z.array(row),
  z.strictObject(sourceFields.shape).describe('A file or rows, with how they are read.'),
])

const messageSchema = z.union([
  z.strictObject({ system: z.string().describe('Instructions.') }),
  z.strictObject({ user: z.string().describe("What the user says; `{column}` is replaced by the row's value.") }),
  z.strictObject({ assistant: z.string().describe('What the model said, in a conversation that is already under way.') }),
  z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }),
])

const promptSchema = z.union([z.string(), z.array(messageSchema).min(1)])

const namedModelSchema = z
  .looseObject({ model: z.string().describe('The model by its short name.'), name: z.string().optional().describe('What tables call it.') })
  .describe('A model by its short name, with further settings of `models`.')

const modelUseSchema = z.union([z.string(), namedModelSchema, modelSchema])

const modelsDoc =
  'Models by short names: `embedded`, `openai:gpt-4o-mini` (or `openai/gpt-4o-mini`), `ollama:qwen3`, `openai:NAME@URL`, `gguf:FILE`, `ORG/NAME` on a hub; `{ model: openai:gpt-4o, temperature: 0 }`; a whole entry as in the full form; or any of these by names of yours.'

/** The short form of a config: data, prompts, models, the right answer, a check. */
export const shortSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema, for editors.'),
    data: z
      .union([sourceSchema, z.record(z.string(), sourceSchema)])
      .optional()
      .describe(
        'The rows: a file (.jsonl, .json, .csv, .tsv, .parquet), a dataset on a hub (ORG/NAME), rows, or several of these by name.',
      ),
    prompts: z
      .union([promptSchema, z.array(promptSchema).min(1), z.record(z.string(), promptSchema)])
      .optional()
      .describe(
        'What is asked, with columns in braces: a text, a file (prompts/careful.txt), a list of messages `[{ system: … }, { user: … }]`, or several of these, as a list or by name.',
      ),
    prompt: promptSchema.optional().describe('One prompt; the same as `prompts`.'),
    models: z
      .union([z.string(), z.array(modelUseSchema), z.record(z.string(), modelUseSchema)])
      .optional()
      .describe(modelsDoc),
    model: modelUseSchema.optional().describe('One model; the same as `models`.'),
    gold: z.string().optional().describe('The column with the right answer.'),
    check: z
      .optional(asZod(checksSchema))
      .describe(
        'What a right reply is: exact (the default with `gold`), contains, icontains, regex, number, choice, json, fields, calls, python, ts or judge; a list of checks, each with `name` and `weight`; { column: NAME } for checks in the rows.',
      ),
    pass: z.number().optional().describe('With several checks: the weighted mean from which a reply is right.'),
    extract: postprocessorsSchema
      .optional()
      .describe('What reads the answer in the reply before it is checked: postprocessors of docs/scoring.md.'),
    tests: z
      .array(row)
      .min(1)
      .optional()
      .describe('Rows written here, each with its own `check`, in place of `data`; `check` beside them counts for all.'),
    judge: modelUseSchema.optional().describe('The model that answers `check: { judge: … }`.'),
    tools: asZod(promptFields.tools),
    examples: sourceSchema.optional().describe('The rows that few-shot examples are taken from.'),
    shots: z
      .union([z.int().nonnegative(), z.array(z.int().nonnegative()).min(1)])
      .optional()
      .describe('Number of few-shot examples; a list compares them.'),
    formats: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Conversation formats by name, in which every model is asked; they are compared.'),
    temperature: z
      .union([z.number().nonnegative(), z.array(z.number().nonnegative()).min(1)])
      .optional()
      .describe('The temperature of every model; a list compares them.'),
    max_tokens: z.int().positive().optional().describe('Maximum number of generated tokens, of models that set none themselves.'),
    epochs: z.int().positive().optional().describe('Number of answers per row, as --epochs.'),
    by: datasetSchema.shape.by,
    cluster: datasetSchema.shape.cluster,
    lint: configSchema.shape.lint,
    with_python: configSchema.shape.with_python,
  })
  .describe('The short form of a configuration; `rolecall run --print-config` prints the full form.')

/** A config in the short form, as users write it. */
export type ShortConfig = z.input<typeof shortSchema>
export type ShortSource = z.input<typeof sourceSchema>
export type PromptUse = z.input<typeof promptSchema>
export type ModelUse = z.input<typeof modelUseSchema>
