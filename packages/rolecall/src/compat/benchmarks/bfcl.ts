import type { DatasetPreset } from './preset.ts'

const layout = (from: string, stem: string) => ({
  from,
  test: `${stem}_{subject}.json`,
  answers: stem.replace(/[^/]*$/, 'possible_answer/$&_{subject}.json'),
  fileType: 'jsonl' as const,
})

/**
 * https://gorilla.cs.berkeley.edu/leaderboard: questions with functions to call, prompted and scored like the leaderboard. Only
 * categories whose calls are compared, not executed.
 */
export const bfcl: DatasetPreset = {
  name: 'bfcl',
  hub: { name: 'gorilla-llm/Berkeley-Function-Calling-Leaderboard', megabytes: 6, licence: 'Apache 2.0' },
  does: 'Berkeley Function Calling Leaderboard: tool calls of Python functions, one, several or none (needs a format with tools)',
  modes: ['gen'],
  shots: 0,
  layouts: [
    layout('the published files, version 4', 'BFCL_v4'),
    layout('the published repository', 'bfcl_eval/data/BFCL_v4'),
    layout('the published files, version 3', 'BFCL_v3'),
  ],
  unscored: [
    [/^multi_turn|^memory|^web_search/, 'its calls are run there, and not compared'],
    [/java/, 'its calls are compared there as source text of Java or JavaScript'],
    [/^format_sensitivity|^exec_|^rest$|^sql$|^chatable$|^all$/, 'it is not a category of questions with answers'],
  ],
  hasAnswers: (subject) => !subject.includes('relevance'),
  dataset: () => ({
    row_format: 'bfcl',
    reader_cfg: { input_columns: ['messages'], output_column: 'ground_truth', tools_column: 'tools' },
    infer_cfg: { prompt_template: { messages: [{ expand_column: 'messages' }] }, inferencer: { type: 'GenInferencer', max_out_len: 512 } },
    eval_cfg: { evaluator: { type: 'BFCLEvaluator' } },
    keep_columns: ['id'],
  }),
}
