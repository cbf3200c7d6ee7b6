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

test('a question of SQuAD 2.0 that cannot be answered accepts plausible answers and saying so', async () => {
  const qas = [{ question: 'q', is_impossible: true, answers: [], plausible_answers: [{ text: 'p' }] }]
  const files = filesOf({ 's.json': JSON.stringify({ data: [{ paragraphs: [{ context: 'c', qas }] }] }) })
  expect(await load('SQuAD20Dataset', { path: 's.json' }, files)).toMatchObject({ rows: [{ answers: ['p', 'impossible to answer'] }] })
})

test('StoryCloze has letters and no splits in its second version', async () => {
  const row = { input_sentence_1: 'a', input_sentence_2: 'b', input_sentence_3: 'c', input_sentence_4: 'd', answer_right_ending: 2 }
  const files = filesOf({ 'x/en_train.jsonl': json(row), 'x/en_eval.jsonl': '' })
  expect(await load('StoryClozeDatasetV2', { path: 'x', lang: 'en' }, files)).toMatchObject({
    rows: [{ context: 'a b c d', answer_right_ending: 'B' }],
  })
})

test('ANLI has contradiction, entailment and neutral as A, B and C', async () => {
  const files = filesOf({ 'a.jsonl': json({ label: 'c' }, { label: 'e' }, { label: 'n' }) })
  expect(await load('AnliDataset', { path: 'a.jsonl' }, files)).toMatchObject({ rows: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] })
})
