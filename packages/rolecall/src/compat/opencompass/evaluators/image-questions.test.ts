import { expect, test } from 'vitest'
import { evaluatorOf } from '../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../register-opencompass.ts'

registerOpenCompass()

const scoreOf = (type: string, prediction: string, reference: unknown) =>
  evaluatorOf({ type }, true, 'mine').judge({ prediction, reference: reference as never, row: {} }).score

const people = (...answers: string[]) => answers.map((answer, answer_id) => ({ answer, answer_id }))

test.each([
  ['The two dogs.', people('2 dogs', '2 dogs', '2 dogs', '2 dogs'), 1],
  ['dont', people("don't", "don't", 'no'), (1 / 3 + 1 / 3 + 2 / 3) / 3],
  ['3,000 (left)', people('3000 left', '3000 left'), 1 / 3],
  // Answers that equal each other in every field are left out together, as in AISBench.
  ['red', [{ answer: 'red' }, { answer: 'red' }], 0],
])('TextVQA: %s', (said, gold, score) => {
  expect(scoreOf('TEXTEvaluator', said, gold)).toBeCloseTo(score)
})

test('MMStar: the letter among the last words, or the only option in the text', () => {
  const gold = { choices: '{"A": "cat", "B": "dog"}', answer: 'B', category: 'x' }
  for (const [said, score] of [
    ['B', 1],
    ['B is what I would choose here today', 0],
    ['a dog', 1],
    ['A or B', 0],
    ["I can't process this file. B", 0],
  ] as const)
    expect([said, scoreOf('MMStarEvaluator', said, gold)]).toEqual([said, score])
})

test('gold answers of another kind are refused', () => {
  for (const [type, gold, problem] of [
    ['TEXTEvaluator', ['red'], 'not a list of { answer }'],
    ['MMStarEvaluator', 'B', 'no "choices"'],
    ['MMStarEvaluator', { choices: "{'A': 'cat'}", answer: 'A' }, 'no "choices" in JSON'],
    ['DocVQAEvaluator', 'Berlin', 'not a list of answers'],
  ] as const)
    expect(() => scoreOf(type, 'x', gold)).toThrow(problem)
})

test('proteins: letters that are no amino acids make no likeness', () => {
  expect(scoreOf('Mol_Instructions_Evaluator_Protein_Design', 'MKV', 'MKV')).toBe(1)
  expect(scoreOf('Mol_Instructions_Evaluator_Protein_Design', 'mkv', 'MKV')).toBe(0)
})
