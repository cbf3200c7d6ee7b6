import type { DatasetPreset } from './preset.ts'

/** The whole text, without surrounding white space. */
const whole = { type: 'regex', pattern: String.raw`(?s)\S(?:.*\S)?`, otherwise: '' }

const chat = (name: string, does: string): DatasetPreset => ({
  name,
  does,
  modes: ['gen'],
  shots: 0,
  layouts: [{ from: 'any files', test: '*.{jsonl,json,parquet}' }],
  dataset: () => ({
    row_format: name,
    reader_cfg: { input_columns: ['messages'], output_column: 'answer' },
    infer_cfg: { prompt_template: { messages: [{ expand_column: 'messages' }] }, inferencer: { type: 'GenInferencer' } },
    eval_cfg: { evaluator: { type: 'AccEvaluator' }, pred_postprocessor: whole, dataset_postprocessor: whole },
  }),
})

export const sharegpt = chat('sharegpt', 'chats in ShareGPT’s files, the last answer left to the model')
export const messages = chat('messages', 'chats in OpenAI’s fine-tuning files, the last answer left to the model')
