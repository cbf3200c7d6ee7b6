import { expect, test } from 'vitest'
import { asRead, filesOf, load } from './index.ts'

const gsm8k = filesOf({
  'data/gsm8k/train.jsonl': '{"question": "1+1", "answer": "2"}\n',
  'data/gsm8k/test.jsonl': '{"question": "2+2", "answer": "4", "later": 1}\r\n{"question": "3+3"}\r\n',
})

test('an id in the table is read from its folder, with the columns of the first row', async () => {
  expect(await load('GSM8KDataset', { path: 'opencompass/gsm8k' }, gsm8k)).toMatchObject({
    test: {
      columns: ['question', 'answer', 'later'],
      rows: [
        { question: '2+2', answer: '4', later: 1 },
        { question: '3+3', answer: null, later: null },
      ],
    },
  })
})

test('a class is found under its full name', async () => {
  expect(await load('opencompass.datasets.GSM8KDataset', { path: './data/gsm8k' }, gsm8k)).toHaveProperty('train')
})

test('a class is found under its spelling in earlier releases of OpenCompass', async () => {
  const files = filesOf({ 'h.jsonl': '{"query": "a: b", "choices": ["1", "2", "3", "4"], "gold": 1}' })
  expect(await load('opencompass.datasets.hellaswagDataset_V2', { path: 'h.jsonl' }, files)).toMatchObject({
    rows: [{ ctx: 'b', label: 'B' }],
  })
  await expect(load('constructor', {}, files)).rejects.toThrow('"constructor" is not known')
})

test('COMPASS_DATA_CACHE is prepended to the path', async () => {
  const files = filesOf(
    { 'cache/data/gsm8k/train.jsonl': '{"a": 1}\n', 'cache/data/gsm8k/test.jsonl': '' },
    { COMPASS_DATA_CACHE: 'cache' },
  )
  expect(await load('GSM8KDataset', { path: 'opencompass/gsm8k' }, files)).toMatchObject({ train: { rows: [{ a: 1 }] } })
})

test('a missing folder: the error names the loader, the folder and its expected content', async () => {
  await expect(load('GSM8KDataset', { path: 'opencompass/gsm8k' }, filesOf({}))).rejects.toThrow(
    /GSM8KDataset › \.\/data\/gsm8k\/: nothing lies at .*gsm8k\.zip.*reads a folder with train\.jsonl, test\.jsonl/s,
  )
})

test('a bad line is reported with its file', async () => {
  const files = filesOf({ 'data/gsm8k/train.jsonl': '{"a": 1}\n\n', 'data/gsm8k/test.jsonl': '' })
  await expect(load('GSM8KDataset', { path: './data/gsm8k' }, files)).rejects.toThrow('./data/gsm8k/train.jsonl:2: there is no JSON here')
})

test('an unknown class is rejected by name, with instructions for providing rows', async () => {
  await expect(load('GSM9KDataset', { path: 'x' }, filesOf({}))).rejects.toThrow(/"GSM9KDataset" is not known.*rows.*GSM8KDataset/s)
})

test('a setting that a loader does not accept is an error', async () => {
  await expect(load('GSM8KDataset', { path: './data/gsm8k', pathh: 'x' }, gsm8k)).rejects.toThrow('does not take "pathh" (it takes: path)')
})

test('rows get their subdivision and number before slicing', async () => {
  const loaded = await load('GSM8KDataset', { path: './data/gsm8k' }, gsm8k)
  const { test: asked } = asRead(loaded, { abbr: 'gsm8k', reader_cfg: { test_range: '[1:]' } })
  expect(asked).toMatchObject([{ question: '3+3', subdivision: 'gsm8k_test', idx: 1 }])
  expect(() => asRead(loaded, { abbr: 'g', reader_cfg: { test_split: 'dev' } })).toThrow('g › reader_cfg.test_split')
})

test.for(['{}', '0.0', '[]', 'null', 'false'])('a target that is false in Python is replaced by the constraints: %s', async (target) => {
  const files = filesOf({ 'data/m/a.jsonl': `{"uid": 1, "question": "q", "target": ${target}, "constraints": "c"}\n` })
  const loaded = await load('MoleculariqDataset', { path: 'data/m', name: 'a' }, files)
  expect(loaded).toMatchObject({ rows: [{ id: 1, prompt: 'q', ground_truth: 'c' }] })
})
