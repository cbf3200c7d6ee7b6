import { describe, expect, test } from 'vitest'
import { type PyValue, parseJson, pyRepr } from '../../../../../core/src/base/python/index.ts'
import { filesOf } from './files.ts'
import { load } from './index.ts'
import { csvFrame } from './read/csv-frame.ts'
import { dictOf } from './row-values.ts'
import { fromList } from './table.ts'

const rows = (...lines: string[]) => fromList(lines.map((line) => dictOf(parseJson(line))))
const shown = ({ rows: list }: { rows: readonly PyValue[] }) => pyRepr(list as PyValue[])

describe('rows as Arrow stores them', () => {
  test.each([
    ['the columns are those of the first row', ['{"a": 1}', '{"b": 2, "a": 3}'], "[{'a': 1}, {'a': 3}]"],
    ['ints beside floats become floats', ['{"a": 1}', '{"a": 2.5}'], "[{'a': 1.0}, {'a': 2.5}]"],
    ['dicts get all keys of their column', ['{"a": {}}', '{"a": {"x": 1}}'], "[{'a': {'x': None}}, {'a': {'x': 1}}]"],
    ['lists of dicts, too', ['{"a": [{"x": 1}, {"y": null}]}'], "[{'a': [{'x': 1, 'y': None}, {'x': None, 'y': None}]}]"],
  ])('%s', (_, lines, expected) => expect(shown(rows(...lines))).toBe(expected))

  test.each([
    ['text beside a number', ['{"a": "x"}', '{"a": 1}']],
    ['true beside a number', ['{"a": true}', '{"a": 1}']],
    ['a list of several types', ['{"a": ["x", 1]}']],
    ['half a character', ['{"a": "\\ud800"}']],
  ])('%s is an error', (_, lines) => expect(() => rows(...lines)).toThrow('column "a" has values of several types'))
})

test('pandas infers numbers, booleans and missing values of a CSV file', () => {
  const { rows: list } = csvFrame('id,v,flag,s,s\n01,1.5,True,a,NA\n2,,False,null,x\n', 'a.csv')
  expect(pyRepr(list)).toBe(
    "[{'id': 1, 'v': 1.5, 'flag': True, 's': 'a', 's.1': nan}, {'id': 2, 'v': nan, 'flag': False, 's': nan, 's.1': 'x'}]",
  )
})

test('load_dataset of JSON uses the columns of all rows, skips empty lines, and parses date columns', async () => {
  const files = filesOf({ 'a.jsonl': '\ufeff{"d": "2020-01-02T03:04:05Z", "e": "2020-01-02"}\n\n{"d": null, "e": "x", "f": 1}\n' })
  const loaded = await load('HFDataset', { path: 'json', data_files: 'a.jsonl', split: 'train' }, files)
  expect(loaded).toMatchObject({
    rows: [
      { d: '2020-01-02 03:04:05', e: '2020-01-02', f: null },
      { d: null, e: 'x', f: 1 },
    ],
  })
})

test('a hub folder is read by the header of its README, or by its file names', async () => {
  const files = filesOf({
    'hub/a/README.md': '---\nconfigs:\n- config_name: en\n  data_files:\n  - split: test\n    path: data/*.jsonl\n---\n',
    'hub/a/data/1.jsonl': '{"q": 1}\n',
    'hub/a/data/2.jsonl': '{"q": 2}\n',
    'hub/b/val.csv': 'q\n3\n',
  })
  expect(await load('HFDataset', { path: 'hub/a', name: 'en', split: 'test' }, files)).toMatchObject({ rows: [{ q: 1 }, { q: 2 }] })
  expect(await load('HFDataset', { path: 'hub/b' }, files)).toMatchObject({ validation: { rows: [{ q: 3 }] } })
})
