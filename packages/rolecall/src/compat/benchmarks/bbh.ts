import { examplesFrom } from './multiple-choice.ts'
import type { DatasetPreset } from './preset.ts'

/** Tasks whose answer is a letter in brackets. */
const withChoices: ReadonlySet<string> = new Set([
  ...['date_understanding', 'disambiguation_qa', 'geometric_shapes', 'hyperbaton', 'logical_deduction_five_objects'],
  ...['logical_deduction_seven_objects', 'logical_deduction_three_objects', 'movie_recommendation', 'penguins_in_a_table'],
  ...['reasoning_about_colored_objects', 'ruin_names', 'salient_translation_error_detection', 'snarks', 'temporal_sequences'],
  ...['tracking_shuffled_objects_five_objects', 'tracking_shuffled_objects_seven_objects', 'tracking_shuffled_objects_three_objects'],
])

/** https://github.com/suzgunmirac/BIG-Bench-Hard, whose `cot-prompts` show three worked examples for each task. */
export const bbh: DatasetPreset = {
  name: 'bbh',
  hub: { name: 'lukaemon/bbh', megabytes: 0.4, licence: 'MIT' },
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
    return {
      ...(hint === undefined || shots === 0 ? askedAlone(shots) : askedAfter(hint, shots)),
      eval_cfg: withChoices.has(subject)
        ? {
            evaluator: { type: 'BBHEvaluator_mcq' },
            pred_postprocessor: { type: 'choice_answer', options: 'ABCDEFGHIJKLMNOPQR', choices: 'input' },
            dataset_postprocessor: 'bbh-mcq',
          }
        : { evaluator: { type: 'BBHEvaluator' }, pred_postprocessor: readerFor(subject) },
    }
  },
}

/** Tasks whose answer is one of a few words, or a number. */
const closed: Readonly<Record<string, readonly [string, string]>> = {
  boolean_expressions: ['True', 'False'],
  causal_judgement: ['Yes', 'No'],
  formal_fallacies: ['valid', 'invalid'],
  navigate: ['Yes', 'No'],
  sports_understanding: ['yes', 'no'],
  web_of_lies: ['Yes', 'No'],
}
const numbers: ReadonlySet<string> = new Set(['multistep_arithmetic_two', 'object_counting'])

function readerFor(subject: string): { type: string; answers?: string[] } {
  const answers = closed[subject]
  if (answers) return { type: 'closed_answer', answers: [...answers] }
  return { type: numbers.has(subject) ? 'final_number' : 'free_answer' }
}

const reader = { input_columns: ['input'], output_column: 'target' }
const inferencer = { type: 'GenInferencer', max_out_len: 512, base_stopping_criteria: ['\nQ:'] }
const last = { role: 'BOT', prompt: '{target}', own_line: true }
const stepByStep = { role: 'HUMAN', prompt: "Q: {input}\nA: Let's think step by step." }
const plain = { role: 'HUMAN', prompt: 'Q: {input}\nA: ' }

/** Without worked examples, the first rows are shown as examples and not evaluated. */
function askedAlone(shots: number): Asked {
  return {
    reader_cfg: { ...reader, ...(shots > 0 ? { test_range: `[${shots}:]`, train_range: `[:${shots}]` } : {}) },
    infer_cfg: {
      ice_template: { template: { round: [plain, last] } },
      prompt_template: { template: { begin: ['</E>'], round: [shots > 0 ? plain : stepByStep, last] }, ice_token: '</E>' },
      retriever: examplesFrom(shots),
      inferencer,
    },
  }
}

/** Worked examples are data, like rows: braces in them are not fields. One turn, with an empty line before the question, as published. */
function askedAfter(worked: string, shots: number): Asked {
  const asked = { role: 'HUMAN', prompt: `Follow the given examples and answer the question.\n</E>\n\n${stepByStep.prompt}` }
  return {
    train_rows: eachExample(worked).map((input) => ({ input, target: '' })),
    reader_cfg: reader,
    infer_cfg: {
      ice_template: { template: '{input}' },
      prompt_template: { template: { round: [asked, last] }, ice_token: '</E>' },
      retriever: { ...examplesFrom(shots), ice_separator: '\n\n', ice_eos_token: '' },
      inferencer,
    },
  }
}

type Asked = Pick<ReturnType<DatasetPreset['dataset']>, 'reader_cfg' | 'infer_cfg' | 'train_rows'>

/** The first example includes the instruction at the beginning of the text. */
function eachExample(worked: string): string[] {
  const first = Math.max(0, worked.search(/^Q:/m))
  const [one = '', ...others] = worked.slice(first).split(/^(?=Q:)/m)
  return [worked.slice(0, first) + one, ...others].map((example) => example.trim())
}
