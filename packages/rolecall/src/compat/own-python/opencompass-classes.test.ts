import { describe, expect, test } from 'vitest'
import { PythonFailure } from '../../python/host/python-host.ts'
import type { DataFiles } from '../../python/interpreter/package-program.ts'
import { normalPath } from '../opencompass/loaders/files.ts'
import { InterpreterHost, type InterpreterSources } from './interpreter-host.ts'
import { loadDataset } from './requested-rows.ts'

const registry = `
from mmengine.registry import Registry
ICL_EVALUATORS = Registry('icl_evaluators')
DICT_POSTPROCESSORS = Registry('dict_postprocessors')
`

/** Files that are code and data at once. */
function hostOf(files: Record<string, string>, sources: Partial<InterpreterSources> = {}): InterpreterHost {
  const all: Record<string, string> = { 'opencompass/registry.py': registry, ...files }
  const read = (path: string) => all[normalPath(path)]
  const data: DataFiles = {
    bytes: (path) => (read(path) === undefined ? undefined : new TextEncoder().encode(read(path))),
    names: () => undefined,
    kind: (path) => (read(path) === undefined ? undefined : 'file'),
  }
  return new InterpreterHost({ read, codeFiles: () => Object.keys(all), data, ...sources })
}

const called = (source: string, files: Record<string, string> = {}) =>
  hostOf({ 'own.py': source, ...files })
    .load({ kind: 'function', name: 'own.py:run' })
    .call({ args: [] })

const rowsOf = async (host: InterpreterHost, name: string, settings = {}) => host.load({ kind: 'dataset', name }).call({ settings })

async function failureOf(work: () => Promise<unknown>): Promise<PythonFailure> {
  const error: unknown = await work().then(
    () => undefined,
    (thrown) => thrown,
  )
  if (error instanceof PythonFailure) return error
  throw error ?? new Error('nothing failed')
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Map ? Object.fromEntries(each) : each)))

describe('classes', () => {
  test('a metaclass makes the class, and its subclasses', () => {
    const source = `
class Circular(type):
    def __new__(cls, name, bases, names):
        made = super().__new__(cls, name, bases, names)
        def load(cls, times=2):
            return cls.inner.load() * times
        setattr(made, 'load', classmethod(load))
        return made
class Plain:
    @staticmethod
    def load():
        return [1]
class Twice(Plain, metaclass=Circular):
    inner = Plain
class Again(Twice):
    pass
def run():
    return [Twice.load(), Again.load(3), Twice().load()]
`
    expect(called(source)).toEqual([
      [1, 1],
      [1, 1, 1],
      [1, 1],
    ])
  })

  test('a metaclass that is not read is refused: it may change what the class computes', async () => {
    const source = 'from elsewhere import Meta\nclass A(metaclass=Meta):\n    pass\ndef run():\n    return A()\n'
    const { reason, message } = await failureOf(async () => called(source))
    expect(reason).toBe('unsupported')
    expect(message).toContain('this metaclass')
  })

  test('super(Class, self) skips a class, and __new__ decides which object is made', () => {
    const source = `
class A:
    def name(self): return 'a'
class B(A):
    def name(self): return 'b'
class C(B):
    def name(self): return super(B, self).name() + super().name()
class Single:
    made = None
    def __new__(cls, *args):
        if cls.made is None:
            cls.made = super().__new__(cls)
        return cls.made
    def __init__(self, value):
        self.value = value
def run():
    Single(1)
    return [C().name(), Single(2) is Single(3), Single(4).value]
`
    expect(called(source)).toEqual(['ab', true, 4])
  })
})

describe('dict_postprocessor', () => {
  const source = `
from opencompass.registry import DICT_POSTPROCESSORS
@DICT_POSTPROCESSORS.register_module('my_judge')
def my_judge(output, output_path, dataset, step=1):
    rows = dataset.reader.dataset['test']
    return {'score': sum(step for key, each in output.items() if each['prediction'] == rows[int(key)]['good'])}
`
  test('it gets all replies, its settings and the rows', () => {
    const object = hostOf({ 'judge.py': source }).load({ kind: 'dict_postprocessor', name: 'my_judge' })
    const given = new Map([
      ['0', { prediction: 'A' }],
      ['1', { prediction: 'B' }],
    ])
    expect(plain(object.call({ output: given, settings: { step: 50 }, rows: [{ good: 'A' }, { good: 'A' }] }))).toEqual({ score: 50 })
  })
})

