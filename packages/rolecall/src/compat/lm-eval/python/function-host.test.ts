import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../../core/src/base/errors/prompt-error.ts'
import { pyRepr } from '../../../../../core/src/base/python/index.ts'
import { repr } from '../../../../../core/src/base/python/values/repr.ts'
import { plainText } from '../../../../../core/src/base/python/values/text.ts'
import type { Value } from '../../../../../core/src/base/python/values/value.ts'
import { readTask } from '../task/task-config.ts'
import { docsOfTask } from '../task/task-docs.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionHost } from './function-host.ts'

function run(
  source: string,
  name: string,
  args: readonly Value[],
  kwargs?: ReadonlyMap<string, Value>,
  files: Record<string, string> = {},
): string {
  const find = functionHost((path) => ({ 'tasks/owls/utils.py': source, ...files })[path])
  return plainText(repr(find(new FunctionMark(`utils.${name}`, 'tasks/owls/t.yaml')).call(args, kwargs)))
}

function thrownBy(work: () => unknown): PromptError {
  try {
    work()
  } catch (error) {
    if (error instanceof PromptError) return error
  }
  throw new Error('no PromptError was thrown')
}

function process(source: string, rows: Record<string, unknown>[]): string {
  const config = readTask(
    new Map<string, Value>([
      ['test_split', 'test'],
      ['process_docs', new FunctionMark('utils.process_docs', 't.yaml')],
    ]),
    't.yaml',
  )
  const { docs } = docsOfTask(
    config,
    () => rows as never,
    functionHost((path) => (path === 'utils.py' ? source : undefined)),
  )
  return pyRepr(docs as never)
}

describe('process_docs', () => {
  test('maps, filters and selects rows, and adds columns', () => {
    const source = `
import datasets
import re

def clean(text: str) -> str:
    text = text.strip()
    text = re.sub(r"\\[.*?\\]", "", text)
    return text.replace("  ", " ")

def process_docs(dataset: datasets.Dataset) -> datasets.Dataset:
    def _process_doc(doc):
        return {"query": clean(doc["q"] + ": " + doc["a"].capitalize()), "choices": [clean(c) for c in doc["opts"]], "gold": int(doc["label"])}
    return dataset.filter(lambda doc: doc["label"] != "").map(_process_doc).select(range(1))
`
    const rows = [
      { q: 'Who [note]', a: 'ida', opts: [' x ', 'y'], label: '1' },
      { q: 'z', a: 'b', opts: ['u'], label: '' },
    ]
    expect(process(source, rows)).toBe(
      "[{'q': 'Who [note]', 'a': 'ida', 'opts': [' x ', 'y'], 'label': '1', 'query': 'Who : Ida', 'choices': ['x', 'y'], 'gold': 1}]",
    )
  })

  test('a column has one type, as in Arrow', () => {
    const source = 'def process_docs(d):\n    return d.map(lambda doc: {"x": doc["n"] / 2 if doc["n"] > 1 else doc["n"], "t": (1, 2)})'
    expect(process(source, [{ n: 1 }, { n: 3 }])).toBe("[{'n': 1, 'x': 1.0, 't': [1, 2]}, {'n': 3, 'x': 1.5, 't': [1, 2]}]")
  })

  test('what map changes in a row stays changed, and what it pops is gone, whatever the function returns', () => {
    const source = `
def process_docs(d):
    def change(doc):
        doc.pop("b")
        doc["a"] += 1
        return RETURNED
    return d.map(change)
`
    const of = (returned: string) => process(source.replace('RETURNED', returned), [{ a: 1, b: 2, c: 3 }])
    expect(of('doc')).toBe("[{'a': 2, 'c': 3}]")
    expect(of('{"d": 4, "c": 5}')).toBe("[{'a': 2, 'c': 5, 'd': 4}]")
    expect(of('None')).toBe("[{'a': 1, 'b': 2, 'c': 3}]")
  })

  test('functions created at import time are found, and can read the name of their folder', () => {
    const source = `
from functools import partial
import os
LANG = os.path.basename(os.path.dirname(__file__))
def text(doc, lang):
    return f"{lang}: {doc['q']} ({LANG})"
globals().update({f"text_{code}": partial(text, lang=code) for code in ["de", "fr"]})
`
    expect(run(source, 'text_fr', [{ q: 'Qui?' } as Value])).toBe("'fr: Qui? (owls)'")
  })
})

