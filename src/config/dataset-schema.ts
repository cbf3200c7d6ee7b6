import { z } from 'zod'
import type { OwnChoice } from '../retrieve/choose-examples.ts'
import type { Embedder } from '../retrieve/embedder.ts'
import type { EvaluatorFunction, OwnEvaluator } from '../score/evaluate/own-evaluator.ts'
import { samplingFields } from './sampling-fields.ts'
import { messagesTemplateSchema, promptTemplateSchema } from './template-schema.ts'

/** Functions can only be given in a TypeScript config. */
const functionOf = <Function_>() => z.custom<Function_>((value) => typeof value === 'function')

const anyTemplateSchema = z.union([promptTemplateSchema, messagesTemplateSchema])

export const readerSchema = z
  .looseObject({
    input_columns: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('The columns that templates may show.'),
    output_column: z.string().nullish().describe('The column that holds the answer: masked in generative prompts, shown in examples.'),
    tools_column: z
      .string()
      .nullish()
      .describe(
        'The column with the tools that the model is told of for this row: a list of them, or that list as JSON text. Rows without it have none.',
      ),
    test_range: z
      .union([z.string(), z.number()])
      .nullish()
      .describe('Which rows are asked: a Python slice ("[0:100]"), or a number for a random sample that is always the same.'),
    train_range: z.union([z.string(), z.number()]).nullish().describe('Which rows may be examples, written like test_range.'),
  })
  .describe('Which columns the rows have.')

export const retrieverSchema = z
  .looseObject({
    type: z.string().optional().describe('ZeroRetriever (no examples), FixKRetriever, or another of docs/retrievers.md.'),
    ice_num: z.int().nonnegative().optional().describe('How many examples are shown; 1 by default (DPPRetriever 8).'),
    seed: z.int().nonnegative().optional().describe('For RandomRetriever (43 by default) and VotekRetriever (0).'),
    k: z.int().nonnegative().optional().describe('For SlidingWindowRetriever: how many rows before the one that is asked.'),
    tokenizer: z
      .enum(['nltk', 'characters', 'jieba'])
      .optional()
      .describe(
        "For BM25Retriever: nltk's word tokens (the default), characters (for Chinese and Japanese), or Chinese words by jieba (npm install jieba-wasm).",
      ),
    candidate_num: z
      .int()
      .positive()
      .optional()
      .describe('For DPPRetriever and MDLRetriever: how many of the nearest rows they choose from; 24 or 30 by default.'),
    scale_factor: z.number().positive().optional().describe('For DPPRetriever: the less, the more nearness counts; 0.1 by default.'),
    select_time: z
      .int()
      .positive()
      .optional()
      .describe('For MDLRetriever: how many sets of examples are tried for each row; 5 by default.'),
    ce_model: z
      .looseObject({ type: z.string().optional() })
      .optional()
      .describe('For MDLRetriever: the model that is asked how sure it is, written as among `models`; it must tell how likely a text is.'),
    votek_k: z.int().positive().optional().describe('For VotekRetriever: how many neighbours each row votes for; 5 by default.'),
    embeddings: z
      .union([
        z.strictObject({
          base_url: z.string().describe('An OpenAI-compatible server, e.g. http://127.0.0.1:8000/v1.'),
          model: z.string().describe('The name of its embedding model.'),
          batch_size: z.int().positive().optional().describe('The most texts in one request; 64 by default.'),
          key_env: z.string().optional().describe('The environment variable with the key; OPENAI_API_KEY by default.'),
        }),
        z.literal('energetic-ai'),
        functionOf<Embedder>(),
      ])
      .optional()
      .describe(
        'For TopkRetriever, DPPRetriever and VotekRetriever: where embeddings come from: an endpoint, "energetic-ai" (a sentence encoder without a network, packages of its own), in TypeScript also a function.',
      ),
    choose: functionOf<OwnChoice>().optional().describe('In TypeScript: a function that gives the numbers of the examples for a row.'),
    fix_id_list: z
      .array(z.int())
      .optional()
      .describe('For FixKRetriever: the numbers of the rows that are examples; negative ones count from the end, as in Python.'),
    ice_separator: z.string().optional().describe('Between two examples that are strings; a newline by default.'),
    ice_eos_token: z
      .string()
      .optional()
      .describe('After the last example that is a string; a newline by default, nothing for ZeroRetriever.'),
  })
  .describe('Which rows become examples.')

export const inferencerSchema = z
  .looseObject({
    type: z
      .string()
      .optional()
      .describe(
        'GenInferencer (generation), PPLInferencer (perplexity), LLInferencer, CLPInferencer (likelihood), PPLOnlyInferencer (no answer), ChatInferencer (chats).',
      ),
    max_out_len: z.int().positive().optional().describe("The most tokens of an answer; the model's max_out_len by default, else 512."),
    ...samplingFields,
    min_out_len: z.int().nonnegative().optional().describe('The fewest tokens of an answer.'),
    stopping_criteria: z.array(z.string()).optional().describe("Texts that end an answer, besides the format's own stops."),
    base_stopping_criteria: z
      .array(z.string())
      .optional()
      .describe(
        'The same for models whose format does not end a turn (`plain`, meta templates without an end): where the next question begins. `stopping_criteria` takes its place.',
      ),
    labels: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .describe('For perplexity: the labels to compare; those of the template by default.'),
    normalizing_str: z
      .string()
      .optional()
      .describe('For perplexity: compare how much likelier each answer is than after this text; the template needs a sep_token.'),
    choices: z.array(z.string()).optional().describe('For CLPInferencer: the answers to compare; the column "choices" by default.'),
    single_token: z.boolean().optional().describe('For CLPInferencer: each choice must be one token (the default).'),
    infer_mode: z
      .enum(['last', 'every', 'every_with_gt'])
      .optional()
      .describe(
        "For ChatInferencer: the model's last answer (the default), each of its answers going on from its own words, or each going on from the words that are written.",
      ),
    gen_field_replace_token: z
      .string()
      .nullish()
      .describe('What stands for the answer in a generative prompt: nothing by default; null is written as None, as in Python.'),
  })
  .describe('What the model is asked for.')

