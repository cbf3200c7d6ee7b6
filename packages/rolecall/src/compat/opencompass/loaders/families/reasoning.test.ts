import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'

const json = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

test('ARC-AGI loads the tasks of its version, one file per task', async () => {
  const task = JSON.stringify({ train: [{ input: [[1]], output: [[2]] }], test: [{ input: [[3]], output: [[4]] }] })
  const files = filesOf({ 'a/00576224.json': task, 'a/898e7135.json': task, 'a/other.json': '{' })
  const found = { training_data: [{ input: [[1]], output: [[2]] }], input_test_data: [[3]], output_test_data: [[4]] }
  for (const version of ['arc_agi_1', 'arc_agi_2'])
    expect(await load('ARCPrizeDataset', { path: 'a', version }, files)).toMatchObject({ rows: [found] })
})

test('OlympiadBench: the first final answer, and the whole row', async () => {
  const known = {
    language: 'English',
    subject: 'Math',
    question_type: 'OE',
    answer_type: 'Numerical',
    is_multiple_answer: false,
    unit: null,
    error: null,
  }
  const files = filesOf({ 'data/OlympiadBench/x.json': JSON.stringify([{ question: 'q', final_answer: ['1', '2'], ...known }]) })
  const found = { problem: 'q', solution: '1', ...known, questions: { question: 'q', final_answer: ['1', '2'] } }
  expect(await load('OlympiadBenchDataset', { path: 'opencompass/OlympiadBench', name: 'x' }, files)).toMatchObject({
    test: { rows: [found] },
    train: { rows: [found] },
  })
})

test('MGSM and TabMWP', async () => {
  const problem = { question: 'q', choices: ['x', 'y'], answer: 'x', unit: '$', table_title: 'T', table: 'a | b', solution: '1\n2' }
  const one = JSON.stringify({ 1: problem, 2: { ...problem, choices: null, unit: null, table_title: null } })
  const files = filesOf({
    'm.tsv': 'q\t1\nr\t2 \n',
    't/problems_dev.json': one,
    't/problems_test.json': '{}',
    't/problems_train.json': '{}',
  })
  expect(await load('MGSMSDataset', { path: 'm.tsv' }, files)).toMatchObject({ rows: [{ question: 'q', answer: '1' }, { answer: '2' }] })
  await expect(load('MGSMSDataset', { path: 'm.tsv' }, filesOf({ 'm.tsv': 'q\n' }))).rejects.toThrow(
    'm.tsv:1: the line has 1 fields, not 2',
  )
  expect(await load('TabMWPDataset', { path: 't' }, files)).toMatchObject({
    dev: {
      rows: [
        {
          question: 'q (Unit: $)\nOptions: (A) x (B) y',
          table: '[TITLE]: T\na | b',
          test_elements: { answer: 'x', unit: '$', choices: ['x', 'y'] },
          answer: 'Answer: The answer is x.',
          solution: 'Solution: 1\\n2',
          answer_and_solution: 'Answer: The answer is x. BECAUSE: 1\\n2',
          solution_and_answer: 'Answer: 1\\n2 The answer is x.',
        },
        { question: 'q', table: 'a | b' },
      ],
    },
  })
})

test('questions: DROP with its prompt, LiveStemBench with options, StrategyQA and BIG-Bench Extra Hard unchanged', async () => {
  const stem = JSON.stringify([
    { question: 'q', options: ['a', 'b'], answer: 'A' },
    { question: 'r', options: [], answer: 'B' },
  ])
  const files = filesOf({
    'd.jsonl': json({ context: 'c', ref_text: 'x|y' }),
    'data/livestembench/livestembench-20241227.json': stem,
    'data/strategyqa/strategyQA_train.json': '[{"question": "q", "answer": true}]',
    'data/bbeh/x/task.json': '{"examples": [{"input": "i", "target": "t"}]}',
  })
  expect(await load('DropOpenAIDataset', { path: 'd.jsonl' }, files)).toMatchObject({
    validation: { rows: [{ prompt: 'c', answers: 'x|y' }] },
  })
  const live = (more: object) => load('LiveStemBenchDataset', { path: 'opencompass/livestembench', ...more }, files)
  expect(await live({})).toMatchObject({ train: { rows: [{ question: 'q\na\nb' }, { question: 'r' }] } })
  expect(await live({ n_repeats: 2 })).toMatchObject({ test: { rows: [{}, {}, {}, { question: 'r' }] } })
  expect(await live({ num_examples: 1 })).toMatchObject({ test: { rows: [{ question: 'r' }] } })
  await expect(live({ num_examples: 1, n_repeats: 2 })).rejects.toThrow('cannot stand together')
  expect(await load('StrategyQADataset', { path: 'opencompass/strategy_qa' }, files)).toMatchObject({ rows: [{ answer: true }] })
  expect(await load('BBEHDataset', { path: 'opencompass/bbeh', name: 'x' }, files)).toMatchObject({ rows: [{ input: 'i', target: 't' }] })
})

test('long texts and code: the requested number, reports by lists of ids, MBPP+ with its tests', async () => {
  const report = { title: 'T', reports: { subsections: [{ section_title: '', paragraphs: ['a', 'b'] }] }, summary: ['s', 't'] }
  const files = filesOf({
    'f.jsonl': json({ context: '[1]', input: 'The Largest one of the list?', answer: 1 }),
    'g/gov-report/split_ids/crs_train.ids': 'R1\n',
    'g/gov-report/split_ids/crs_valid.ids': '',
    'g/gov-report/split_ids/crs_test.ids': '',
    'g/gov-report/crs/R1.json': JSON.stringify(report),
    'm.jsonl': json({ task_id: 1, test_list: ['a', 'b'] }, { task_id: 2, test_list: [] }),
  })
  expect(await load('InfiniteBenchmathfindDataset', { path: 'f.jsonl' }, files)).toMatchObject({
    rows: [{ prefix: 'What is the largest one in the following list?', context: '[1]', answer: 1 }],
  })
  expect(await load('GovRepcrsDataset', { path: 'g' }, files)).toMatchObject({
    train: { rows: [{ content: 'T\n\na\nb', summary: 's\nt' }] },
  })
  expect(await load('MBPPPlusDataset', { path: 'm.jsonl', num_repeats: 2 }, files)).toMatchObject({
    rows: [
      { test_case: ['a', 'b'], test_list: 'a\nb', test_list_2: 'a\nb', test_column: { task_id: 1 } },
      { task_id: 1 },
      { task_id: 2 },
      { task_id: 2 },
    ],
  })
})