describe('functions', () => {
  test('use patterns, matches and exceptions', () => {
    const source = `
import re
NUMBER = re.compile(r"(?P<sign>-?)(\\d+)")
def read(text):
    m = NUMBER.search(text)
    if m is None:
        return None
    try:
        return int(m.group("sign") + m.group(2)) // int(text[0])
    except ValueError:
        return m.span()
    except ZeroDivisionError as e:
        return str(e) != ""
def swap(text):
    return re.sub(r"(\\w+) (\\w+)", lambda m: m.group(2) + " " + m.group(1), text, flags=re.I)
def check(x):
    if x < 0:
        raise ValueError(f"bad {x}")
    return x
`
    expect(run(source, 'read', ['8 owls'])).toBe('1')
    expect(run(source, 'read', ['a -7'])).toBe('(2, 4)')
    expect(run(source, 'read', ['0'])).toBe('True')
    expect(run(source, 'read', ['none'])).toBe('None')
    expect(run(source, 'swap', ['a b'])).toBe("'b a'")
    expect(() => run(source, 'check', [-1])).toThrow('utils.check fails as in Python (ValueError: bad -1)')
  })

  test('count, measure and draw', () => {
    const source = `
import random
import numpy as np
from collections import Counter
from sklearn.metrics import f1_score
from lm_eval.utils import weighted_f1_score
def overlap(a, b):
    common = Counter(a.split()) & Counter(b.split())
    return sum(common.values()), Counter(b.split()).most_common(1)
def process_results(doc, results):
    lls, greedy = zip(*results)
    lengths = np.array([float(len(c)) for c in doc["choices"]])
    return {"acc": 1.0 if np.argmax(lls) == doc["gold"] else 0.0, "acc_norm": int(np.argmax(np.array(lls) / lengths) == doc["gold"])}
def macro(items):
    golds, preds = zip(*items)
    return f1_score(golds, preds, average="macro")
def weighted(items):
    return weighted_f1_score(items)
def one(items):
    golds, preds = [np.array(x) for x in zip(*items)]
    return f1_score(y_true=golds == 2, y_pred=preds == 2)
def drawn():
    rng = random.Random(42)
    items = list(range(6))
    rng.shuffle(items)
    return items, rng.sample(items, 2), random.random()
`
    expect(run(source, 'overlap', ['a b b', 'b b b c'])).toBe("(2, [('b', 3)])")
    const results: Value = [
      [-2, true],
      [-3, false],
    ]
    expect(run(source, 'process_results', [{ choices: ['a', 'bbbb'], gold: 1 } as Value, results])).toBe("{'acc': 0.0, 'acc_norm': 1}")
    const items: Value = [
      [0, 0],
      [1, 1],
      [2, 1],
      [2, 2],
    ]
    expect(run(source, 'macro', [items])).toMatch(/^0\.7777/)
    expect(run(source, 'weighted', [items])).toBe('0.75')
    expect(run(source, 'one', [items])).toMatch(/^0\.6666/)
    // python3 -c "import random; r = random.Random(42); x = list(range(6)); r.shuffle(x); random.seed(0); print((x, r.sample(x, 2), random.random()))"
    expect(run(source, 'drawn', [])).toBe('([3, 1, 2, 4, 0, 5], [1, 5], 0.8444218515250481)')
  })

  test('count bytes, and words as SQuAD does', () => {
    const source = `
import transformers.data.metrics.squad_metrics as squad_metrics
def sizes(text):
    data = text.encode("utf-8")
    return [len(data), data.decode(), [b for b in data][:2], text.encode().hex()[:4]]
def f1(gold, reply):
    return [squad_metrics.compute_exact(gold, reply), squad_metrics.compute_f1(gold, reply)]
`
    expect(run(source, 'sizes', ['añ'])).toBe("[3, 'añ', [97, 195], '61c3']")
    expect(run(source, 'f1', ['The Owl, of night.', 'an owl of  night'])).toBe('[1, 1.0]')
    expect(run(source, 'f1', ['a grey owl', 'the owl owl flies'])).toBe('[0, 0.4]')
    expect(run(source, 'f1', ['the', 'owl'])).toBe('[0, 0]')
    expect(() => run('def f(t):\n    return t.encode("utf-16")', 'f', ['x'])).toThrow('the encoding "utf-16" is not understood')
  })

  test('repair text that was read with the wrong encoding', () => {
    const source = `
def repaired(text):
    return text.encode("latin-1").decode("utf-8")
def broken(text):
    return text.encode().decode("iso-8859-1")
def plain(text):
    return text.encode().decode("ascii")
`
    expect(run(source, 'broken', ['añ'])).toBe("'aÃ±'")
    expect(run(source, 'repaired', ['aÃ±'])).toBe("'añ'")
    expect(() => run(source, 'repaired', ['a日'])).toThrow("UnicodeEncodeError: 'latin-1' codec can't encode characters")
    expect(() => run(source, 'repaired', ['ñ'])).toThrow('UnicodeDecodeError')
    expect(() => run(source, 'plain', ['ñ'])).toThrow("UnicodeDecodeError: 'ascii' codec can't decode bytes")
  })

  test('take the best score over several right answers as it is, an int if the metric gives one', () => {
    const source = `
import transformers.data.metrics.squad_metrics as squad_metrics
from lm_eval.api.metrics import metric_max_over_ground_truths
def best(reply, golds):
    return [metric_max_over_ground_truths(run, reply, golds) for run in (squad_metrics.compute_exact, squad_metrics.compute_f1)]
`
    expect(run(source, 'best', ['owl', ['a cat', 'an owl']])).toBe('[1, 1.0]')
    expect(run(source, 'best', ['owl', ['a cat', 'dogs']])).toBe('[0, 0]')
    expect(() => run(source, 'best', ['owl', []])).toThrow('max() arg is an empty sequence')
  })

  test('can use files of other tasks', () => {
    const files = { 'mills/utils.py': 'def f(x):\n    return x + 1', 'tasks/owls/more.py': 'def h(x):\n    return x' }
    const source = 'from lm_eval.tasks.mills.utils import f\nfrom .more import h\ndef g(x):\n    return h(f(x))'
    expect(run(source, 'g', [1], undefined, files)).toBe('2')
  })

  test('are not affected by other code in their file', () => {
    const source = `
import nltk
import numpy as np
from functools import partial
nltk.download("punkt")
MODEL = nltk.load("x") + 1
try:
    import sympy
except ModuleNotFoundError:
    raise Exception("sympy is needed")
class Timeout:
    def __enter__(self):
        pass
def mass(doc, results):
    lls, greedy = zip(*results)
    split = list(doc["labels"]).index(0)
    good, bad = np.exp(np.array(lls[:split])), np.exp(np.array(lls[split:]))
    good = good / (sum(good) + sum(bad))
    return {"acc": sum(good)}
def pick(doc, key="a"):
    return doc[key]
pick_b = partial(pick, key="b")
def model(doc):
    return MODEL
`
    const results: Value = [
      [0, true],
      [0, false],
    ]
    expect(run(source, 'mass', [{ labels: [1, 0] } as Value, results])).toBe("{'acc': 0.5}")
    expect(run(source, 'pick_b', [{ a: 1, b: 2 } as Value])).toBe('2')
    expect(() => run(source, 'model', [{} as Value])).toThrow('utils.model is not supported')
  })

  test('are refused by name if they contain something unsupported', () => {
    const refused =
      (source: string, name = 'f') =>
      () =>
        run(source, name, ['x'])
    expect(refused('import sympy\ndef f(x):\n    return sympy.simplify(x)')).toThrow(
      /the function utils\.f is not supported: .*sympy\.simplify/,
    )
    expect(refused('import sympy\ndef f(x):\n    try:\n        return sympy.simplify(x)\n    except Exception:\n        return 1')).toThrow(
      'sympy',
    )
    expect(refused('import sympy\ndef f(x):\n    return 1 if sympy.simplify(x) is None else 2')).toThrow('sympy')
    expect(refused('import sympy\ndef f(x):\n    return isinstance(x, sympy.Expr)')).toThrow('isinstance')
    expect(refused('import os\ndef f(x):\n    os.system(x)\n    return x')).toThrow('os.system')
    expect(refused('def f(x):\n    try:\n        return (1).nothing()\n    except AttributeError:\n        return 1')).toThrow(
      '"nothing" of a int',
    )
    expect(refused('def g(x):\n    return x')).toThrow('there is no function utils.f')
    expect(refused('class f:\n    pass')).toThrow('utils.f is not a function that can be read')
    expect(refused('def f(x):\n    while True:\n        x = x + "a"')).toThrow(/the function utils\.f was stopped: it (?:needs|makes) more/)
  })

  test('that do not terminate are stopped after seconds if they are called for each row', () => {
    const find = functionHost((path) => (path === 'utils.py' ? 'def f(doc):\n    while True:\n        pass' : undefined))
    const { callForRow } = find(new FunctionMark('utils.f', 't.yaml'))
    const error = thrownBy(() => callForRow([{} as Value]))
    expect(error).toMatchObject({
      code: 'function-limit',
      problem: 'the function utils.f was stopped: it needs more than 2,000,000 steps',
    })
    expect(error.where).toMatch(/^utils\.py:\d+:\d+$/)
    for (let row = 1; row < 3; row++) thrownBy(() => callForRow([{} as Value]))
    expect(thrownBy(() => callForRow([{} as Value])).problem).toBe(
      'the function utils.f was stopped for 3 rows before, and is not called again',
    )
  })

  test('are charged for a call that makes a huge list', () => {
    const source = 'import random\ndef f(doc):\n    return random.choices([1], k=10 ** 9)'
    const { callForRow } = functionHost((path) => (path === 'utils.py' ? source : undefined))(new FunctionMark('utils.f', 't.yaml'))
    const problem = 'the function utils.f was stopped: it needs more than 2,000,000 steps'
    expect(thrownBy(() => callForRow([{} as Value])).problem).toBe(problem)
  })

  test('may take more steps the more rows they are given at once', () => {
    const source = 'import random\ndef f(docs):\n    return random.choices([1], k=10 ** 9)'
    const { call } = functionHost((path) => (path === 'utils.py' ? source : undefined))(new FunctionMark('utils.f', 't.yaml'))
    const stopped = (rows: number) => thrownBy(() => call([Array.from({ length: rows }, () => 1)])).problem
    expect(stopped(0)).toBe('the function utils.f was stopped: it needs more than 20,000,000 steps')
    expect(stopped(1000)).toBe('the function utils.f was stopped: it needs more than 40,000,000 steps')
    expect(stopped(20_000)).toBe('the function utils.f was stopped: it needs more than 200,000,000 steps')
  })

  test('html.unescape reads names, with or without a semicolon, and numbers as Python does', () => {
    const unescaped = (text: string) => run(`import html\ndef f():\n    return html.unescape("${text}")`, 'f', [])
    expect(unescaped('&#65;&#xD800;&#x110000;&#0;&amp;')).toBe("'A\ufffd\ufffd\ufffd&'")
    // python3 -c 'import html; print(html.unescape("…"))'
    expect(unescaped('caf&eacute; &eacutetude &#150; &#x80;5 &#1;&ampquot; &notit; &ndash; &ndash R&D; &x;')).toBe(
      "'café étude – €5 &quot; ¬it; – &ndash R&D; &x;'",
    )
  })

  test('are found relative to the file that names them, in folders separated by dots or slashes', () => {
    const files: Record<string, string> = {
      'tasks/utils.py': 'def f():\n    return "above"',
      'tasks/owls/a/b.py': 'def f():\n    return "in a folder"',
      'tasks/owls/c.d.py': 'def f():\n    return "by its name"',
    }
    const find = functionHost((path) => files[path])
    const call = (path: string) => find(new FunctionMark(path, 'tasks/owls/t.yaml')).call([])
    expect(['../utils.f', 'a.b.f', 'c.d.f'].map((path) => call(path))).toEqual(['above', 'in a folder', 'by its name'])
    expect(() => call('../other.f')).toThrow('there is no function ../other.f. Write it into tasks/other.py, or correct its name.')
    for (const path of ['../../../etc', 'f', '', 'utils.']) {
      expect(() => call(path)).toThrow(`"!function ${path}" names no function. Write !function MODULE.NAME`)
    }
  })
})

