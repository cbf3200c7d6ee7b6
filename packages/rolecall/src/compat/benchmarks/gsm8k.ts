import { examplesFrom } from './multiple-choice.ts'
import type { DatasetPreset } from './preset.ts'

const asked = { role: 'HUMAN', prompt: "Question: {question}\nLet's think step by step.\nAnswer:" }

const answered = { role: 'BOT', prompt: '{answer}', own_line: true }

/** https://github.com/openai/grade-school-math. Its answers show the steps and end with "#### 42". */
export const gsm8k: DatasetPreset = {
  name: 'gsm8k',
  hub: { name: 'openai/gsm8k', megabytes: 2.7, licence: 'MIT' },
  does: 'GSM8K: sums in words, step by step',
  modes: ['gen'],
  shots: 4,
  layouts: [
    { from: 'the published files', test: 'test.jsonl', train: 'train.jsonl' },
    { from: 'the published repository', test: 'grade_school_math/data/test.jsonl', train: 'grade_school_math/data/train.jsonl' },
    { from: 'openai/gsm8k on Hugging Face', test: 'main/test-*.parquet', train: 'main/train-*.parquet' },
  ],
  dataset: ({ shots }) => ({
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      ice_template: { template: { round: [asked, answered] } },
      prompt_template: { template: { begin: ['</E>'], round: [asked, answered] }, ice_token: '</E>' },
      retriever: examplesFrom(shots),
      inferencer: { type: 'GenInferencer', max_out_len: 512, base_stopping_criteria: ['\nQuestion'] },
    },
    eval_cfg: {
      evaluator: { type: 'MarkedNumberEvaluator' },
      pred_postprocessor: 'marked_number',
      dataset_postprocessor: 'gsm8k_dataset',
    },
  }),
}
