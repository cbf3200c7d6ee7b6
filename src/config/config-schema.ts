import { z } from 'zod'
import { apiMetaTemplateSchema, messagesMetaTemplateSchema, metaTemplateSchema } from './meta-template-schema.ts'
import { messagesTemplateSchema, promptTemplateSchema } from './template-schema.ts'

const anyTemplateSchema = z.union([promptTemplateSchema, messagesTemplateSchema])

export const readerSchema = z
  .looseObject({
    input_columns: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('The columns that templates may show.'),
    output_column: z.string().nullish().describe('The column that holds the answer: masked in generative prompts, shown in examples.'),
    test_range: z.union([z.string(), z.number()]).optional().describe('Which rows are asked, as a Python slice ("[0:100]") or a number.'),
    train_range: z.union([z.string(), z.number()]).optional().describe('Which rows may be examples, as a Python slice or a number.'),
  })
  .describe('Which columns the rows have.')

export const retrieverSchema = z
  .looseObject({
    type: z.string().optional().describe('ZeroRetriever (no examples) or FixKRetriever.'),
    fix_id_list: z.array(z.int().nonnegative()).optional().describe('For FixKRetriever: the numbers of the rows that are examples.'),
    ice_separator: z.string().optional().describe('Between two examples that are strings; a newline by default.'),
    ice_eos_token: z
      .string()
      .optional()
      .describe('After the last example that is a string; a newline by default, nothing for ZeroRetriever.'),
  })
  .describe('Which rows become examples.')

export const inferencerSchema = z
  .looseObject({
    type: z.string().optional().describe('GenInferencer (generation) or PPLInferencer (perplexity).'),
    labels: z.array(z.string()).optional().describe('For perplexity: the labels to compare; those of the template by default.'),
    gen_field_replace_token: z
      .string()
      .nullish()
      .describe('What stands for the answer in a generative prompt: nothing by default; null is written as None, as in Python.'),
  })
  .describe('What the model is asked for.')

export const inferSchema = z
  .strictObject({
    prompt_template: anyTemplateSchema.optional().describe('How the row being asked is written.'),
    ice_template: anyTemplateSchema.optional().describe('How examples are written; alone, it is the prompt_template, too.'),
    retriever: retrieverSchema.optional(),
    inferencer: inferencerSchema.optional(),
  })
  .describe('How prompts are built and what is asked.')

export const datasetSchema = z
  .looseObject({
    abbr: z.string().optional().describe('A short name for tables and files.'),
    path: z.string().optional().describe('The file with the rows that are asked: .jsonl or .json, relative to the config.'),
    train_path: z.string().optional().describe('The file with the rows that may be examples; `path` by default.'),
    rows: z.array(z.record(z.string(), z.unknown())).optional().describe('The rows that are asked, written here instead of in a file.'),
    train_rows: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The rows that may be examples, written here instead of in a file.'),
    type: z.string().optional().describe('The dataset class in OpenCompass; not needed here.'),
    reader_cfg: readerSchema.optional(),
    infer_cfg: inferSchema,
    eval_cfg: z.looseObject({}).optional().describe('How answers are scored.'),
    compat: z
      .enum(['opencompass'])
      .optional()
      .describe("Reproduce the reference's bytes where Rolecall would differ; see docs/fidelity.md."),
  })
  .describe('A dataset and its prompt templates.')

