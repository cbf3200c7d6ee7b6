import { expect, test } from 'vitest'
import { joinRows } from './join-rows.ts'
import type { WhyRow, WhySide } from './why-row.ts'

function side(harness: string, rows: readonly Partial<WhyRow>[]): WhySide {
  const row = (place: number): WhyRow => ({ id: place, keys: {}, isExtracted: false, score: 1, ...rows[place] })
  return {
    name: 'run',
    model: 'm',
    dataset: 'd',
    metric: 'acc',
    setup: { harness, rows: {}, prompt: {}, sampling: {}, scoring: {} },
    count: rows.length,
    row,
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

test('the rows of large datasets are joined by the question inside the prompt, also in Chinese', () => {
  const count = 2100
  const names = (number: number) => `物品${String.fromCharCode(0x4e00 + number)}和${String.fromCharCode(0x5e00 + (number % 97))}`
  const question = (number: number) => (number % 2 === 0 ? `How far is town ${number} from here?` : `请问${names(number)}的价格是多少？`)
  const first = side(
    'one',
    numbers(count).map((number) => ({ question: question(number), prompt: 'x' })),
  )
  const second = side(
    'other',
    numbers(count).map((number) => ({ prompt: `Read carefully. ${question(count - 1 - number)} Answer with one word.` })),
  )
  const { pairs, by, onlyFirst, skipped } = joinRows(first, second)
  expect(by).toEqual({ 'question in prompt': count })
  expect([onlyFirst, skipped]).toEqual([[], 0])
  expect(pairs.every(([one, other]) => other === count - 1 - one)).toBe(true)
})

test('prompts of one line whose first and last words differ between the runs', () => {
  const first = side(
    'jsonl',
    numbers(3).map((number) => ({ prompt: `Q: what is ${number} plus one? Answer:` })),
  )
  const second = side(
    'jsonl',
    numbers(3).map((number) => ({ prompt: `Solve. what is ${number} plus one? Think first.` })),
  )
  expect(joinRows(first, second).pairs).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ])
})

test('an id joins rows of one tool whose prompts are similar, and no others', () => {
  const row = (id: string, prompt: string) => ({ keys: { id }, prompt })
  const first = side('jsonl', [
    row('a', 'Name the capital of France now'),
    row('b', 'Which planet has rings'),
    row('c', 'How many legs has a spider'),
    row('twice', 'What is green'),
    row('twice', 'What is blue'),
  ])
  const second = side('jsonl', [
    row('c', 'Who wrote the play about a prince'),
    row('a', 'France: name its capital'),
    row('b', 'Tell me which large planet has rings'),
    row('twice', 'is what red'),
  ])
  const { pairs, by, onlyFirst } = joinRows(first, second)
  expect(pairs).toEqual([
    [0, 1],
    [1, 2],
  ])
  expect(by).toEqual({ 'id and similar prompt': 2 })
  expect(onlyFirst).toEqual([2, 3, 4])
  expect(
    joinRows(side('one', [row('a', 'Name the capital of France')]), side('other', [row('a', 'France: name its capital')])).pairs,
  ).toEqual([])
})

test('empty choices and empty questions end', () => {
  const first = side('one', [
    { question: 'Which of these?', choices: ['', 'b'], prompt: 'x' },
    { question: '', prompt: '' },
  ])
  const second = side('other', [{ prompt: 'Which of these? A. B. b' }, { prompt: '' }])
  expect(joinRows(first, second).pairs.length).toBeGreaterThan(0)
})

test('of equal rows of one tool, those with the same id are joined', () => {
  const row = (id: string, doc_hash: string) => ({ keys: { id, doc_hash }, question: 'Which planet is red?' })
  const first = side('lm-eval', [row('3', 'a'), row('17', 'a')])
  // The gold answer of row 3 was corrected.
  const second = side('lm-eval', [row('3', 'b'), row('17', 'a')])
  expect(joinRows(first, second).pairs).toEqual([
    [0, 0],
    [1, 1],
  ])
})

test('questions with other labels: numbers and bullets', () => {
  const row = (labels: readonly string[], number: number) => ({
    prompt: `Pick one.\n\nQuestion: What is ${number}?\n${labels[0]} ${number}\n${labels[1]} none\n`,
  })
  const sideOf = (labels: readonly string[]) => side('evalscope', [row(labels, 7), row(labels, 8), row(labels, 9)])
  for (const labels of [
    ['1.', '2.'],
    ['-', '-'],
    ['(A)', '(B)'],
  ])
    expect(joinRows(sideOf(['A)', 'B)']), sideOf(labels)).pairs).toHaveLength(3)
})
