import { z } from 'zod'
import { replySyntaxes, type SyntaxName } from '../parse/syntaxes/index.ts'
import { summaryGroupSchema } from '../report/summary-groups.ts'
import type { OwnChoice } from '../retrieve/choose-examples.ts'
import type { Embedder } from '../retrieve/embedder.ts'
import type { EvaluatorFunction } from '../score/evaluate/evaluators.ts'
import { internlm2OptionsSchema } from './internlm2-options-schema.ts'
import { apiMetaTemplateSchema, messagesMetaTemplateSchema, metaTemplateSchema } from './meta-template-schema.ts'
import { mlcConfigSchema, newConversationSchema, oldConversationSchema } from './mlc-schema.ts'
import { openaiFields } from './openai-schema.ts'
import { presetUseSchema } from './preset-schema.ts'
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
      .enum(['nltk', 'characters'])
      .optional()
      .describe("For BM25Retriever: nltk's word tokens (the default), or characters, for Chinese and Japanese."),
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
    type: z
      .string()
      .optional()
      .describe(
        'GenInferencer (generation), PPLInferencer (perplexity), LLInferencer, CLPInferencer (likelihood), PPLOnlyInferencer (no answer).',
      ),
    max_out_len: z.int().positive().optional().describe("The most tokens of an answer; the model's max_out_len by default, else 512."),
    min_out_len: z.int().nonnegative().optional().describe('The fewest tokens of an answer.'),
    stopping_criteria: z.array(z.string()).optional().describe("Texts that end an answer, besides the format's own stops."),
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

const postprocessorSchema = z.union([z.string(), z.looseObject({ type: z.string() }), functionOf<(text: string) => unknown>()])

export const evalSchema = z
  .looseObject({
    evaluator: z
      .union([
        z.looseObject({ type: z.string().optional().describe('AccEvaluator (equal texts, the default) or another of docs/scoring.md.') }),
        functionOf<EvaluatorFunction>(),
      ])
      .optional()
      .describe('Compares answers with the output_column: a type with its options, or a function.'),
    pred_postprocessor: postprocessorSchema
      .optional()
      .describe('What is done to an answer before it is compared: a name of docs/scoring.md, a type with its options, or a function.'),
    dataset_postprocessor: postprocessorSchema.optional().describe('The same for the output_column.'),
  })
  .describe('How answers are scored.')

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
  seed: z.int().nonnegative().optional().describe('For sampling: the same seed gives the same answers; 0 by default.'),
}

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
    row_format: z
      .string()
      .optional()
      .describe('How rows are written in the file: choices, four_choices, sharegpt or messages; see docs/datasets.md.'),
    rows: z.array(z.record(z.string(), z.unknown())).optional().describe('The rows that are asked, written here instead of in a file.'),
    train_rows: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The rows that may be examples, written here instead of in a file.'),
    on_bad_row: z
      .enum(['error', 'skip'])
      .optional()
      .describe('What happens where a file has something that is no row: `error` (the default), or `skip`, which counts and names it.'),
    n: z
      .int()
      .positive()
      .optional()
      .describe('How many answers each row gets, each with a seed of its own; 1 by default. The model needs a temperature.'),
    k: z
      .union([z.int().positive(), z.array(z.int().positive()).min(1)])
      .optional()
      .describe('With `n`: the figures pass@k and G-Pass@k for these numbers; 1 and n by default.'),
    type: z.string().optional().describe('The dataset class in OpenCompass; not needed here.'),
    reader_cfg: readerSchema.optional(),
    infer_cfg: inferSchema,
    eval_cfg: evalSchema.optional(),
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
    path: z.string().optional().describe('The name, folder or file of the model; for type "gguf" the file, relative to the config.'),
    threads: z.int().positive().optional().describe('For type "gguf": how many threads work; one less than there are cores by default.'),
    context: z
      .int()
      .positive()
      .optional()
      .describe('For type "gguf": the most tokens of a prompt and its answer; what the model was trained with by default, at most 8192.'),
    gpu: z
      .union([z.literal(false), z.enum(['auto', 'cuda', 'vulkan', 'metal'])])
      .optional()
      .describe('For type "gguf": what computes besides the processor; false, nothing, by default.'),
    gpu_layers: z
      .int()
      .nonnegative()
      .optional()
      .describe('For type "gguf" with a gpu: how many layers it holds; as many as fit by default.'),
    format: z.string().optional().describe('A shipped conversation format by name, e.g. "chatml"; `rolecall formats` lists them.'),
    format_options: internlm2OptionsSchema.optional(),
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
    reply_syntax: z
      .enum(Object.keys(replySyntaxes) as [SyntaxName])
      .optional()
      .describe('How the model writes reasoning and tool calls; by default what the marks of its format say (docs/replies.md).'),
    normalize_messages: z
      .boolean()
      .optional()
      .describe('Whether arguments that are JSON text are read and null contents become empty, as servers do; true by default.'),
    meta_template: z
      .union([metaTemplateSchema, apiMetaTemplateSchema, messagesMetaTemplateSchema])
      .nullish()
      .describe('How the model expects a conversation to be written.'),
    conv_template: z
      .union([z.string(), newConversationSchema, oldConversationSchema])
      .optional()
      .describe('A conversation template of MLC by name, e.g. "vicuna_v1.1", or one as an object; `rolecall formats` lists the names.'),
    conv_config: z
      .union([oldConversationSchema, newConversationSchema])
      .optional()
      .describe('Changes to conv_template, or a whole conversation template (document 003).'),
    mlc_config: z
      .union([z.string(), mlcConfigSchema])
      .optional()
      .describe("A model's mlc-chat-config.json or its folder, relative to the config, or what stands in it."),
    join_turns: z
      .string()
      .optional()
      .describe('For conversation templates that write only the last user text: write everything that is said, with this between.'),
    is_api: z
      .boolean()
      .optional()
      .describe('Whether the model takes messages; by default it does if a role has an api_role or the type is an API.'),
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
    ...openaiFields,
    generation_kwargs: z
      .looseObject({ ...samplingFields, do_sample: z.boolean().optional().describe('false: temperature 0.') })
      .optional()
      .describe('The same settings where OpenCompass and AISBench write them; they win over those beside it.'),
  })
  .describe('A model and its conversation format.')