export const inferSchema = z
  .looseObject({
    prompt_template: anyTemplateSchema.optional().describe('How the row being asked is written.'),
    ice_template: anyTemplateSchema.optional().describe('How examples are written; alone, it is the prompt_template, too.'),
    retriever: retrieverSchema.optional(),
    inferencer: inferencerSchema.optional(),
  })
  .describe('How prompts are built and what is asked.')

const postprocessorSchema = z.union([z.string(), z.looseObject({ type: z.string() }), functionOf<(text: string) => unknown>()])

/** One, or several that are applied one after the other. */
export const postprocessorsSchema = z.union([postprocessorSchema, z.array(postprocessorSchema).min(1)])

export const evalSchema = z
  .looseObject({
    evaluator: z
      .union([
        z.looseObject({
          type: z.string().optional().describe('AccEvaluator (equal texts, the default) or another of docs/scoring.md.'),
          judge: z.never().optional(),
        }),
        functionOf<EvaluatorFunction>(),
        z.custom<OwnEvaluator>((value) => typeof value === 'object' && value !== null && 'judge' in value),
      ])
      .optional()
      .describe(
        'Compares answers with the output_column: a type with its options; in TypeScript also a function, or { judge, metric, kind, unit, range, direction, timeout_seconds }.',
      ),
    pred_postprocessor: postprocessorsSchema
      .optional()
      .describe(
        'What is done to an answer before it is compared: a name of docs/scoring.md, a type with its options, a function, or a list of these, applied one after the other.',
      ),
    dataset_postprocessor: postprocessorsSchema.optional().describe('The same for the output_column.'),
  })
  .describe('How answers are scored.')

const pathsSchema = z.union([z.string(), z.array(z.string()).min(1)])

export const datasetSchema = z
  .looseObject({
    abbr: z.string().optional().describe('A short name for tables and files.'),
    path: pathsSchema
      .optional()
      .describe(
        'The file with the rows that are asked: .jsonl, .json, .csv or .tsv, also with .gz, or .parquet, relative to the config; several as a list or a pattern (data/*.jsonl).',
      ),
    train_path: pathsSchema.optional().describe('The file or files with the rows that may be examples; `path` by default.'),
    columns: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('The columns of .csv and .tsv files that do not name them in their first line.'),
    file_type: z
      .enum(['jsonl', 'json', 'csv', 'tsv', 'parquet'])
      .optional()
      .describe('How the files are written, where their names say otherwise, e.g. jsonl for one object a line in a .json file.'),
    answers_path: z
      .string()
      .optional()
      .describe(
        'A file with the right answers, where they lie apart from the questions: a row for each row of `path`, in the same order, whose columns are added to it. Where both have an `id`, it must be the same. A row that cannot be read is then always an error.',
      ),
    row_format: z
      .string()
      .optional()
      .describe('How rows are written in the file: choices, four_choices, sharegpt, messages, squad or bfcl; see docs/datasets.md.'),
    rows: z.array(z.record(z.string(), z.unknown())).optional().describe('The rows that are asked, written here instead of in a file.'),
    train_rows: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The rows that may be examples, written here instead of in a file.'),
    tools: z
      .array(z.looseObject({}))
      .optional()
      .describe(
        "Tools that the model is told of in every row, each as `{ name, description, parameters }` or in OpenAI's shape; `{ type: code_interpreter }` lets it write code. Formats that have no place for tools refuse them.",
      ),
    output_schema: z
      .union([z.looseObject({}), z.boolean(), z.string()])
      .optional()
      .describe(
        'A JSON Schema that every answer is held to, or the path of a JSON file that has one: models that run here cannot write anything else, servers are told (constrain_by). What cannot be enforced is an error before the first request.',
      ),
    on_bad_row: z
      .enum(['error', 'skip'])
      .optional()
      .describe('What happens where a file has something that is not a row: `error` (the default), or `skip`, which counts and names it.'),
    n: z
      .int()
      .positive()
      .optional()
      .describe('How many answers each row gets, each with a seed of its own; 1 by default. The model needs a temperature.'),
    k: z
      .union([z.int().positive(), z.array(z.int().positive()).min(1)])
      .optional()
      .describe('With `n`: the figures pass@k, majority@k and G-Pass@k for these numbers; 1 and n by default.'),
    by: z
      .union([z.string(), z.array(z.string()).min(1)])
      .optional()
      .describe('A column, or several: figures and counts are also told for each of its values, e.g. `category`.'),
    keep_columns: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Columns of the row that are written into its record, e.g. `[id, category]`; those of `by` are, too.'),
    type: z
      .string()
      .optional()
      .describe(
        'A dataset class of OpenCompass, which then reads `path` in its own way (docs/loaders.md); left out, the files are read as they are.',
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
      .describe('What a preset says about generation, which models may say otherwise; presets write it, and nobody else needs to.'),
    lm_eval: z
      .looseObject({})
      .optional()
      .describe(
        'A task of lm-evaluation-harness as `--tasks` reads it: its keys, functions and examples; nobody else needs to write it (docs/lm-eval.md).',
      ),
    compat: z
      .enum(['opencompass'])
      .optional()
      .describe("Reproduce the reference's bytes where Rolecall would differ; see docs/fidelity.md."),
  })
  .describe('A dataset and its prompt templates.')
