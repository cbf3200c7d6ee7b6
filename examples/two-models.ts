// One dataset, a language model and an API model: the same question, each in its own format.

import type { DatasetConfig } from 'rolecall'
import { compilePrompt } from 'rolecall/datasets'
import { promptText } from 'rolecall/formats'

const dataset: DatasetConfig = {
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: {
    prompt_template: {
      template: {
        begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Answer briefly.' }],
        round: [
          { role: 'HUMAN', prompt: '{question}' },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
  },
}
const row = { question: '1+1=?', answer: '2' }

const languageModel = compilePrompt({ format: 'chatml' }, dataset)
console.log(promptText(languageModel.render({ row, mode: 'gen' }).prompt))

const apiModel = compilePrompt({ format: 'messages' }, dataset)
const { prompt } = apiModel.render({ row, mode: 'gen' })
if (prompt.kind === 'chat') for (const { role, content } of prompt.messages) console.log(role, JSON.stringify(content))

// Prints:
// <|im_start|>system
// Answer briefly.<|im_end|>
// <|im_start|>user
// 1+1=?<|im_end|>
// <|im_start|>assistant
//
// system [{"text":"Answer briefly.","control":false,"source":{"by":"template","path":"infer_cfg.prompt_template.template.begin[0].prompt","span":[0,15]}}]
// user [{"text":"1+1=?","control":false,"source":{"by":"field","path":"question"}}]
