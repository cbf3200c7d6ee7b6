import { presets } from '@rolecall/core/internal/format'
import { defineConfig } from '../../evaluation/config/define-config.ts'

const choices = '{input}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer: '

/** The example of `rolecall render` without a config: the documents' MMLU question and sums, for three models. */
export const exampleConfig = defineConfig({
  models: [
    { abbr: 'moss', meta_template: presets.moss!.meta_template },
    { abbr: 'chatml', meta_template: presets.chatml!.meta_template },
    { abbr: 'api', meta_template: presets.messages!.meta_template },
  ],
  datasets: [
    {
      abbr: 'mmlu',
      rows: [
        {
          input: 'Which of the following is NOT a characteristic of an oligotrophic lake?',
          A: 'Low nutrient levels',
          B: 'High altitudes',
          C: 'Shallow water',
          D: 'Sand or gravel bottom',
          target: 'A',
        },
      ],
      reader_cfg: { input_columns: ['input', 'A', 'B', 'C', 'D'], output_column: 'target' },
      infer_cfg: {
        prompt_template: {
          template: {
            begin: [
              {
                role: 'SYSTEM',
                fallback_role: 'HUMAN',
                prompt: 'The following are multiple choice questions (with answers) about college biology.',
              },
            ],
            round: [
              { role: 'HUMAN', prompt: choices },
              { role: 'BOT', prompt: '{target}' },
            ],
          },
        },
        inferencer: { type: 'GenInferencer' },
      },
    },
    {
      abbr: 'sums',
      rows: [{ question: '1+1=?', answer: '2' }],
      train_rows: [
        { question: '2+2=?', answer: '4' },
        { question: '3+3=?', answer: '6' },
      ],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        ice_template: {
          template: {
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
        prompt_template: {
          template: {
            begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve the following questions.' }, '</E>'],
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
          ice_token: '</E>',
        },
        retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
        inferencer: { type: 'GenInferencer' },
      },
    },
  ],
})
