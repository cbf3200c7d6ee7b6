import { expect, test } from 'vitest'
import { compilePrompt } from '../../../src/prompt/compile-prompt.ts'
import { alignTurns, differences, turnsOf } from './align.ts'

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
]
const dataset = {
  infer_cfg: { prompt_template: { template: { begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve.' }], round } } },
}

function turnsIn(format: string) {
  return turnsOf(compilePrompt({ format }, dataset).render({ row: { question: '1+1=?', answer: '2' }, mode: 'ppl' }).prompt)
}

test('turns that say the same stand in one line, whatever surrounds them', () => {
  const lines = alignTurns(turnsIn('chatml'), turnsIn('messages'))
  expect(lines.filter(({ left, right }) => left && right).map(({ left, right }) => [left!.text, right!.text])).toEqual([
    ['<|im_start|>system\nSolve.<|im_end|>\n', 'Solve.'],
    ['<|im_start|>user\n1+1=?<|im_end|>\n', '1+1=?'],
    ['<|im_start|>assistant\n2<|im_end|>\n', '2'],
  ])
})

test('a turn that only one side has stands alone', () => {
  const [extra] = turnsIn('chatml')
  expect(alignTurns([extra!], [])).toEqual([{ left: extra }])
})

test('differences are whole words and markers', () => {
  expect(differences('USER: hi', 'USER hi')).toEqual({ left: [[4, 5]], right: [] })
  expect(differences('a<|im_end|>', 'a</s>')).toEqual({ left: [[1, 11]], right: [[1, 5]] })
  expect(differences('same', 'same')).toEqual({ left: [], right: [] })
})
