import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'

const json = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

test('WSC marks both mentions in the text', async () => {
  const target = { span1_text: 'The old man', span1_index: 0, span2_text: 'his', span2_index: 4 }
  const files = filesOf({ 'w.jsonl': json({ text: 'The old man saw his dog', target, label: 'true' }) })
  expect(await load('WSCDatasetV3', { path: 'w.jsonl' }, files)).toMatchObject({
    rows: [{ span1: 'The old man', span2: 'his', text: '* The old man * saw # his # dog', label: 'A' }],
  })
})

test('an unanswerable SQuAD 2.0 question accepts plausible answers and a refusal', async () => {
  const qas = [{ question: 'q', is_impossible: true, answers: [], plausible_answers: [{ text: 'p' }] }]
  const files = filesOf({ 's.json': JSON.stringify({ data: [{ paragraphs: [{ context: 'c', qas }] }] }) })
  expect(await load('SQuAD20Dataset', { path: 's.json' }, files)).toMatchObject({ rows: [{ answers: ['p', 'impossible to answer'] }] })
})

test('StoryCloze v2 has letters and no splits', async () => {
  const row = { input_sentence_1: 'a', input_sentence_2: 'b', input_sentence_3: 'c', input_sentence_4: 'd', answer_right_ending: 2 }
  const files = filesOf({ 'x/en_train.jsonl': json(row), 'x/en_eval.jsonl': '' })
  expect(await load('StoryClozeDatasetV2', { path: 'x', lang: 'en' }, files)).toMatchObject({
    rows: [{ context: 'a b c d', answer_right_ending: 'B' }],
  })
})

test('ANLI maps contradiction, entailment and neutral to A, B and C', async () => {
  const files = filesOf({ 'a.jsonl': json({ label: 'c' }, { label: 'e' }, { label: 'n' }) })
  expect(await load('AnliDataset', { path: 'a.jsonl' }, files)).toMatchObject({ rows: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] })
})

test('each language of IWSLT 2017 is a column', async () => {
  const files = filesOf({ 't.json': json({ translation: { en: 'one', de: 'eins' } }) })
  expect(await load('IWSLT2017Dataset', { path: 'json', data_files: 't.json', split: 'train' }, files)).toEqual({
    columns: ['en', 'de'],
    rows: [{ en: 'one', de: 'eins' }],
  })
})

test('SciEval keeps four-choice questions of the requested category', async () => {
  const question = 'What is it? A. one B. two C. three D. four\n\nAnswer:'
  const entry = { type: 'multiple-choice', category: 'physics', question, answer: ['B'] }
  const rows = [
    entry,
    { ...entry, category: 'biology' },
    { ...entry, type: 'filling' },
    { ...entry, answer: [] },
    { ...entry, question: 'A.' },
  ]
  const files = filesOf({ 's/data/test.jsonl': json(...rows) })
  const loaded = await load('SciEvalDataset', { path: 's', name: 'default', category: 'physics' }, files)
  expect(loaded).toMatchObject({ test: { rows: [{ input: 'What is it?', A: 'one', B: 'two', C: 'three', D: 'four', target: 'B' }] } })
})

test('HumanEval in other languages keeps the required columns and repeats rows', async () => {
  const problem = { prompt: 'p', task_id: 't', test: 'x', entry_point: 'f', canonical_solution: 's', more: 1 }
  const loaded = await load('xHumanevalDataset', { path: 'h.jsonl', num_repeats: 2 }, filesOf({ 'h.jsonl': json(problem) }))
  const { more: _, ...kept } = problem
  expect(loaded).toMatchObject({ rows: [kept, kept] })
})

test('MedCalc-Bench renames its columns to names without spaces, except for examples', async () => {
  const names = [
    'Row Number',
    'Calculator ID',
    'Calculator Name',
    'Category',
    'Output Type',
    'Note ID',
    'Note Type',
    'Patient Note',
    'Question',
  ]
  const more = ['Relevant Entities', 'Ground Truth Answer', 'Lower Limit', 'Upper Limit', 'Ground Truth Explanation']
  const columnData = [...names, ...more].map((name) => ({ name, data: [`of ${name}`], type: 'STRING' as const }))
  const files = filesOf({ 'm/data/test-00000-of-00001.parquet': new Uint8Array(parquetWriteBuffer({ columnData })) })
  expect(await load('MedCalc_BenchDataset', { path: 'm', prompt_mode: 'zero-shot' }, files)).toMatchObject({
    rows: [{ row_number: 'of Row Number', ground_truth_explanation: 'of Ground Truth Explanation', Question: 'of Question' }],
  })
  expect(await load('MedCalc_BenchDataset', { path: 'm', prompt_mode: 'few-shot' }, files)).toMatchObject({ columns: [...names, ...more] })
})
