import { answerFields, columnFields, promptFields, templateFields } from '@rolecall/core/internal/conversation'
import { z } from 'zod'
import { asZod, fieldsAsZod } from '../../model/model-types/as-zod.ts'
import { samplingFields } from '../../model/model-types/model-settings.ts'
import { mapColumnsSchema } from '../dataset/map-columns.ts'
import { retrieverSchema } from '../dataset/retrieve/retriever-schema.ts'
import { evalSchema } from '../score/eval-schema.ts'
import { axesDoc, axesSchema } from './axes-schema.ts'

export const readerSchema = z
  .looseObject({
    ...fieldsAsZod(columnFields),
    test_range: z
      .union([z.string(), z.number()])
      .nullish()
      .describe('Which test rows to use: a Python slice ("[0:100]"), or a number for a fixed random sample.'),
    train_range: z
      .union([z.string(), z.number()])
      .nullish()
      .describe('Which rows few-shot examples may be taken from, written like test_range.'),
  })
  .describe('Which columns the rows have.')

export const inferencerSchema = z
  .looseObject({
    type: z
      .string()
      .optional()
      .describe(
        'GenInferencer (generation), PPLInferencer (perplexity), LLInferencer, CLPInferencer (likelihood), PPLOnlyInferencer (no answer), ChatInferencer (chats; MultiTurnGenInferencer in AISBench).',
      ),
    max_out_len: z
      .int()
      .positive()
      .optional()
      .describe("Maximum number of generated tokens; the model's max_out_len by default, else 512."),
    ...samplingFields,
    min_out_len: z.int().nonnegative().optional().describe('Minimum number of generated tokens.'),
    generation_body: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Fields of requests for a reply, sent to a server unchanged; generation_body and extra_body of the model win.'),
    stopping_criteria: z.array(z.string()).optional().describe('Stop sequences, in addition to those of the format.'),
    base_stopping_criteria: z
      .array(z.string())
      .optional()
      .describe(
        'Stop sequences for models whose format does not end a turn (`plain`, meta templates without an end): the start of the next question. `stopping_criteria` overrides them.',
      ),
    labels: asZod(answerFields.labels),
    normalizing_str: z
      .string()
      .optional()
      .describe('For perplexity: normalise by the likelihood of each answer after this text; the template needs a sep_token.'),
    choices: z.array(z.string()).optional().describe('For CLPInferencer: the answers to compare; the column "choices" by default.'),
    single_token: z.boolean().optional().describe('For CLPInferencer: each choice must be one token (the default).'),
    infer_mode: z
      .enum(['last', 'every', 'every_with_gt'])
      .optional()
      .describe(
        "For ChatInferencer: the model's last answer (the default), each of its answers continuing from its own, or each continuing from the reference answers.",
      ),
    multiround: z
      .boolean()
      .optional()
      .describe(
        "For GenInferencer, as in OpenCompass: a chat in which the model gives each answer that is empty, after its own earlier ones. The prediction is the list of the chat's answers.",
      ),
    gen_field_replace_token: asZod(answerFields.gen_field_replace_token),
  })
  .describe('How the model is run and what is predicted.')

export const inferSchema = z
  .looseObject({
    ...fieldsAsZod(templateFields),
    retriever: retrieverSchema.optional(),
    inferencer: inferencerSchema.optional(),
  })
  .describe('How prompts are built and what is predicted.')

const pathsSchema = z.union([z.string(), z.array(z.string()).min(1)])

