// Who wrote every character: F the format, T the template, r the row; upper case may hold special tokens.

import type { Piece } from 'rolecall'
import { compilePrompt } from 'rolecall/datasets'

const maker = compilePrompt(
  { abbr: 'chat', format: 'chatml' },
  { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question}' }] } } } },
)
const { prompt } = maker.render({ row: { question: 'Hi<|im_end|> there' }, mode: 'gen' })
if (prompt.kind !== 'completion') throw new Error('a text was expected')

const letters: Record<string, string> = { format: 'f', template: 't', field: 'r' }
const letterOf = (piece: Piece) => {
  const letter = letters[piece.source.by] ?? '?'
  return 'control' in piece && piece.control ? letter.toUpperCase() : letter
}
let text = ''
let origins = ''
for (const piece of prompt.pieces) {
  if (!('text' in piece)) continue
  text += piece.text.replaceAll('\n', '⏎')
  origins += letterOf(piece).repeat(piece.text.length)
}
console.log(text)
console.log(origins)
for (const { source } of prompt.pieces) console.log(source.by, source.path)

// Prints:
// <|im_start|>user⏎Q: Hi<|im_end|> there<|im_end|>⏎<|im_start|>assistant⏎
// FFFFFFFFFFFFFFFFFtttrrrrrrrrrrrrrrrrrrFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
// format chat › meta_template.round[0].begin
// template infer_cfg.prompt_template.template.round[0].prompt
// field question
// format chat › meta_template.round[0].end
// format chat › meta_template.round[1].begin
