import { cevalSubjects } from './ceval-subjects.ts'
import { multipleChoice } from './multiple-choice.ts'
import type { DatasetPreset } from './preset.ts'

const inGroup = (group: string) => Object.entries(cevalSubjects).flatMap(([subject, [, own]]) => (own === group ? [subject] : []))

/** https://github.com/hkust-nlp/ceval. The answers of its test files are not public, so `val` is evaluated. */
export const ceval: DatasetPreset = {
  name: 'ceval',
  hub: { name: 'ceval/ceval-exam', megabytes: 1.5, licence: 'CC BY-NC-SA 4.0' },
  does: 'C-Eval: multiple choice in 52 subjects, in Chinese',
  modes: ['gen', 'ppl'],
  shots: 5,
  layouts: [
    { from: 'the published archive', test: 'val/{subject}_val.csv', train: 'dev/{subject}_dev.csv' },
    { from: 'the published archive', test: 'formal_ceval/val/{subject}_val.csv', train: 'formal_ceval/dev/{subject}_dev.csv' },
    { from: 'ceval/ceval-exam on Hugging Face', test: '{subject}/val-*.parquet', train: '{subject}/dev-*.parquet' },
    { from: 'JSON lines, a file for each subject', test: 'val/{subject}.jsonl', train: 'dev/{subject}.jsonl' },
  ],
  dataset: (ask) => ({
    row_format: 'four_choices',
    ...multipleChoice(
      {
        hint: `以下是中国关于${cevalSubjects[ask.subject]?.[0] ?? ask.subject.replaceAll('_', ' ')}考试的单项选择题，请选出其中的正确答案。`,
        question: '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}',
        before: '答案: ',
        next: ['\nA. ', '\n答案'],
      },
      ask,
    ),
  }),
  groups: {
    'ceval-stem': inGroup('STEM'),
    'ceval-social-science': inGroup('Social Science'),
    'ceval-humanities': inGroup('Humanities'),
    'ceval-other': inGroup('Other'),
  },
}
