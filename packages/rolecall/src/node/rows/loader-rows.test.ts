import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { allRows, firstRows, openRows } from './open-rows.ts'

const question = (text: string) => `${JSON.stringify({ question: text, answer: `#### ${text}` })}\n`
const folder = folderWith({
  'data/gsm8k/train.jsonl': question('t0') + question('t1'),
  'data/gsm8k/test.jsonl': question('a') + question('b') + question('c'),
})
const gsm8k = { abbr: 'gsm8k', type: 'GSM8KDataset', path: 'opencompass/gsm8k' }

test('a known dataset class reads its folder, with split and number of each row', async () => {
  const { test: asked, train } = openRows(gsm8k, folder)
  expect(await allRows(asked)).toMatchObject([
    { question: 'a', subdivision: 'gsm8k_test', idx: 0 },
    { question: 'b', idx: 1 },
    { question: 'c', idx: 2 },
  ])
  expect(await allRows(train)).toMatchObject([{ question: 't0', subdivision: 'gsm8k_train' }, { question: 't1' }])
})

test('reader_cfg chooses splits and ranges; the test split "train" is cut to train_range', async () => {
  const ranged = openRows(
    { ...gsm8k, reader_cfg: { train_split: 'test', test_split: 'train', train_range: '[1:]', test_range: '[:1]' } },
    folder,
  )
  expect(await allRows(ranged.train)).toMatchObject([{ question: 'b' }, { question: 'c' }])
  expect(await allRows(ranged.test)).toMatchObject([{ question: 'b' }])
  expect(ranged.test.origin).toBe(ranged.train.origin)
})

test('rows without splits serve as both, with one origin', async () => {
  const one = folderWith({ 'rows.jsonl': question('x') })
  const { asked, examples } = await firstRows({ type: 'JsonlDataset', path: 'rows.jsonl' }, one)
  expect(asked).toMatchObject([{ question: 'x', subdivision: 'dataset', idx: 0 }])
  expect(examples).toBeUndefined()
})

test('the working folder takes precedence over that of the config', async () => {
  const other = folderWith({ 'data/gsm8k/train.jsonl': '', 'data/gsm8k/test.jsonl': question('config') })
  expect(await allRows(openRows(gsm8k, other).test)).toMatchObject([{ question: 'config' }])
  const { diskFiles } = await import('./loader-rows.ts')
  const text = await diskFiles(other, folder).bytes('data/gsm8k/test.jsonl')
  expect(new TextDecoder().decode(text)).toContain('"a"')
})

test('an unknown class is an error, even if its path is a file of rows', () => {
  expect(() => openRows({ abbr: 'x', type: 'MyDataset', path: 'rows.jsonl' }, folder)).toThrow(
    /x › type: the dataset class "MyDataset" is not known/,
  )
})

test('inline rows need no loader', async () => {
  expect(await allRows(openRows({ type: 'MyDataset', rows: [{ a: 1 }] }, folder).test)).toEqual([{ a: 1 }])
})

test('arguments of the class are passed on, keys for user files are errors', async () => {
  const mmlu = folderWith({ 'data/mmlu/dev/law_dev.csv': 'q,1,2,3,4,A\n', 'data/mmlu/test/law_test.csv': 'r,1,2,3,4,B\n' })
  const dataset = { type: 'MMLUDataset', path: 'opencompass/mmlu', name: 'law', reader_cfg: { train_split: 'dev' } }
  expect(await allRows(openRows(dataset, mmlu).test)).toMatchObject([{ input: 'r', target: 'B' }])
  expect(() => openRows({ ...dataset, row_format: 'choices' }, mmlu)).toThrow(
    'dataset › row_format: "row_format" applies to your own files',
  )
})
