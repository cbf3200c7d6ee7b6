import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../folder-with.ts'
import { compareColumns, comparisons, countVerdicts } from './compare-verdicts.ts'

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')

test('verdicts on published outputs are compared and counted', () => {
  const options = ['red', 'blue']
  const folder = folderWith({
    'mmlu.json': JSON.stringify([
      { options, answer: 'B', pred: 'B', generated_text: 'The answer is (B).' },
      { options, answer: 'B', pred: 'A', generated_text: 'The answer is (A). Wait, no: the answer is (B).' },
      { options, answer: 'A', pred: 'A', model_outputs: 'I cannot say. A diagram is missing.' },
    ]),
    'gsm8k.jsonl': lines([
      {
        question: 'How many?',
        ground_truth: '9 * 2 = 18\nA: 18',
        small: { is_correct: true, solution: '9 * 2 = 18\nA: 18' },
        large: { is_correct: false, solution: '16 - 7 = 9, and 9 * 2 = 18 of' },
      },
    ]),
    'input.jsonl': lines([{ prompt: 'P', kwargs: [{}] }]),
    'ifeval.jsonl': lines([
      { prompt: 'P', response: 'no comma', instruction_id_list: ['punctuation:no_comma'], follow_all_instructions: true },
      { prompt: 'P', response: 'one, two', instruction_id_list: ['punctuation:no_comma'], follow_all_instructions: true },
    ]),
  })
  const counts = (name: string, file: string) => countVerdicts(comparisons[name]!(join(folder, file), [join(folder, 'input.jsonl')]))
  expect(counts('mmlu-pro', 'mmlu.json')).toMatchObject({ verdicts: 3, same: 1, onlyOurs: 1, onlyTheirs: 1, notFound: 1 })
  expect(counts('gsm8k', 'gsm8k.jsonl')).toMatchObject({ verdicts: 2, same: 2, notFound: 1, cut: 1, cutAnswered: 0 })
  expect(counts('ifeval', 'ifeval.jsonl')).toMatchObject({ verdicts: 2, same: 1, onlyTheirs: 1 })
})

test('a file of any benchmark is compared by its columns', () => {
  const read = { type: 'choice_answer', options: 'ABCD' }
  const form = { reply: 'sample.said', gold: 'target', verdict: 'ok', read, evaluator: 'AccEvaluator' }
  const row = (said: string, ok: unknown) => ({ sample: { said }, target: 'B', ok })
  const folder = folderWith({
    'a.jsonl': lines([row('The answer is B.', true), row('The answer is not A, but B.', 0), row('No idea.', '0'), row('A', 1)]),
    'b.jsonl': lines([row('B', 'maybe')]),
  })
  const counts = countVerdicts(compareColumns(join(folder, 'a.jsonl'), form))
  expect(counts).toMatchObject({ verdicts: 4, same: 2, onlyOurs: 1, onlyTheirs: 1, notFound: 1 })
  expect(() => compareColumns(join(folder, 'b.jsonl'), form)).toThrow('row 0 has no verdict in "ok"')
  expect(() => compareColumns(join(folder, 'a.jsonl'), { ...form, gold: 'answer' })).toThrow(
    'no column "answer" (it has: sample, target, ok)',
  )
})

test('a file of another kind is reported', () => {
  const folder = folderWith({ 'a.json': '{"a": 1', 'b.json': '[]', 'c.json': '[{"a": 1}]', 'd.jsonl': '{"prompt": "P", "response": ""}' })
  for (const file of ['a.json', 'b.json', 'c.json'])
    expect(() => comparisons['mmlu-pro']!(join(folder, file), [])).toThrow('as it was downloaded')
  expect(() => comparisons.ifeval!(join(folder, 'd.jsonl'), [])).toThrow('--input input_data.jsonl')
})
