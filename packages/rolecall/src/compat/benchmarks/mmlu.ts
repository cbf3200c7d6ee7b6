import { multipleChoice } from './multiple-choice.ts'
import type { DatasetPreset } from './preset.ts'

const columns = ['question', 'A', 'B', 'C', 'D', 'answer']

/** https://github.com/hendrycks/test, https://huggingface.co/datasets/cais/mmlu */
export const mmlu: DatasetPreset = {
  name: 'mmlu',
  hub: { name: 'cais/mmlu', megabytes: 4.5, licence: 'MIT' },
  does: 'MMLU: multiple choice in 57 subjects',
  modes: ['gen', 'ppl'],
  shots: 5,
  not: ['all', 'auxiliary_train'],
  layouts: [
    { from: 'Hendrycks’s data folder', test: 'test/{subject}_test.csv', train: 'dev/{subject}_dev.csv', columns },
    { from: 'Hendrycks’s data folder', test: 'data/test/{subject}_test.csv', train: 'data/dev/{subject}_dev.csv', columns },
    { from: 'cais/mmlu on Hugging Face', test: '{subject}/test-*.parquet', train: '{subject}/dev-*.parquet' },
    { from: 'JSON lines, a file for each subject', test: 'test/{subject}.jsonl', train: 'dev/{subject}.jsonl' },
  ],
  dataset: (ask) => ({
    row_format: 'four_choices',
    ...multipleChoice(
      {
        hint: `There is a single choice question about ${ask.subject.replaceAll('_', ' ')}. Answer by replying with A, B, C or D.`,
        question: 'Question: {question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}',
        before: 'Answer: ',
        next: ['\nQuestion'],
      },
      ask,
    ),
  }),
  groups: {
    'mmlu-humanities': [
      ...['formal_logic', 'high_school_european_history', 'high_school_us_history', 'high_school_world_history', 'international_law'],
      ...['jurisprudence', 'logical_fallacies', 'moral_disputes', 'moral_scenarios', 'philosophy', 'prehistory', 'professional_law'],
      'world_religions',
    ],
    'mmlu-stem': [
      ...['abstract_algebra', 'anatomy', 'astronomy', 'college_biology', 'college_chemistry', 'college_computer_science'],
      ...['college_mathematics', 'college_physics', 'computer_security', 'conceptual_physics', 'electrical_engineering'],
      ...['elementary_mathematics', 'high_school_biology', 'high_school_chemistry', 'high_school_computer_science'],
      ...['high_school_mathematics', 'high_school_physics', 'high_school_statistics', 'machine_learning'],
    ],
    'mmlu-social-science': [
      ...['econometrics', 'high_school_geography', 'high_school_government_and_politics', 'high_school_macroeconomics'],
      ...['high_school_microeconomics', 'high_school_psychology', 'human_sexuality', 'professional_psychology', 'public_relations'],
      ...['security_studies', 'sociology', 'us_foreign_policy'],
    ],
    'mmlu-other': [
      ...['business_ethics', 'clinical_knowledge', 'college_medicine', 'global_facts', 'human_aging', 'management', 'marketing'],
      ...['medical_genetics', 'miscellaneous', 'nutrition', 'professional_accounting', 'professional_medicine', 'virology'],
    ],
  },
}