test('arrays are indexed by masks and by arrays of numbers', () => {
  const source = `
import numpy as np

def f(values, labels):
    values = np.array(values)
    labels = np.array(labels)
    return [values[labels == 1].tolist(), values[[0, -1]].tolist()]

def g(values):
    return np.array(values)[np.array([True])].tolist()
`
  expect(
    run(source, 'f', [
      [5, 6, 7],
      [1, 0, 1],
    ]),
  ).toBe('[[5, 7], [5, 7]]')
  expect(thrownBy(() => run(source, 'g', [[1, 2]])).problem).toContain('boolean index did not match')
})

describe('classes', () => {
  const source = `
import re
import sys
import unicodedata
from lm_eval.filters.extraction import Filter, RegexFilter

class Marked(RegexFilter):
    marks = dict.fromkeys(
        i for i in range(sys.maxunicode) if unicodedata.category(chr(i)).startswith("P")
    )

    def __init__(self, regex_pattern="(\\\\w+)", group_select=0, fallback="[none]", upper=False):
        super().__init__(regex_pattern, group_select, fallback)
        self.upper = upper
        self.seen = 0
        self.nothing = None

    @staticmethod
    def shout(text):
        return text.upper() + "!"

    @property
    def last(self):
        return self.seen

    def clean(self, text):
        if self.nothing is None:
            self.seen += 1
        return text.translate(self.marks)

class Chosen(Marked):
    def apply(self, resps, docs):
        found = []
        for replies, doc in zip(resps, docs):
            found.append([self.shout(self.clean(one)) if self.upper else (self.clean(one), self.last, doc["q"]) for one in replies])
        return found if isinstance(self, Marked) and not isinstance(found, Filter) else None
`
  const filter = (name: string, options: Record<string, Value>, replies: Value) => {
    const find = functionHost((path) => (path === 'utils.py' ? source : undefined))
    const { callMethod } = find(new FunctionMark(`utils.${name}`, 't.yaml'))
    return plainText(repr(callMethod!(new Map(Object.entries(options)), 'apply', [[replies], [{ q: 'Q' }]])))
  }

  test('that are filters inherit, call their bases and keep attributes', () => {
    expect(filter('Chosen', {}, ['a.', '¿b?'])).toBe("[[('a', 1, 'Q'), ('b', 2, 'Q')]]")
    expect(filter('Chosen', { upper: true }, ['a.'])).toBe("[['A!']]")
    expect(filter('Marked', { group_select: -1 }, ['one two', '.'])).toBe("[['two', '[none]']]")
  })

  test('report what they lack, and bases that are not read', () => {
    expect(() => filter('Chosen', { lower: true }, ['a'])).toThrow("got an unexpected keyword argument 'lower'")
    const run = (text: string) => functionHost(() => text)(new FunctionMark('utils.f', 't.yaml')).call([])
    expect(() => run('import nltk\nclass A(nltk.Tree):\n    pass\ndef f():\n    return A().leaves()')).toThrow(
      'which inherits from a class that is not read here',
    )
    expect(() => run('class A:\n    pass\ndef f():\n    return A(1)')).toThrow('A() takes no arguments')
    expect(() => run('class A:\n    pass\ndef f():\n    return A().x')).toThrow("'A' object has no attribute 'x'")
  })

  test("look names up in Python's order, in time however they inherit", () => {
    const run = (text: string) => functionHost(() => text)(new FunctionMark('utils.f', 't.yaml')).call([])
    const say = (name: string) => `    def g(self):\n        return ["${name}"] + super().g()\n`
    const diamond = `class A:\n    x = 1\n    def g(self):\n        return ["A"]\nclass B(A):\n${say('B')}class C(A):\n    x = 2\n${say('C')}`
    expect(run(`${diamond}class D(B, C):\n${say('D')}def f():\n    return D().g() + [D().x, isinstance(D(), A)]`)).toEqual([
      'D',
      'B',
      'C',
      'A',
      2,
      true,
    ])
    expect(() => run(`${diamond}class D(A, B):\n    pass\ndef f():\n    return D()`)).toThrow('a call of "D"')
    const twice = (level: number) =>
      [`A${level}`, `B${level}`].map((name) => `class ${name}(A${level - 1}, B${level - 1}):\n    pass\n`).join('')
    const ladder = Array.from({ length: 40 }, (_, index) => twice(index + 1)).join('')
    expect(() => run(`class A0:\n    pass\nclass B0:\n    pass\n${ladder}def f():\n    return A40().x`)).toThrow("no attribute 'x'")
    const chain = Array.from({ length: 200 }, (_, index) => `class A${index + 1}(A${index}):\n    pass\n`).join('')
    expect(() => run(`class A0:\n    pass\n${chain}def f():\n    return A200()`)).toThrow('a class inherits from more than 100 others')
  })
})