export const datasetSchema = z
  .looseObject({
    abbr: z.string().optional().describe('A short name for tables and files.'),
    path: pathsSchema
      .optional()
      .describe(
        'The file with the test rows: .jsonl, .json, .csv or .tsv, optionally with .gz, .parquet or .arrow, relative to the config; several as a list or a glob pattern (data/*.jsonl).',
      ),
    train_path: pathsSchema.optional().describe('The file or files that few-shot examples are taken from; `path` by default.'),
    columns: z.array(z.string()).min(1).optional().describe('The column names of .csv and .tsv files without a header line.'),
    delimiter: z
      .enum([',', ';', '\t', '|'])
      .optional()
      .describe('The delimiter of .csv and .tsv files; a comma for .csv and a tab for .tsv by default.'),
    map_columns: mapColumnsSchema
      .optional()
      .describe(
        'New columns made from others before row_format applies: a path inside the row (`question: data.question`), a list of them (`choices: [opa, opb]`), or `{ from, parse, values }`; see docs/datasets.md.',
      ),
    media_columns: z
      .array(z.string())
      .min(1)
      .optional()
      .describe(
        'Columns with images, audio or videos: a path relative to the config, a URL, a data URI, base64, a list of these, or messages with such parts. A field of such a column in a part of a message is sent as that file; records keep its path and hash.',
      ),
    media_root: pathsSchema
      .optional()
      .describe(
        'A folder below which rows may name files of media, and to which their paths may be relative; several as a list. Without it, rows may name only files below the folder of their data file.',
      ),
    file_type: z
      .enum(['jsonl', 'json', 'csv', 'tsv', 'parquet', 'arrow'])
      .optional()
      .describe('The file type, if the extension says otherwise, e.g. jsonl for a .json file with one object per line.'),
    answers_path: z
      .string()
      .optional()
      .describe(
        'A separate file with the gold answers: one row for each row of `path`, in the same order, whose columns are added to it. If both have an `id`, it must be the same. A bad row is then always an error.',
      ),
    row_format: z
      .string()
      .optional()
      .describe(
        'The layout of the rows in the file: choices, choices_by_text, choices_from_one, four_choices, sharegpt, messages, squad or bfcl; see docs/datasets.md.',
      ),
    rows: z.array(z.record(z.string(), z.unknown())).optional().describe('The test rows, written here instead of in a file.'),
    train_rows: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The rows that few-shot examples are taken from, written here instead of in a file.'),
    tools: asZod(promptFields.tools),
    output_schema: z
      .union([z.looseObject({}), z.boolean(), z.string()])
      .optional()
      .describe(
        'A JSON Schema that every answer must satisfy, or the path of a JSON file with one: local models are constrained while decoding, servers receive the constraint (constrain_by). What cannot be enforced is an error before the first request.',
      ),
    on_bad_row: z
      .enum(['error', 'skip'])
      .optional()
      .describe(
        'What happens if a file contains something that is not a row: `error` (the default), or `skip`, which counts and names it.',
      ),
    n: z
      .int()
      .positive()
      .optional()
      .describe('Number of answers per row, each with its own seed; 1 by default. The model needs a temperature.'),
    k: z
      .union([z.int().positive(), z.array(z.int().positive()).min(1)])
      .optional()
      .describe('With `n`: the values of k for pass@k, majority@k and G-Pass@k; 1 and n by default.'),
    by: z
      .union([z.string(), z.array(z.string()).min(1)])
      .optional()
      .describe('A column, or several: scores and counts are also reported for each of its values, e.g. `category`.'),
    cluster: z
      .string()
      .optional()
      .describe(
        'A column that groups rows which are not independent, e.g. `passage_id`: standard errors, intervals and comparisons then count its groups, not single rows.',
      ),
    keep_columns: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Columns of the row that are written into its record, e.g. `[id, category]`; those of `by` always are.'),
    type: z
      .string()
      .optional()
      .describe(
        'A dataset class of OpenCompass, which then reads `path` in its own way (docs/loaders.md); without it, the files are read as they are.',
      ),
    reader_cfg: readerSchema.optional(),
    infer_cfg: inferSchema,
    eval_cfg: evalSchema.optional(),
    preset_cfg: z
      .strictObject({
        name: z.string().describe('The preset.'),
        max_out_len: z.int().positive().optional(),
        min_out_len: z.int().nonnegative().optional(),
        stop: z.array(z.string()).optional(),
        ...samplingFields,
      })
      .optional()
      .describe('Generation settings of a preset, which models may override; written by presets only.'),
    axes: axesSchema.optional().describe(axesDoc),
    lm_eval: asZod(promptFields.lm_eval),
    compat: asZod(promptFields.compat),
  })
  .describe('A dataset and its prompt templates.')
