// Examples before the question; they are dropped from the end when the prompt is too long.
import { compilePrompt, countWords, fitExamples } from 'rolecall/datasets'
import { promptText } from 'rolecall/formats'

const maker = compilePrompt(
  { format: 'plain' },
  {
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      ice_template: { template: '{question}\n{answer}' },
      prompt_template: { template: 'Solve the following questions.\n</E>{question}\n{answer}', ice_token: '</E>' },
      retriever: { type: 'FixKRetriever' },
    },
  },
)
const row = { question: '1+1=?', answer: '2' }
const examples = [
  { question: '2+2=?', answer: '4' },
  { question: '3+3=?', answer: '6' },
]
console.log(promptText(maker.render({ row, examples, mode: 'gen' }).prompt))

const fitted = fitExamples({
  examples,
  limit: 10,
  render: (kept) => maker.render({ row, examples: kept, mode: 'gen' }).prompt,
  count: (prompt) => countWords(promptText(prompt)),
})
console.log(`within 10 words: ${fitted.kept} kept, ${fitted.dropped} dropped`)

// Prints:
// Solve the following questions.
// 2+2=?
// 4
// 3+3=?
// 6
// 1+1=?
//
// within 10 words: 1 kept, 1 dropped
