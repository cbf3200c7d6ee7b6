import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'

const json = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

test('Xiezhi lists its subjects from the finest to the coarsest, and drops questions without four choices', async () => {
  const row = { question: 'q', options: 'a\nb\nc\nd"\n', answer: 'c', labels: ['x', 'long', 'y'] }
  const files = filesOf({
    'data/xiezhi/xiezhi_train_chn/xiezhi.v1.json': json(row),
    'data/xiezhi/xiezhi_inter_chn/xiezhi.v1.json': json({ ...row, options: 'a\nb' }, row),
  })
  const found = { question: 'q', A: 'a', B: 'b', C: 'c', D: 'd', labels: ['long', 'x', 'y'], answer: 'C' }
  expect(await load('XiezhiDataset', { path: './data/xiezhi/', name: 'xiezhi_inter_chn' }, files)).toEqual({
    train: { columns: Object.keys(found), rows: [found] },
    test: { columns: Object.keys(found), rows: [found] },
  })
})

test('CMB shows choices of more than one character, and has no answers for its test rows', async () => {
  const row = { option: { A: 'yes', B: 'n', C: '' }, answer: 'A' }
  const files = filesOf({ 'c/val.json': JSON.stringify([row]), 'c/test.json': JSON.stringify([row]) })
  expect(await load('CMBDataset', { path: 'c' }, files)).toMatchObject({
    val: { rows: [{ option_str: 'A. yes', answer: 'A' }] },
    test: { rows: [{ option_str: 'A. yes', answer: 'NULL' }] },
  })
})

test('Kaoshi and CompassBench append choices to the question, depending on the task name', async () => {
  const row = { question: ' q ', options: ['a', 'b', 'c', 'd'], answer: 'B' }
  const files = filesOf({ 'k.jsonl': json(row) })
  const asked = { rows: [{ question: 'q\nA. a\nB. b\nC. c\nD. d\n' }] }
  expect(await load('KaoshiDataset', { path: 'k.jsonl', name: 'multi_choice' }, files)).toMatchObject(asked)
  expect(await load('KaoshiDataset', { path: 'k.jsonl', name: 'cloze' }, files)).toMatchObject({ rows: [{ question: ' q ' }] })
  const compass = (name: string) => load('CompassBenchObjectiveV1_3', { path: 'k.jsonl', name }, files)
  expect(await compass('single_choice')).toMatchObject(asked)
  expect(await compass('cloze_en')).toEqual({ columns: ['question', 'answer'], rows: [{ question: 'q', answer: 'B' }] })
  expect(await compass('circular')).toMatchObject({
    rows: [
      { answer: '0--B--ABCD' },
      { answer: '0--A--BCDA', options: ['b', 'c', 'd', 'a'] },
      { answer: '0--D--CDAB' },
      { answer: '0--C--DABC' },
    ],
  })
})

test('ChemBench and LawBench read the file with their name', async () => {
  const row = JSON.stringify([{ question: 'q', A: '1', B: '2', C: '3', D: '4', answer: 'A', more: 1 }])
  const files = filesOf({ 'data/ChemBench4K/dev/x_benchmark.json': row, 'data/ChemBench4K/test/x_benchmark.json': row, 'l/1-1.json': row })
  const found = { input: 'q', A: '1', B: '2', C: '3', D: '4', target: 'A' }
  expect(await load('ChemBenchDataset', { path: 'opencompass/ChemBench4K', name: 'x' }, files)).toMatchObject({
    dev: { columns: Object.keys(found), rows: [found] },
    test: { rows: [found] },
  })
  expect(await load('LawBenchDataset', { path: 'l', index: '1-1' }, files)).toMatchObject({ rows: [{ question: 'q', more: 1 }] })
})

test('NEJM AI choices get new letters', async () => {
  const csv = 'Question,Choices,Answer,Subject\nq?,"A. one\n\nC.  two",B,\n'
  const found = { options: ['one', 'two'], question: 'q?\nA. one\nB. two', label: 'B', prompt_mode: 'zero-shot', start: 'A', end: 'B' }
  expect(await load('NejmaibenchDataset', { path: 'n.csv' }, filesOf({ 'n.csv': csv }))).toMatchObject({
    rows: [{ Subject: '', ...found }],
  })
  expect(await load('NejmaibenchDataset', { path: 'n.csv', prompt_mode: 'few-shot' }, filesOf({ 'n.csv': csv }))).toMatchObject({
    columns: ['Question', 'Choices', 'Answer', 'Subject'],
  })
})

test('QuALITY counts from 1, and 0 is the last choice, as in Python', async () => {
  const questions = [1, 0].map((gold_label) => ({ question: 'q', options: ['a', 'b', 'c', 'd'], gold_label, difficult: 0 }))
  expect(await load('QuALITYDataset', { path: 'q' }, filesOf({ q: json({ article: 't', questions }) }))).toMatchObject({
    rows: [{ article: 't', B: 'b', gold_label: 'A' }, { gold_label: 'D' }],
  })
})

test('common sense: letters of Social IQa, capitals of PIQA, examples of HellaSwag', async () => {
  const siqa = json({ context: 'c', answerA: 'a', answerB: 'b', answerC: 'c' })
  const piqa = json({ id: '1', goal: 'éat it', sol1: 'By X', sol2: 'y' }, { id: '2', goal: 'how?', sol1: 'by', sol2: 'Z' })
  const swag = json({ query: 'a: b: c', choices: ['1', '2', '3', '4'], gold: 2 })
  const files = filesOf({
    's/train.jsonl': siqa,
    's/train-labels.lst': '3\n',
    's/dev.jsonl': siqa,
    's/dev-labels.lst': '1',
    'p/train.jsonl': piqa,
    'p/train-labels.lst': '0\n1\n',
    'p/dev.jsonl': '',
    'p/dev-labels.lst': '',
    'data/hellaswag/hellaswag.jsonl': swag,
    'data/hellaswag/hellaswag_train_sampled25.jsonl': swag,
  })
  expect(await load('SiqaDatasetV3', { path: 's' }, files)).toMatchObject({
    train: { columns: ['context', 'A', 'B', 'C', 'answer'], rows: [{ answer: 'C' }] },
    validation: { rows: [{ answer: 'A' }] },
  })
  expect(await load('PIQADatasetV3', { path: 'p' }, files)).toMatchObject({
    train: {
      columns: ['goal', 'sol1', 'sol2', 'label'],
      rows: [
        { goal: 'Éat it', sol1: 'by X' },
        { goal: 'How?', sol1: 'By', sol2: 'Z' },
      ],
    },
  })
  const found = { ctx: 'b: c', A: '1', B: '2', C: '3', D: '4', label: 'C' }
  expect(await load('HellaswagDatasetwithICE', { path: 'opencompass/hellaswag_ice' }, files)).toMatchObject({
    train: { rows: [found] },
    val: { rows: [found] },
  })
})

test('AGIEval options that are no list of texts are bad data', async () => {
  const of = (options: unknown) =>
    load(
      'AGIEvalDataset_v2',
      { path: 'a', name: 'n', setting_name: 'zero-shot' },
      filesOf({ 'a/n.jsonl': json({ passage: '', question: 'q', options, label: 'A' }) }),
    )
  await expect(of(['(A)1', '(B)2'])).resolves.toMatchObject({ rows: [{ options: '(A)1\n(B)2' }] })
  await expect(of(7)).rejects.toMatchObject({ code: 'bad-data' })
  await expect(of([1])).rejects.toMatchObject({ code: 'bad-data' })
})
