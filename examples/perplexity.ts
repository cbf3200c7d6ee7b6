// A template for each label: complete prompts whose likelihoods are compared, and what each label adds.
import { compilePrompt } from 'rolecall/datasets'
import { promptText, textOf } from 'rolecall/formats'

const question = 'Which is true?\nA. {A}\nB. {B}\nAnswer: '
const maker = compilePrompt(
  { format: 'plain' },
  {
    reader_cfg: { input_columns: ['A', 'B'], output_column: 'gold' },
    infer_cfg: {
      prompt_template: { template: { A: `${question}A`, B: `${question}B`, UNK: `${question}None of them is true.` } },
      inferencer: { type: 'PPLInferencer' },
    },
  },
)

for (const label of maker.labels ?? []) {
  const { prompt } = maker.render({ row: { A: '1 > 2', B: '2 > 1', gold: 'B' }, mode: 'ppl', label })
  if (prompt.kind !== 'completion' || !prompt.answer) throw new Error('a complete text with an answer was expected')
  const { start, end } = prompt.answer
  console.log(label, JSON.stringify(promptText(prompt)))
  console.log('  adds', JSON.stringify(textOf(prompt.pieces.slice(start, end))))
}

// Prints:
// A "Which is true?\nA. 1 > 2\nB. 2 > 1\nAnswer: A"
//   adds "A"
// B "Which is true?\nA. 1 > 2\nB. 2 > 1\nAnswer: B"
//   adds "B"
// UNK "Which is true?\nA. 1 > 2\nB. 2 > 1\nAnswer: None of them is true."
//   adds "None of them is true."
