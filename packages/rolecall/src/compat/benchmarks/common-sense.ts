import { multipleChoice } from './multiple-choice.ts'
import type { DatasetPreset } from './preset.ts'

/** https://allenai.org/data/arc. Rows with three or five choices are skipped and counted, as in OpenCompass. */
const arc = (name: string, set: string): DatasetPreset => ({
  name,
  hub: { name: 'allenai/ai2_arc', megabytes: 0.7, licence: 'CC BY-SA 4.0' },
  does: `ARC ${set}: science questions from school`,
  modes: ['gen', 'ppl'],
  shots: 0,
  layouts: [
    { from: 'the published archive', test: `ARC-${set}/ARC-${set}-Test.jsonl`, train: `ARC-${set}/ARC-${set}-Train.jsonl` },
    { from: 'the published archive', test: `ARC-${set}-Test.jsonl`, train: `ARC-${set}-Train.jsonl` },
    { from: 'allenai/ai2_arc on Hugging Face', test: `ARC-${set}/test-*.parquet`, train: `ARC-${set}/train-*.parquet` },
    { from: 'OpenCompass’s archive', test: `ARC-${name.endsWith('c') ? 'c' : 'e'}/ARC-${set}-Dev.jsonl` },
  ],
  dataset: (ask) => ({
    row_format: 'four_choices',
    on_bad_row: 'skip',
    ...multipleChoice(
      {
        question: 'Question: {question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}',
        // The answers are compared as continuations of the question.
        pplQuestion: 'Question: {question}',
        label: (letter) => `{${letter}}`,
        before: 'Answer: ',
        next: ['\nQuestion'],
      },
      ask,
    ),
  }),
})

export const arcChallenge = arc('arc_c', 'Challenge')
export const arcEasy = arc('arc_e', 'Easy')

/** https://github.com/rowanz/hellaswag. The labels of its test file are not public, so `val` is evaluated. */
export const hellaswag: DatasetPreset = {
  name: 'hellaswag',
  hub: { name: 'Rowan/hellaswag', megabytes: 31, licence: 'MIT' },
  does: 'HellaSwag: which ending makes sense',
  modes: ['gen', 'ppl'],
  shots: 0,
  layouts: [
    { from: 'the published files', test: 'hellaswag_val.jsonl', train: 'hellaswag_train.jsonl' },
    { from: 'the published files', test: 'data/hellaswag_val.jsonl', train: 'data/hellaswag_train.jsonl' },
    { from: 'Rowan/hellaswag on Hugging Face', test: 'data/validation-*.parquet', train: 'data/train-*.parquet' },
    { from: 'OpenCompass’s archive', test: 'hellaswag.jsonl' },
  ],
  dataset: (ask) => ({
    row_format: 'four_choices',
    ...multipleChoice(
      {
        question: '{question}\nQuestion: Which ending makes the most sense?\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer with A, B, C or D.',
        pplQuestion: '{question}',
        label: (letter) => `{${letter}}`,
        before: ask.mode === 'ppl' ? '' : 'Answer: ',
        next: ['\nQuestion'],
      },
      ask,
    ),
  }),
}
