import * as z from '../../base/schema/schema.ts'
import { messagesTemplateSchema, promptTemplateSchema } from './template-schema.ts'

const anyTemplateSchema = z.union([promptTemplateSchema, messagesTemplateSchema])

/** Settings of `reader_cfg` that prompts are built from. */
export const columnFields = {
  input_columns: z.optional(z.union([z.string(), z.array(z.string())])).check(z.describe('The columns that templates may use.')),
  output_column: z
    .nullish(z.string())
    .check(z.describe('The column with the gold answer: masked in generation prompts, shown in few-shot examples.')),
  tools_column: z
    .nullish(z.string())
    .check(z.describe('The column with the tools of this row: a list of them, or that list as JSON text. Rows without it have none.')),
}

/** The templates of `infer_cfg`. */
export const templateFields = {
  prompt_template: z.optional(anyTemplateSchema).check(z.describe('How the test row is written.')),
  ice_template: z
    .optional(anyTemplateSchema)
    .check(z.describe('How few-shot examples are written; without a prompt_template, it is used for both.')),
}

/** Settings of `infer_cfg.retriever` that prompts are built from. */
export const exampleFields = {
  fix_id_list: z
    .optional(z.array(z.int()))
    .check(z.describe('For FixKRetriever: the numbers of the rows that are examples; negative ones count from the end, as in Python.')),
  ice_separator: z.optional(z.string()).check(z.describe('Between two examples that are strings; a newline by default.')),
  ice_eos_token: z
    .optional(z.string())
    .check(z.describe('After the last example that is a string; a newline by default, nothing for ZeroRetriever.')),
}

/** Settings of `infer_cfg.inferencer` that prompts are built from. */
export const answerFields = {
  labels: z
    .optional(z.array(z.union([z.string(), z.number()])))
    .check(z.describe('For perplexity: the labels to compare; those of the template by default.')),
  gen_field_replace_token: z
    .nullish(z.string())
    .check(
      z.describe('The placeholder for the masked answer in a generation prompt: empty by default; null is written as None, as in Python.'),
    ),
}

/** Settings of a dataset that prompts are built from. */
export const promptFields = {
  tools: z
    .optional(z.array(z.looseObject({})))
    .check(
      z.describe(
        "Tools offered to the model in every row, each as `{ name, description, parameters }` or in OpenAI's shape; `{ type: code_interpreter }` lets it write code. Formats that cannot express tools reject them.",
      ),
    ),
  lm_eval: z
    .optional(z.looseObject({}))
    .check(
      z.describe(
        'A task of lm-evaluation-harness as `--tasks` reads it: its keys, functions and examples; written by `--tasks` only (docs/lm-eval.md).',
      ),
    ),
  compat: z
    .optional(z.enum(['opencompass']))
    .check(z.describe("Reproduce OpenCompass's prompts and scores where Rolecall would differ; see docs/fidelity.md.")),
}

const promptSettingsSchema = z.looseObject({
  abbr: z.optional(z.string()),
  ...promptFields,
  reader_cfg: z.optional(z.looseObject(columnFields)),
  infer_cfg: z.looseObject({
    ...templateFields,
    retriever: z.optional(z.looseObject({ type: z.optional(z.string()), ...exampleFields })),
    inferencer: z.optional(z.looseObject({ type: z.optional(z.string()), ...answerFields })),
  }),
})

/** A dataset's prompt settings. Templates are checked when they are compiled. */
export type PromptSettings = z.input<typeof promptSettingsSchema>