export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema, for editors.'),
    models: z.array(modelSchema).default([]).describe('The models to render for or to run.'),
    datasets: z
      .array(z.union([datasetSchema, presetUseSchema]))
      .default([])
      .describe('The datasets to ask, written out or by the name of a preset.'),
    summarizer: z
      .looseObject({ summary_groups: z.array(summaryGroupSchema).optional().describe('Datasets that are also shown as one figure.') })
      .optional()
      .describe('What the summary shows besides.'),
  })
  .describe('A Rolecall configuration.')

export type ModelConfig = z.input<typeof modelSchema>
export type DatasetConfig = z.input<typeof datasetSchema>
export type Config = z.input<typeof configSchema>

/** Keys that OpenCompass and AISBench configs commonly carry and that mean nothing here. */
export const unusedKeys = {
  model: [
    ...['attr', 'backend', 'batch_padding', 'chat_template_kwargs', 'drop_middle', 'end_str', 'engine_config'],
    ...['extract_pred_after_decode', 'fastchat_template', 'gen_config', 'host_ip', 'host_port', 'mode'],
    ...['model_kwargs', 'model_name', 'org', 'peft_kwargs', 'peft_path', 'pred_postprocessor', 'request_rate', 'returns_tool_calls'],
    ...['rpm_verbose', 'run_cfg', 'stop_words', 'summarizer_abbr', 'tokenizer_kwargs', 'tokenizer_only'],
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
      'lang',
      'local_mode',
      'mode',
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
  retriever: ['batch_size', 'ce_model_name', 'index_split', 'labels', 'sentence_transformers_model_name', 'test_split', 'tokenizer_name'],
  inferencer: ['batch_size', 'infer_mode', 'max_seq_len', 'output_json_filename', 'save_every'],
} as const