export const modelSchema = z
  .looseObject({
    abbr: z.string().optional().describe('A short name for tables and files.'),
    type: z.string().optional().describe('What runs the model; a model without a runnable type can still be rendered.'),
    path: z.string().optional().describe('The name or folder of the model.'),
    format: z.string().optional().describe('A shipped conversation format by name, e.g. "chatml"; `rolecall formats` lists them.'),
    chat_template: z
      .string()
      .optional()
      .describe('A Hugging Face chat template, or the path of a tokenizer_config.json, .jinja or .gguf file or of the folder it is in.'),
    special_tokens: z
      .record(z.string(), z.string())
      .optional()
      .describe("The template's special tokens, e.g. bos_token; by default those of the tokenizer_config.json."),
    chat_template_kwargs: z.record(z.string(), z.unknown()).optional().describe('Other variables of the template, e.g. enable_thinking.'),
    system_policy: z
      .enum(['error', 'fold'])
      .optional()
      .describe('A system turn that the chat template rejects: an error, or put before the words of the user.'),
    neighbours_policy: z
      .enum(['merge', 'error'])
      .optional()
      .describe('Turns of one role in a row, where the chat template wants them to alternate: joined, or an error.'),
    normalize_messages: z
      .boolean()
      .optional()
      .describe('Whether arguments that are JSON text are read and null contents become empty, as servers do; true by default.'),
    meta_template: z
      .union([metaTemplateSchema, apiMetaTemplateSchema, messagesMetaTemplateSchema])
      .nullish()
      .describe('How the model expects a conversation to be written.'),
    is_api: z
      .boolean()
      .optional()
      .describe('Whether the model takes messages; by default it does if a role has an api_role or the type is an API.'),
    tokenizer_path: z
      .string()
      .optional()
      .describe("The model's folder, tokenizer.json or tokenizer.model, relative to the config; names of a hub are not fetched."),
    max_seq_len: z.int().positive().optional().describe('The most tokens of a prompt; examples are dropped until it fits.'),
    max_out_len: z.int().positive().optional().describe('The most tokens the model may generate.'),
  })
  .describe('A model and its conversation format.')

export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema, for editors.'),
    models: z.array(modelSchema).default([]).describe('The models to render for or to run.'),
    datasets: z.array(datasetSchema).default([]).describe('The datasets to ask.'),
  })
  .describe('A Rolecall configuration.')

export type ModelConfig = z.input<typeof modelSchema>
export type DatasetConfig = z.input<typeof datasetSchema>
export type Config = z.input<typeof configSchema>

/** Keys that OpenCompass and AISBench configs commonly carry and that mean nothing here. */
export const unusedKeys = {
  model: [
    ...[
      'attr',
      'backend',
      'base_url',
      'batch_padding',
      'batch_size',
      'chat_template_kwargs',
      'concurrency',
      'drop_middle',
      'end_str',
      'engine_config',
    ],
    ...[
      'extract_pred_after_decode',
      'fastchat_template',
      'gen_config',
      'generation_kwargs',
      'host_ip',
      'host_port',
      'key',
      'max_workers',
      'mode',
    ],
    ...[
      'model_kwargs',
      'model_name',
      'openai_api_base',
      'org',
      'peft_kwargs',
      'peft_path',
      'pred_postprocessor',
      'query_per_second',
      'request_rate',
      'retry',
      'returns_tool_calls',
    ],
    ...['rpm_verbose', 'run_cfg', 'stop_words', 'stream', 'summarizer_abbr', 'temperature', 'tokenizer_kwargs', 'tokenizer_only'],
    ...['trust_remote_code', 'use_fastchat_template', 'use_timestamp', 'verbose', 'with_lock'],
  ],
  dataset: [
    ...[
      'alpaca_data_path',
      'data_files',
      'data_path',
      'dataset_name',
      'eval_mode',
      'file_name',
      'hf_hub',
      'infer_order',
      'k',
      'lang',
      'local_mode',
      'mode',
      'n',
      'name',
    ],
    ...[
      'num_examples',
      'num_repeats',
      'num_splits',
      'prompt_mode',
      'setting',
      'split',
      'subset',
      'task',
      'test_path',
      'version',
      'with_circular',
    ],
  ],
  retriever: [
    'candidate_num',
    'ce_model_name',
    'ice_num',
    'index_split',
    'labels',
    'sentence_transformers_model_name',
    'seed',
    'test_split',
    'tokenizer_name',
    'votek_k',
  ],
  inferencer: [
    'batch_size',
    'infer_mode',
    'max_out_len',
    'max_seq_len',
    'min_out_len',
    'output_json_filename',
    'save_every',
    'single_token',
    'stopping_criteria',
  ],
} as const
