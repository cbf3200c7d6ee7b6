import { z } from 'zod'
import { datasetSchema } from './dataset-schema.ts'
import { modelSchema } from './model-schema.ts'
import { presetUseSchema } from './preset-schema.ts'
import { summaryGroupSchema } from './summary-group-schema.ts'

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
    ...['attr', 'backend', 'batch_padding', 'drop_middle', 'end_str', 'engine_config'],
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
  inferencer: ['batch_size', 'max_seq_len', 'output_json_filename', 'save_every'],
} as const