test('functions of other tasks are found around the file, and lm_eval.utils stands in for a missing one', () => {
  const files: Record<string, string> = {
    'home/tasks/mills/shared.py': 'def f(x):\n    return x + 1',
    'home/tasks/owls/utils.py':
      'from lm_eval.tasks.mills import shared\nfrom lm_eval.tasks.mills.shared import f\ndef g(x):\n    return shared.f(f(x))',
  }
  const find = functionHost((path) => files[path])
  expect(find(new FunctionMark('utils.g', 'home/tasks/owls/t.yaml')).call([1])).toBe(3)
  expect(find(new FunctionMark('lm_eval.tasks.mills.shared.f', 'home/tasks/owls/t.yaml')).call([1])).toBe(2)
  expect(find(new FunctionMark('utils.weighted_f1_score', 'home/tasks/owls/t.yaml')).call([[[1, 1]]])).toEqual(expect.anything())
  expect(() => find(new FunctionMark('utils.lost', 'home/tasks/owls/t.yaml'))).toThrow('there is no function utils.lost')
})

test('arrays of two dimensions, the best assignment, and reductions without NaN', () => {
  const source = `
import numpy as np
from scipy.optimize import linear_sum_assignment
from lm_eval.utils import general_detokenize
def align(rows):
    scores = np.zeros([len(rows), len(rows[0])])
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            scores[i, j] = value
    found = np.zeros([max(len(rows), len(rows[0]))])
    for row, column in zip(*linear_sum_assignment(-scores)):
        found[row] = max(found[row], scores[row, column])
    return list(found), np.mean(found), scores.shape
def most(items):
    return np.nanmax(items), np.argmax([(-2.0, False), (-1.0, False)]), np.nanmean(items)
def joined(text):
    return general_detokenize(text)
def outside():
    return np.zeros([1, 2])[0, 2]
def last():
    scores = np.zeros([2, 2])
    scores[-1, -1] = 3
    return scores[1, 1], scores[-2, -2]
def assigned(cost):
    scores = np.zeros([2, 2])
    scores[0, 0] = cost
    scores[0, 1] = cost
    return linear_sum_assignment(scores)
`
  expect(
    run(source, 'align', [
      [
        [0.5, 1, 0],
        [1, 0.9, 0],
      ],
    ]),
  ).toBe('([1.0, 1.0, 0.0], 0.6666666666666666, (2, 3))')
  expect(run(source, 'align', [[[0.2], [0.7], [0.5]]])).toBe('([0.0, 0.7, 0.0], 0.2333333333333333, (3, 1))')
  expect(run(source, 'most', [[1.5, Number.NaN, 0.5]])).toBe('(1.5, 1, 1.0)')
  expect(run(source, 'joined', ['Owls do n\'t " fly " ( ever ) .'])).toBe("'Owls don\\'t\"fly\"(ever).'")
  expect(() => run(source, 'outside', [])).toThrow('index is out of bounds')
  expect(run(source, 'last', [])).toBe('(3.0, 0.0)')
  expect(() => run(source, 'assigned', [Number.NaN])).toThrow('matrix contains invalid numeric entries')
  expect(() => run(source, 'assigned', [Number.POSITIVE_INFINITY])).toThrow('cost matrix is infeasible')
})

test('a class with a decorator is not run', () => {
  const source = 'import attrs\n@attrs.define\nclass A:\n    x: int\ndef f():\n    return A(1).x'
  expect(() => run(source, 'f', [])).toThrow('the decorator of "A" is not understood')
})
