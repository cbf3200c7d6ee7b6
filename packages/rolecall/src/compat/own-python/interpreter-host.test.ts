import { describe, expect, test } from 'vitest'
import { PyFloat } from '../../../../core/src/base/python/index.ts'
import { PythonFailure } from '../../python/host/python-host.ts'
import type { DataFiles } from '../../python/interpreter/package-program.ts'
import { InterpreterHost } from './interpreter-host.ts'

/** A small part of a checkout, written for these tests. */
const checkout = {
  'opencompass/registry.py': `
from mmengine.registry import Registry as OriginalRegistry
class Registry(OriginalRegistry):
    def register_module(self, name=None, force=True, module=None):
        return super().register_module(name, force, module)
ICL_EVALUATORS = Registry('icl_evaluators')
TEXT_POSTPROCESSORS = Registry('text_postprocessors')
LOAD_DATASET = Registry('load_dataset')
`,
  'opencompass/evaluators/__init__.py': 'from .base import *\nfrom .missing_dependency import *\n',
  'opencompass/evaluators/base.py': `
class BaseEvaluator:
    def __init__(self, weight=1):
        self.weight = weight
    def score(self, predictions, references):
        right = [p == r for p, r in zip(predictions, references)]
        return {'accuracy': self.weight * 100 * sum(right) / len(right), 'details': [{'correct': each} for each in right]}
`,
  'opencompass/evaluators/missing_dependency.py': 'import torch\nMODEL = torch.nn.Linear(2, 2)\n',
}

const noFiles: DataFiles = { bytes: () => undefined, names: () => undefined, kind: () => undefined }

function hostOf(files: Record<string, string>, data: DataFiles = noFiles): InterpreterHost {
  const all: Record<string, string> = { ...checkout, ...files }
  return new InterpreterHost({ read: (path) => all[path], codeFiles: () => Object.keys(all), data })
}

function failureOf(work: () => unknown): PythonFailure {
  try {
    work()
  } catch (error) {
    if (error instanceof PythonFailure) return error
    throw error
  }
  throw new Error('nothing failed')
}

const scored = (host: InterpreterHost, name: string, predictions: string[] = ['a', 'b'], settings = {}) =>
  host.load({ kind: 'evaluator', name }).call({ settings, predictions, references: ['a', 'c'] })

const called = (source: string, args: readonly (string | number)[] = []) =>
  hostOf({ 'own.py': source }).load({ kind: 'function', name: 'own.py:run' }).call({ args })

describe('own classes', () => {
  const mine = `
from opencompass.evaluators import BaseEvaluator
from opencompass.registry import ICL_EVALUATORS, TEXT_POSTPROCESSORS
@ICL_EVALUATORS.register_module()
class Mine(BaseEvaluator):
    def __init__(self, bonus=0, **kwargs):
        super().__init__(**kwargs)
        self.bonus = bonus
    def score(self, predictions, references):
        result = super().score(predictions, references)
        result['with_bonus'] = result['accuracy'] + self.bonus
        return result
@TEXT_POSTPROCESSORS.register_module('my_post')
def read_first(text, upper=False):
    return text.strip()[:1].upper() if upper else text.strip()[:1]
`

  test("a subclass calls the checkout's own base, by dotted path and by registered name", () => {
    const host = hostOf({ 'mine.py': mine })
    const expected = new Map<string, unknown>([
      ['accuracy', 100],
      ['details', [new Map([['correct', true]]), new Map([['correct', false]])]],
      ['with_bonus', 107],
    ])
    for (const name of ['mine.Mine', 'Mine', 'mine.py:Mine'])
      expect(JSON.stringify(scored(host, name, undefined, { bonus: 7, weight: 2 }), plain)).toBe(JSON.stringify(expected, plain))
    expect(host.load({ kind: 'postprocessor', name: 'my_post' }).call({ text: ' ok', settings: { upper: true } })).toBe('O')
  })

  test('a name that nothing defines is missing; code that raises is told with its place', () => {
    const host = hostOf({ 'mine.py': mine, 'bad.py': 'def run(text):\n    return text[9]\n' })
    expect(failureOf(() => host.load({ kind: 'evaluator', name: 'Nobody' })).reason).toBe('missing')
    const raised = failureOf(() => host.load({ kind: 'postprocessor', name: 'bad.py:run' }).call({ text: 'a', settings: {} }))
    expect([raised.reason, raised.exception, raised.where.replace(/:\d+$/, '')]).toEqual(['raised', 'IndexError', 'bad.py:2'])
  })

  test('a dataset class reads only the data that it is given', () => {
    const source = `
import csv, os.path as osp
from datasets import Dataset, DatasetDict
from opencompass.registry import LOAD_DATASET
@LOAD_DATASET.register_module()
class Rows:
    @staticmethod
    def load(path):
        with open(osp.join(path, 'a.csv')) as f:
            rows = [{'q': q, 'n': int(n)} for q, n in csv.reader(f)]
        return DatasetDict({'test': Dataset.from_list(rows)})
`
    const data: DataFiles = {
      ...noFiles,
      bytes: (path) => (path === 'data/a.csv' ? new TextEncoder().encode('"x, y",3\nz,4\n') : undefined),
    }
    const rows = hostOf({ 'rows.py': source }, data).load({ kind: 'dataset', name: 'Rows' })
    expect(JSON.stringify(rows.call({ settings: { path: 'data' } }), plain)).toBe('{"test":[{"q":"x, y","n":3},{"q":"z","n":4}]}')
    const failure = failureOf(() => rows.call({ settings: { path: '/etc' } }))
    expect([failure.reason, failure.exception]).toEqual(['raised', 'FileNotFoundError'])
  })
})

test('code is not run as if a package were missing: where it is used, the host refuses', () => {
  const failure = failureOf(() =>
    called(
      'try:\n    import networkx as nx\nexcept ImportError:\n    nx = None\ndef run():\n    if nx is None:\n        return 0\n    return nx.Graph()\n',
    ),
  )
  expect([failure.reason, failure.where]).toEqual(['unsupported', 'own.py:8:15'])
  expect(failure.message).toContain('networkx.Graph')
  expect(failure.fix).toContain('--with-python')
})

test('generators give their items, and raise where they stop', () => {
  const source = `
def rows(n):
    for i in range(n):
        yield i * i
    yield from 'ab'
    raise ValueError('end')
def run(n):
    seen = []
    try:
        for item in rows(n):
            seen.append(item)
    except ValueError as e:
        seen.append(str(e))
    return seen
`
  expect(called(source, [3])).toEqual([0, 1, 4, 'a', 'b', 'end'])
})

test('exceptions are re-raised, and caught by the classes of the code itself', () => {
  const source = `
class Base(Exception):
    pass
class Special(Base):
    pass
def run():
    seen = []
    try:
        try:
            raise Special('one')
        except Base as e:
            seen.append(type(e).__name__)
            raise
    except Special as again:
        seen.append(f'{again}')
    try:
        raise KeyError('k')
    except (IndexError, Base):
        seen.append('wrong')
    except LookupError as e:
        seen.append(isinstance(e, KeyError))
    return seen
`
  expect(called(source)).toEqual(['Special', 'one', true])
})

test('a few of many permutations are fine', () => {
  expect(
    called('import itertools\ndef run():\n    return [list(p) for p in itertools.islice(itertools.permutations(range(30), 2), 2)]\n'),
  ).toEqual([
    [0, 1],
    [0, 2],
  ])
})

/** For JSON: dicts as objects, floats as numbers. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof PyFloat) return value.value
  return value instanceof Map ? Object.fromEntries(value) : value
}
