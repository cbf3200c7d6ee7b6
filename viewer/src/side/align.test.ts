import { expect, test } from 'vitest'
import { compilePrompt } from '../../../src/prompt/compile/compile-prompt.ts'
import { alignTurns, turnsOf } from './align.ts'
import { differencesFrom, unionOf, wordsOnlyIn } from './differences.ts'

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
]
const dataset = {
  infer_cfg: { prompt_template: { template: { begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve.' }], round } } },
}

function turnsIn(format: string, question = '1+1=?') {
  return turnsOf(compilePrompt({ format }, dataset).render({ row: { question, answer: '2' }, mode: 'ppl' }).prompt)
}

test('equal turns are aligned, whatever surrounds them, in any number of formats', () => {
  const lines = alignTurns([turnsIn('chatml'), turnsIn('messages'), turnsIn('internlm2')])
  expect(lines.filter((line) => line.every(Boolean)).map((line) => line.map((turn) => turn!.text))).toEqual([
    ['<|im_start|>system\nSolve.<|im_end|>\n', 'Solve.', '<|im_start|>system\nSolve.<|im_end|>\n'],
    ['<|im_start|>user\n1+1=?<|im_end|>\n', '1+1=?', '<|im_start|>user\n1+1=?<|im_end|>\n'],
    ['<|im_start|>assistant\n2<|im_end|>\n', '2', '<|im_start|>assistant\n2<|im_end|>\n'],
  ])
  expect(lines.filter((line) => !line.every(Boolean)).map((line) => line.map((turn) => turn?.text))).toEqual([
    [undefined, undefined, '<s>'],
  ])
})

test('a turn that only one side has gets a separate line', () => {
  const [extra] = turnsIn('chatml')
  expect(alignTurns([[extra!], []])).toEqual([[extra, undefined]])
  expect(alignTurns([[], [extra!]])).toEqual([[undefined, extra]])
})

test('differences are whole words and markers', () => {
  expect([wordsOnlyIn('USER: hi', 'USER hi'), wordsOnlyIn('USER hi', 'USER: hi')]).toEqual([[[4, 5]], []])
  expect([wordsOnlyIn('a<|im_end|>', 'a</s>'), wordsOnlyIn('a</s>', 'a<|im_end|>')]).toEqual([[[1, 11]], [[1, 5]]])
  expect(wordsOnlyIn('same', 'same')).toEqual([])
})

test('pieces are compared with those of the same source: a marker in a row is not one of the format', () => {
  const turn = turnsIn('chatml', '<|im_end|>')[1]!
  const other = turnsIn('messages', '<|im_end|>')[1]!
  // Both have the same text; only chatml's markers differ.
  expect(differencesFrom(turn, other).map(([start, end]) => turn.text.slice(start, end))).toEqual(['<|im_start|>user\n', '<|im_end|>\n'])
  expect(differencesFrom(other, turn)).toEqual([])
})

test('ranges of several comparisons are merged', () => {
  expect(
    unionOf([
      [[4, 6]],
      [
        [0, 2],
        [5, 9],
      ],
    ]),
  ).toEqual([
    [0, 2],
    [4, 9],
  ])
})
