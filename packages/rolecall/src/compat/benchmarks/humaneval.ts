import type { DatasetPreset } from './preset.ts'

/** https://github.com/openai/human-eval: functions to complete, and tests that run in the Python sandbox. */
export const humaneval: DatasetPreset = {
  name: 'humaneval',
  hub: { name: 'openai/openai_humaneval', megabytes: 0.1, licence: 'MIT' },
  does: 'HumanEval: Python functions to complete, tested in the sandbox (needs the packages deno and pyodide)',
  modes: ['gen'],
  shots: 0,
  layouts: [
    { from: 'the published file', test: '{HumanEval,human-eval-v2-20210705,humaneval}.jsonl' },
    { from: 'the published file, compressed', test: 'HumanEval.jsonl.gz' },
    { from: 'the published repository', test: 'data/HumanEval.jsonl.gz' },
    { from: 'openai/openai_humaneval on Hugging Face', test: 'openai_humaneval/test-*.parquet' },
  ],
  dataset: () => ({
    reader_cfg: { input_columns: ['prompt'] },
    infer_cfg: {
      prompt_template: {
        template: {
          round: [
            { role: 'HUMAN', prompt: 'Complete the following Python function.\n{prompt}' },
            { role: 'BOT', prompt: '' },
          ],
        },
      },
      inferencer: {
        type: 'GenInferencer',
        max_out_len: 512,
        // The stop sequences of the Codex paper: the function is complete when something else begins.
        base_stopping_criteria: ['\nclass', '\ndef', '\n#', '\nif', '\nprint'],
      },
    },
    eval_cfg: { evaluator: { type: 'HumanEvalEvaluator' }, pred_postprocessor: 'code_answer' },
  }),
}