describe('datasets', () => {
  const loader = (body: string) => ({
    'mine.py': `import pandas as pd\nfrom datasets import Dataset, load_dataset\nfrom opencompass.datasets.base import BaseDataset\nclass Mine(BaseDataset):\n${body}`,
  })

  test('a class with settings of its own gets them before it loads', async () => {
    const host = hostOf(
      loader(`
    def __init__(self, subset, **kwargs):
        self.subset = subset
        super().__init__(**kwargs)
    def load(self, path):
        return Dataset.from_list([{'q': path + self.subset}])
`),
    )
    expect(plain(await rowsOf(host, 'mine.Mine', { subset: 'x', path: 'p/' }))).toEqual([{ q: 'p/x' }])
  })

  test.each([
    ['train[:2]', [1, 2]],
    ['train[-1:]', [3]],
    ['train[1:99]', [2, 3]],
  ])('load_dataset gives a part of a split: %s', async (split, expected) => {
    const files = loader(
      `    @staticmethod\n    def load(split):\n        return load_dataset('json', data_files='a.jsonl', split=split)\n`,
    )
    const { Data } = await import('../opencompass/loaders/loader-data.ts')
    const { filesOf } = await import('../opencompass/loaders/files.ts')
    const data = new Data(filesOf({ 'a.jsonl': '{"n": 1}\n{"n": 2}\n{"n": 3}\n' }))
    const host = hostOf(files, { loadDataset: (request) => loadDataset(data, request) })
    expect(plain(await rowsOf(host, 'mine.Mine', { split }))).toEqual(expected.map((n) => ({ n })))
    expect((await failureOf(() => rowsOf(host, 'mine.Mine', { split: 'train[3:]' }))).message).toContain('no data')
    expect((await failureOf(() => rowsOf(host, 'mine.Mine', { split: 'train[50%:]' }))).reason).toBe('unsupported')
  })

  test('pandas.read_csv infers types, and rows are read by column', async () => {
    const host = hostOf({
      ...loader(`
    @staticmethod
    def load(path):
        frame = pd.read_csv(path)
        rows = [{'q': row['q'], 'n': row['n'] + 1, 'isna': pd.isna(row['x'])} for _, row in frame.iterrows()]
        assert list(frame.columns) == ['q', 'n', 'x'] and frame['n'].tolist() == [1, 2]
        return Dataset.from_list(rows + frame.fillna('')[['q']].to_dict('records')[:0])
`),
      'rows.csv': 'q,n,x\n"a, b",1,\nc,2,3.5\n',
    })
    expect(plain(await rowsOf(host, 'mine.Mine', { path: 'rows.csv' }))).toEqual([
      { q: 'a, b', n: 2, isna: true },
      { q: 'c', n: 3, isna: false },
    ])
  })

  test('missing data is named with its archive, and no fallback of the code hides it', async () => {
    const host = hostOf({
      ...loader(`
    @staticmethod
    def load(path):
        from opencompass.utils.fileio import download_and_extract_archive
        try:
            download_and_extract_archive(url='https://x/mmlu.zip', download_root='cache/data', md5='1')
        except Exception:
            return Dataset.from_list([{'q': 'made up'}])
        return Dataset.from_list([{'q': 'there'}])
`),
    })
    const { exception, message } = await failureOf(() => rowsOf(host, 'mine.Mine', { path: 'p' }))
    expect(exception).toBe('FileNotFoundError')
    expect(message).toContain('mmlu.zip')
  })
})

describe('details that decide scores', () => {
  test('numbers of numpy round as numpy does', () => {
    const source =
      'import numpy as np\ndef run():\n    mean = np.mean([3.33, 3.34])\n    return [round(mean, 2), round(float(mean), 2), round(mean * 1, 2), isinstance(mean, float)]'
    // As numpy 1.26 and 2 give it.
    expect(called(source)).toEqual([3.34, 3.33, 3.34, true])
  })

  test('flags of a group, the last group of a match, and a file read in parts', () => {
    const source = `
import re
def run():
    with open('a.txt') as file:
        parts = [file.read(2), file.read(100), file.read()]
    return [re.findall(r'(?i:answer) ([a-z])', 'ANSWER b Answer C'), re.search(r'(a)|(b)', 'b').lastindex, parts]
`
    expect(called(source, { 'a.txt': 'é😀cd' })).toEqual([['b'], 2, ['é😀', 'cd', '']])
  })

  test('a name that a file composes when it registers is found', () => {
    const source = `
from opencompass.registry import ICL_EVALUATORS
class Law:
    def __init__(self, index): self.index = index
    def score(self, predictions, references): return {'index': self.index}
for index in ['1-1', '1-2']:
    def _register(index):
        ICL_EVALUATORS.register_module(name='Law_' + index.replace('-', '_'), module=lambda **settings: Law(index=index, **settings))
    _register(index)
`
    const object = hostOf({ 'opencompass/law.py': source }).load({ kind: 'evaluator', name: 'Law_1_2' })
    expect(plain(object.call({ settings: {}, predictions: ['a'], references: ['a'] }))).toEqual({ index: '1-2' })
  })
})
