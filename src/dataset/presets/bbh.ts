import { examplesFrom } from './multiple-choice.ts'
import type { DatasetPreset } from './preset.ts'

/** Tasks whose answer is a letter in brackets. */
const withChoices: ReadonlySet<string> = new Set([
  ...['date_understanding', 'disambiguation_qa', 'geometric_shapes', 'hyperbaton', 'logical_deduction_five_objects'],
  ...['logical_deduction_seven_objects', 'logical_deduction_three_objects', 'movie_recommendation', 'penguins_in_a_table'],
  ...['reasoning_about_colored_objects', 'ruin_names', 'salient_translation_error_detection', 'snarks', 'temporal_sequences'],
  ...['tracking_shuffled_objects_five_objects', 'tracking_shuffled_objects_seven_objects', 'tracking_shuffled_objects_three_objects'],
])

const last = { role: 'BOT', prompt: '{target}' }

/** https://github.com/suzgunmirac/BIG-Bench-Hard, whose `cot-prompts` show three worked examples for each task. */
export const bbh: DatasetPreset = {
  name: 'bbh',
  does: 'BIG-Bench Hard: 27 tasks, step by step',
  modes: ['gen'],
  shots: 3,
  layouts: [
    { from: 'the published repository', test: 'bbh/{subject}.json', hint: 'cot-prompts/{subject}.txt' },
    { from: 'OpenCompass’s archive', test: 'data/{subject}.json', hint: 'lib_prompt/{subject}.txt' },
    { from: 'lukaemon/bbh on Hugging Face', test: '{subject}/test-*.parquet' },
    { from: 'the files alone', test: '{subject}.json' },
  ],
  dataset({ subject, shots, hint }) {
    const isChoice = withChoices.has(subject)
    // Without worked examples the first rows are shown, and not asked.
    const own = hint === undefined && shots > 0 ? { test_range: `[${shots}:]`, train_range: `[:${shots}]` } : {}
    const asked = { role: 'HUMAN', prompt: "Q: {input}\nA: Let's think step by step." }
    const told =
      hint === undefined || shots === 0 ? [] : [{ role: 'HUMAN', prompt: `Follow the given examples and answer the question.\n${hint}` }]
    const plain = { role: 'HUMAN', prompt: 'Q: {input}\nA: ' }
    const question = hint === undefined && shots > 0 ? plain : asked
    return {
      reader_cfg: { input_columns: ['input'], output_column: 'target', ...own },
      infer_cfg: {
        ice_template: { template: { round: [plain, last] } },
        prompt_template: { template: { begin: [...told, '</E>'], round: [question, last] }, ice_token: '</E>' },
        retriever: examplesFrom(hint === undefined ? shots : 0),
        inferencer: { type: 'GenInferencer', max_out_len: 512 },
      },
      eval_cfg: isChoice
        ? { evaluator: { type: 'BBHEvaluator_mcq' }, pred_postprocessor: 'bbh-mcq', dataset_postprocessor: 'bbh-mcq' }
        : { evaluator: { type: 'BBHEvaluator' }, pred_postprocessor: 'bbh-freeform' },
    }
  },
}
