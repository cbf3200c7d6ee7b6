import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../../core/src/base/errors/prompt-error.ts'
import { checkConfig } from '../../../evaluation/config/check-config.ts'
import { withChangedJudge } from '../../../evaluation/config/judge-of.ts'
import { type ImportedConfig, type ImportOptions, importConfig } from './import-config.ts'
import type { ImportedEntry } from './imported-entry.ts'

/** Imports a file given as text; further files may be given with it. */
function read(text: string, files: Record<string, string> = {}, options: Omit<ImportOptions, 'read'> = {}): ImportedConfig {
  const all: Record<string, string> = { 'config.py': text, ...files }
  return importConfig('config.py', { ...options, read: (path) => (Object.hasOwn(all, path) ? all[path] : undefined) })
}

/** The value of an expression. */
function evaluated(expression: string, before = ''): unknown {
  return read(`${before}\nmodels = [dict(value=${expression})]`).config.models[0]!.value
}

function errorOf(attempt: () => unknown): PromptError {
  try {
    attempt()
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const told = (text: string, files?: Record<string, string>) => errorOf(() => read(text, files)).message

describe('configs in the style of OpenCompass and AISBench give the same result as in Python', () => {
  const folder = new URL('fixtures/', import.meta.url)
  const text = readFileSync(new URL('expected.json', folder), 'utf8')
  // None is how Python omits an option.
  const given = (key: string, value: unknown) =>
    key === 'generation_kwargs' ? Object.fromEntries(Object.entries(value as object).filter(([, item]) => item !== null)) : value
  const expected = JSON.parse(text, given) as Record<string, ImportedConfig['config']>
  for (const [file, config] of Object.entries(expected)) {
    test(file, () => {
      const imported = importConfig(file, { read: (path) => readIfThere(new URL(path, folder)) })
      const { models, datasets } = imported.config
      const asJudged = (dataset: ImportedEntry) => withChangedJudge(dataset, asTold)
      expect({ models: models.map(asTold), datasets: datasets.map(asJudged) }).toEqual({
        ...config,
        models: config.models.map(asTold),
        datasets: config.datasets.map(asJudged),
      })
      expect(JSON.stringify(imported.config.datasets.map(Object.keys))).toBe(JSON.stringify(config.datasets.map(Object.keys)))
      checkConfig(imported.config, file, { foreignKeys: true })
    })
  }

  /** Models on a server become `type: 'openai'`, which is tested separately; their templates stay as in Python. */
  function asTold(model: ImportedEntry): ImportedEntry {
    const { abbr, meta_template, type } = model
    return /openai|VLLMCustomAPI/i.test(String(type)) ? { abbr, meta_template } : model
  }

  function readIfThere(url: URL): string | undefined {
    try {
      return readFileSync(fileURLToPath(url), 'utf8')
    } catch {
      return undefined
    }
  }
})

describe('expressions', () => {
  // Each line is an expression and its value in Python 3.11.
  const expressions: [string, unknown][] = [
    [`'a' "b" r'\\n' """c\n"d\\""""`, 'ab\\nc\n"d"'],
    [`f'{1 + 1:>4}|{"x"!r}|{3.14159:.2f}|{1000000:,}|{{}}|{"a" if 1 else "b"}|{[1, "z"]}'`, "   2|'x'|3.14|1,000,000|{}|a|[1, 'z']"],
    [`f'{{"key": "{"v"}"}}' + rf'\\d{1}'`, '{"key": "v"}\\d1'],
    [`f'{5=} {"a":{"^"}{5}}|'`, "5=5 '  a  |".replace("'", '')],
    [`'\\u4f60\\x41\\101' if False else '\\t\\\\\\''`, "\t\\'"],
    ['[1, *[2, 3], *(4,)]', [1, 2, 3, 4]],
    [`{**{'a': 1}, 'b': 2, **dict(a=3)}`, { a: 3, b: 2 }],
    [`dict([('a', 1)], b=2)`, { a: 1, b: 2 }],
    ['[x * y for x in range(3) for y in (1, 10) if x]', [1, 10, 2, 20]],
    [`{k: v for k, v in zip('ab', [1, 2])}`, { a: 1, b: 2 }],
    ['sorted({3, 1, 2, 1})', [1, 2, 3]],
    [
      `list({'b': 1, 'a': 2}.items())`,
      [
        ['b', 1],
        ['a', 2],
      ],
    ],
    ['7 // 2, -7 // 2, -7 % 3, 2 ** 10, 2 ** -1, 7 / 2', [3, -4, 2, 1024, 0.5, 3.5]],
    ['0x1F, 0b11, 0o17, 1_000, 1e3, .5, 12345678901234567890 > 1', [31, 3, 15, 1000, 1000, 0.5, true]],
    ['1 < 2 < 3, 1 == 1.0, "a" in "abc", 4 not in [1, 2], None is None', [true, true, true, true, true]],
    ['not 0 or 5, 0 and x, "" or "y"', [true, 0, 'y']],
    ['[1, 2, 3, 4][::-1], "hello"[1:-1], (1, 2, 3)[-2:]', [[4, 3, 2, 1], 'ell', [2, 3]]],
    ['(lambda a, b=2, *c, d=4, **e: [a, b, c, d, e])(1, 5, 6, f=7)', [1, 5, [6], 4, { f: 7 }]],
    [`'{a}-{0[1]}-{b:>3}'.format([1, 2], a='x', b=3)`, 'x-2-  3'],
    [`'%s=%05.1f %d%%' % ('a', 2.25, 7)`, 'a=002.2 7%'],
    [`', '.join(str(i) for i in [1, 2.0, None, True])`, '1, 2.0, None, True'],
    [`'a_b'.replace('_', ' ').title().split(), 'x'.center(3, '*')`, [['A', 'B'], '*x*']],
    [`sum([[1], [2, 3]], []), sum([1, 2]), max(3, 9, 4), min([2, 1]), abs(-3)`, [[1, 2, 3], 3, 9, 1, 3]],
    [
      `list(enumerate('ab', start=1)), list(map(lambda x: x + 1, [1])), list(filter(None, [0, 1])), list(reversed([1, 2]))`,
      [
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [2],
        [1],
        [2, 1],
      ],
    ],
    [
      'any([0, 1]), all([]), len({1: 2}), bool([]), int("42"), int(3.9), float("1.5"), round(2.675, 2), round(2.5)',
      [true, true, 1, false, 42, 3, 1.5, 2.67, 2],
    ],
    ['isinstance([], list), isinstance("a", (int, str)), isinstance(True, int), type(1) == int', [true, true, true, true]],
    ['{1, 2} & {2, 3} == {2}, {1} | {2} == {2, 1}, {1, 2} - {2} == {1}', [true, true, true]],
    ['(y := 5) + y', 10],
    ['"dev" if len("abc") > 2 else "test"', 'dev'],
    ['dict.fromkeys(["a", "b"], 0)', { a: 0, b: 0 }],
    ['str(dict(a=[1.0, "x"], b=(1,)))', "{'a': [1.0, 'x'], 'b': (1,)}"],
    [
      '[i for i in "ab" "cd"], [[]] * 2',
      [
        ['a', 'b', 'c', 'd'],
        [[], []],
      ],
    ],
    ['1 if True else 2 if False else 3', 1],
    ['-2 ** 2, ~5, 6 & 3, 1 << 4, +True', [-4, -6, 2, 16, 1]],
  ]
  for (const [expression, expected] of expressions) test(expression, () => expect(evaluated(`(${expression})`)).toEqual(expected))
})

describe('statements', () => {
  test('assignments to several names, items, attributes and slices', () => {
    const text = `a = b = [1, 2, 3]
(x, *y), z = 'abc', 5
b[0], b[1:2] = 9, [7, 8]
d = dict(k=dict(n=1))
d['k']['n'] += 2
d.extra = x
a += (4,)
d |= {'m': z}
del a[-1], d['k']['n']
models = [dict(a=a, x=x, y=y, d=d)]`
    expect(read(text).config.models).toEqual([{ a: [9, 7, 8, 3], x: 'a', y: ['b', 'c'], d: { k: {}, extra: 'a', m: 5 } }])
  })

  test('for, while, if, break, continue, else, try and functions', () => {
    const text = `
found = []
for i in range(10):
    if i % 2: continue
    elif i == 8: break
    found.append(i)
else:
    found.append('never')
n = 3
while n > 0:
    n -= 1
    if n == 1:
        pass
else:
    found.append('done')
try:
    found.append({}['missing'])
except KeyError as error:
    found.append('caught')
finally:
    found.append('last')
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)
def count():
    global total
    total = total + 1
total = 0
count(); count()
assert fact(5) == 120, 'no'
class Unused(Base[int], metaclass=Meta):
    x = 1
    def method(self): yield 1
models = [dict(found=found, fact=fact(6), total=total)]`
    expect(read(text).config.models).toEqual([{ found: [0, 2, 4, 6, 'done', 'caught', 'last'], fact: 720, total: 2 }])
  })

  test('names of the enclosing function and of the module', () => {
    const text = `
total = 0
def outer():
    count = 1
    def inner():
        nonlocal count
        global total
        count += 1
        total += count
        return [count for _ in range(2)]
    return inner() + [count]
`
    expect(evaluated('outer() + [total]', text)).toEqual([2, 2, 2, 2])
  })

  test('a list that grows during iteration is read to its new end', () => {
    expect(evaluated('a', 'a = [1]\nfor i in a:\n    if i < 3:\n        a.append(i + 1)')).toEqual([1, 2, 3])
  })

  test('shared dicts stay shared until they are copied', () => {
    const text =
      'from copy import deepcopy\nbase = dict(a=[1])\none = base\ntwo = deepcopy(base)\nthree = base.copy()\nbase["a"].append(2)\nbase["b"] = 3\n'
    expect(evaluated('[one, two, three]', text)).toEqual([{ a: [1, 2], b: 3 }, { a: [1] }, { a: [1, 2] }])
  })

  test('a call to something outside the config has no effect and is reported', () => {
    const { config, notes } = read("from tools import shorten\nmodels = [dict(abbr='m')]\nsetattr(models[0], 'n', 1)\nshorten(models)")
    expect(config.models).toEqual([{ abbr: 'm', n: 1 }])
    expect(notes).toEqual([{ code: 'not-run', where: 'config.py:4:1', text: 'this is not part of the config and was not run' }])
  })

  test('mmengine’s dicts expose keys as attributes and copy themselves', () => {
    expect(evaluated('[d.a.b, c.a.b, hasattr(d, "a"), hasattr(d, "z")]', 'd = dict(a=dict(b=1))\nc = d.deepcopy()\nc.a.b = 2')).toEqual([
      1,
      2,
      true,
      false,
    ])
  })
})

describe('slips in the documents are corrected and reported', () => {
  const notes = (text: string) => read(text).notes.map(({ code, where, text }) => `${code} ${where}: ${text}`)

  test('a missing comma between a string and the next key', () => {
    const text = "prompt_template=dict(\n    template='{question}'\n    ice_token='</E>',\n)"
    expect(read(text).config.datasets[0]!.infer_cfg).toEqual({ prompt_template: { template: '{question}', ice_token: '</E>' } })
    expect(notes(text)).toEqual(['slip config.py:3:5: the comma that is missing before this is read as if it were there'])
  })

  test('a missing comma between two entries of a dict or list', () => {
    expect(evaluated("{'a': 'x'\n'b': 'y'}")).toEqual({ a: 'x', b: 'y' })
    expect(evaluated('[dict(a=1)\ndict(a=2)]')).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('implicitly concatenated strings over several lines stay one', () => {
    expect(evaluated("{'a': 'x'\n'y',\n'b' 'c': 1}")).toEqual({ a: 'xy', bc: 1 })
  })

  test('dict("A": …)', () => {
    expect(evaluated('dict("A": 1, "B": dict("C": 2))')).toEqual({ A: 1, B: { C: 2 } })
    const slip = (place: string) => `slip config.py:${place}: dict("key": value) is read as {"key": value}`
    expect(notes('x = dict("A": 1, "B": 2)')).toEqual([slip('1:13')])
    expect(notes('x = dict("A": 1)\ny = dict("A": 1)')).toEqual([slip('1:13'), slip('2:13')])
  })

  test('a class that is not imported becomes its name', () => {
    expect(evaluated('dict(type=PromptTemplate, also=module.Class)')).toEqual({ type: 'PromptTemplate', also: 'module.Class' })
  })

  test('"..." is omitted', () => {
    const { config, notes } = read("models = [dict(type='LLM', meta_template=..., list=[1, ...])]")
    expect(config.models).toEqual([{ type: 'LLM', list: [1] }])
    expect(notes.map(({ where }) => where)).toEqual(['config.py › models[0].meta_template', 'config.py › models[0].list[1]'])
  })

  test('an f-string with an undefined name stays as written', () => {
    expect(evaluated(`f'about {name.replace("_", " ")}.'`)).toBe('about {name.replace("_", " ")}.')
    expect(notes("x = f'{name}'")).toEqual(['unknown-name config.py:1:8: nothing gives "{name}" a value; it is left as it is written'])
  })

  test('a snippet indented as a whole, with rows named as in document 002', () => {
    const text = `
    infer_cfg = dict(ice_template=dict(type=PromptTemplate, template='{q}{a}'))
    ex1 = {'q': '1', 'a': '2'}
    ex2 = {'q': '3', 'a': '4'}`
    expect(read(text).config.datasets).toEqual([
      {
        abbr: 'dataset',
        infer_cfg: { ice_template: { type: 'PromptTemplate', template: '{q}{a}' } },
        rows: [{ q: '3', a: '4' }],
        train_rows: [{ q: '1', a: '2' }],
      },
    ])
  })
})

describe('models and datasets are found as OpenCompass finds them', () => {
  test('collects the lists whose names end in _datasets, each entry once', () => {
    const text =
      "a_datasets = [dict(abbr='a')]\nb_datasets = [dict(abbr='b')]\nall_datasets = a_datasets + b_datasets\nother = [dict(abbr='c')]"
    expect(read(text).config.datasets.map(({ abbr }) => abbr)).toEqual(['a', 'b'])
  })

  test('prefers datasets to *_datasets', () => {
    expect(read("a_datasets = [dict(abbr='a')]\ndatasets = [dict(abbr='b')]").config.datasets).toEqual([{ abbr: 'b' }])
  })

  test('duplicate names are made unique', () => {
    const { config, notes } = read("datasets = [dict(abbr='a'), dict(abbr='a')]")
    expect(config.datasets.map(({ abbr }) => abbr)).toEqual(['a', 'a-2'])
    expect(notes.map(({ code }) => code)).toEqual(['same-name'])
  })

  test('lists what OpenCompass reads and Rolecall does not', () => {
    expect(read("models = []\nwork_dir = f'out/{now()}'\nsummarizer = dict(type=S)\nhelper = 1").unused).toEqual(['work_dir', 'summarizer'])
  })

  test('combinations of models and datasets', () => {
    const text =
      "m = dict(abbr='m')\nmodel_dataset_combinations = [dict(models=[m], datasets=[dict(abbr='d')]), dict(models=[m], datasets=[])]"
    expect(read(text).unused).toEqual([])
    expect(read(text).config).toEqual({
      models: [{ abbr: 'm' }],
      datasets: [{ abbr: 'd' }],
      model_dataset_combinations: [
        { models: ['m'], datasets: ['d'] },
        { models: ['m'], datasets: [] },
      ],
    })
  })
})

describe('the report lists what runs, what is needed and what is missing', () => {
  test('postprocessors of judges by name, as a dict or as a function of a module', () => {
    const missingOf = (parse: string) =>
      read(`from opencompass.datasets import simpleqa_postprocess
datasets = [dict(abbr='d', path='a.jsonl', infer_cfg=dict(), eval_cfg=dict(evaluator=dict(type='LMEvaluator', dict_postprocessor=dict(type=${parse}))))]`)
        .datasets[0]!.missing
    expect(missingOf('simpleqa_postprocess')).toEqual([])
    expect(missingOf("'mtbench'")).toEqual([])
    expect(missingOf("'their_own'")).toEqual(['dict_postprocessor their_own'])
  })

  test('a dataset with a file of rows and known names runs unchanged', () => {
    const text = `datasets = [dict(abbr='d', path='rows.jsonl', infer_cfg=dict(
      prompt_template=dict(type=PromptTemplate, template='{q}'), retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)),
      eval_cfg=dict(evaluator=dict(type=AccEvaluator)))]
models = [dict(abbr='m', type='embedded')]`
    const { datasets, models } = read(text, {}, { modelTypes: ['embedded'] })
    expect(datasets).toMatchObject([{ abbr: 'd', needs: [], missing: [] }])
    expect(models).toEqual([{ abbr: 'm', needs: [], missing: [] }])
  })

  test('unknown names are kept and listed', () => {
    const text = `datasets = [dict(type=MyDataset, path='hub/name', infer_cfg=dict(prompt_template=dict(template=''), retriever=dict(type=MyRetriever),
      inferencer=dict(type=AgentInferencer)), eval_cfg=dict(evaluator=dict(type=MyEvaluator), pred_postprocessor=dict(type=mine)))]
models = [dict(type=VLLM)]`
    const { datasets, models } = read(text)
    expect(datasets[0]!.needs).toEqual([
      'a file with its rows as "path" (.jsonl, .json, .csv or .tsv) and no "type", in place of "hub/name" that MyDataset reads',
    ])
    expect(datasets[0]!.missing).toEqual([
      'loader MyDataset',
      'retriever MyRetriever',
      'inferencer AgentInferencer',
      'evaluator MyEvaluator',
      'pred_postprocessor mine',
    ])
    expect(models[0]!.missing).toEqual(['type VLLM'])
  })

  test('a known loader needs only its data, whose location is reported', () => {
    const text = `datasets = [dict(type=GSM8KDataset, path='opencompass/gsm8k', infer_cfg=dict(prompt_template=dict(template='')))]`
    expect(read(text).datasets[0]).toMatchObject({ needs: [], missing: [], data: './data/gsm8k/: a folder with train.jsonl, test.jsonl' })
  })

  test('the rows of an unknown loader are not those of its file', () => {
    const text = `datasets = [dict(type=MyDataset, path='rows.jsonl', infer_cfg=dict(prompt_template=dict(template='')))]`
    expect(read(text).datasets[0]).toMatchObject({ needs: [expect.stringContaining('no "type"')], missing: ['loader MyDataset'] })
  })
})

describe('errors report file, line, column, construct and a fix', () => {
  const messages: [string, string][] = [
    ['x = (1', 'config.py:1:5: the "(" is never closed. Add the ")".'],
    ['x = [1)', 'config.py:1:7: ")" closes the "[" of line 1. Write "]", or look for a missing bracket between the two.'],
    ["x = 'a", "config.py:1:5: this string is never closed. Add the ' before the line ends, or use three of them."],
    ['x = 1\n  y = 2', 'config.py:2:3: unexpected indent. Indent it like the line above.'],
    ['x = dict(a=1 b=2)', 'config.py:1:14: expected "," or ")", found "b". Write a "," before it, or close the bracket.'],
    ['if x\n  y', 'config.py:1:5: expected ":", found the end of the line. Write ":".'],
    ['x = “a”', 'config.py:1:5: the character "“" has no meaning in Python. Write ".'],
    ['x = f"{a"', 'config.py:1:7: the braces of an f-string are never closed. Add the "}", or write "{{" for the character.'],
    ['1 = x', 'config.py:1:1: nothing can be assigned to this. Write a name before the "=".'],
    ['x = yield 1', 'config.py:1:5: "yield" is not understood. Write the list out: a config is plain data.'],
    ["raise ValueError('no')", 'config.py:1:1: "raise" is not understood. Remove it, or the test that leads to it.'],
    ['for x in names:\n    pass', 'config.py:1:10: "names" has no value. Assign it above, or import it.'],
    [
      'import numpy\nfor x in numpy.arange(3):\n    pass',
      'config.py:2:16: a call of "numpy.arange", which is not part of the config, is not understood. Write its result out.',
    ],
    ['x = {}["a"]', "config.py:1:5: Python would stop here (KeyError: 'a'). Correct it."],
    ["x = 'a' + 1", 'config.py:1:9: Python would stop here (TypeError: can only concatenate str (not "int") to str). Correct it.'],
    ['x = [1].append', 'ok'],
    ['x = (1).real', 'config.py:1:9: "real" of a int is not understood. Write it in another way.'],
    ['x = [].__class__', 'config.py:1:8: "__class__" of a list is not understood. Write it in another way.'],
    ["x = type('A', (), {})", 'config.py:1:5: type(…) with three arguments is not understood. Write the class out.'],
    [
      'x = 1 | int',
      "config.py:1:7: Python would stop here (TypeError: unsupported operand type(s) for |: 'int' and 'builtin_function_or_method'). Correct it.",
    ],
    ['x = [].nope()', "config.py:1:8: Python would stop here (AttributeError: 'list' object has no attribute 'nope'). Correct it."],
    ['assert False', 'config.py:1:1: this does not hold. Correct what it tests, or remove it.'],
    ["datasets = 'mmlu'", 'config.py:1:1: "datasets" is not a list. Write datasets = [ … ].'],
    [
      "import time\nmodels = [dict(abbr=f'm-{time.time()}')]",
      'config.py:2:31: a call of "time.time", which is not part of the config, is not understood. Write its result out.',
    ],
    [
      "import os\nmodels = [dict(key=os.environ['KEY'])]",
      'config.py:2:23: os.environ["KEY"] is not understood. Write os.environ.get("KEY", VALUE): the environment is not read.',
    ],
    [
      "x = open('../secret').read()",
      'config.py:1:5: "../secret" is outside the folder that may be read. Name a folder that has it with --root.',
    ],
    [
      "x = open('/etc/passwd').read()",
      'config.py:1:5: "/etc/passwd" is outside the folder that may be read. Name a folder that has it with --root.',
    ],
    ["x = open('data.txt', 'w')", "config.py:1:5: opening a file with the mode 'w' is not understood. A config may only read text."],
    ['from ...up import x', 'config.py:1:1: "from ...up" is outside the folder that may be read. Name a folder further up with --root.'],
    [
      'from .gone import *',
      'config.py:1:1: there is no gone.py in the folder that may be read. Add it, or name its folder: rolecall import --root FOLDER.',
    ],
    [
      'from .config import x',
      'config.py:1:1: the files import one another in a circle (config.py → config.py). Remove one of the imports.',
    ],
    ['from .there import y', 'config.py:1:1: there.py has no "y". Import one of: x.'],
    ['with 5:\n    pass', 'config.py:1:1: this "with" is not understood. Use "with read_base():" for imports, or leave it out.'],
  ]
  for (const [text, message] of messages) {
    if (message === 'ok') continue
    test(JSON.stringify(text), () => expect(told(text, { 'there.py': 'x = 1' })).toBe(message))
  }

  test('a missing summarizer file does not matter', () => {
    const text = 'with read_base():\n    from opencompass.configs.summarizers.gone import summarizer\nmodels = [dict(abbr="m")]'
    const { config, notes } = read(text)
    expect(config.models).toEqual([{ abbr: 'm' }])
    expect(notes.map(({ text }) => text)).toEqual([
      'there is no opencompass/configs/summarizers/gone.py in the folder that may be read; it would summarize results',
    ])
  })

  test('any other missing file is an error, even if unused; --lenient reports that it is left out', () => {
    const text = 'with read_base():\n    from .gone import gone_datasets\nmodels = [dict(abbr="m")]'
    expect(told(text)).toContain('config.py:2:5: there is no gone.py in the folder that may be read')
    const { config, notes } = read(text, {}, { lenient: true })
    expect(config.models).toEqual([{ abbr: 'm' }])
    expect(notes.map(({ text }) => text)).toEqual(['the statement was left out: there is no gone.py in the folder that may be read'])
  })

  test('a dataset that needs a missing file says so', () => {
    const text = 'with read_base():\n    from opencompass.configs.datasets.gone import gone_datasets\ndatasets = [*gone_datasets]'
    expect(told(text)).toContain('config.py:2:5: there is no opencompass/configs/datasets/gone.py in the folder that may be read')
  })
})

test.each(['x = dict[str, list[str] | str](a="b")', 'x = isinstance(1, int | str)', 'x = int | str | None'])(
  'Python does not stop at %s, and neither does import',
  (text) => {
    expect(read(`${text}\nmodels = [dict(abbr='m')]`).config.models).toEqual([{ abbr: 'm' }])
  },
)

describe('--lenient', () => {
  const lenient = (text: string) => read(text, {}, { lenient: true, limits: { steps: 10_000 } })

  test('drops an unsupported entry and reports it', () => {
    const text = "import time\nmodels = [dict(abbr='a', x=time.time()), dict(abbr='b'), dict(abbr=[][0])]"
    const { config, notes } = lenient(text)
    expect(config.models).toEqual([{ abbr: 'b' }])
    expect(notes.map(({ where, text }) => `${where} ${text}`)).toEqual([
      'config.py:2:33 models[0] "a" was left out: a call of "time.time", which is not part of the config, is not understood',
      'config.py:2:68 models[2] was left out: Python would stop here (IndexError: list index out of range)',
    ])
  })

  test('drops an unsupported statement', () => {
    const { config, notes } = lenient("raise X\nmodels = [dict(abbr='a')]\nfor i in unknown: pass\n")
    expect(config.models).toEqual([{ abbr: 'a' }])
    expect(notes.map(({ where, text }) => `${where} ${text}`)).toEqual([
      'config.py:1:1 the statement was left out: "raise" is not understood',
      'config.py:3:10 the statement was left out: "unknown" has no value',
    ])
  })

  test('does not lift the limits', () => {
    expect(() => lenient('while True: pass')).toThrow('steps')
  })
})

describe('imports', () => {
  test('every import gets its own copy, as with mmengine', () => {
    const files = { 'base.py': "base = [dict(abbr='a')]", 'other.py': 'from .base import base as other' }
    const text = 'from .base import base\nfrom .other import other\nbase[0]["abbr"] = "b"\nmodels = [*base, *other]'
    expect(read(text, files).config.models.map(({ abbr }) => abbr)).toEqual(['b', 'a'])
  })

  test('an absolute import reads a file inside read_base, and a config of the package also outside', () => {
    const files = { 'opencompass/configs/models/m.py': "models = [dict(abbr='file')]", 'opencompass/models.py': 'VLLM = 5' }
    const from = 'from opencompass.configs.models.m import models'
    expect(read(`with read_base():\n    ${from}\n`, files).config.models).toEqual([{ abbr: 'file' }])
    expect(read(`${from}\n`, files).config.models).toEqual([{ abbr: 'file' }])
    expect(read('from opencompass.models import VLLM\nmodels = [dict(type=VLLM)]', files).config.models).toEqual([{ type: 'VLLM' }])
  })

  test('a config of the package that cannot be read outside read_base becomes names', () => {
    const files = { 'opencompass/configs/models/m.py': 'raise X' }
    const text = 'from opencompass.configs.models.m import Runner\nmodels = [dict(type=Runner)]'
    expect(read(text, files).config.models).toEqual([{ type: 'Runner' }])
  })

  test('the root may be the package itself, or its configs', () => {
    const text = 'with read_base():\n    from opencompass.configs.models.m import *\n'
    for (const path of ['configs/models/m.py', 'models/m.py'])
      expect(read(text, { [path]: "models = [dict(abbr='m')]" }).config.models).toEqual([{ abbr: 'm' }])
  })

  test('folders are imported by their files', () => {
    const files = { 'sets/a.py': 'names = [1]', 'sets/__init__.py': 'x = 2' }
    expect(evaluated('1')).toBe(1)
    expect(read('from .sets import a, x\nmodels = [dict(n=a.names, x=x)]', files).config.models).toEqual([{ n: [1], x: 2 }])
  })

  test('the environment is not read: defaults are used', () => {
    expect(evaluated("[os.environ.get('HOME', 'x'), os.getenv('HOME'), os.path.join('a', 'b', '/c', 'd')]", 'import os')).toEqual([
      'x',
      null,
      '/c/d',
    ])
  })
})

test('comments stay with their entries', () => {
  const { config, remarks } = read('models = [\n  # first\n  dict(abbr="a",  # its name\n    # how long\n    max_out_len=5),\n]')
  const [model] = config.models
  expect(remarks.get(config.models)).toBeUndefined()
  expect(remarks.get(model!)).toEqual(
    new Map<string, unknown>([
      ['abbr', { before: [], behind: 'its name' }],
      ['max_out_len', { before: ['how long'] }],
    ]),
  )
})

test('numeric keys of Python dicts are reported, once per file', () => {
  const dataset = (abbr: string) =>
    `dict(abbr='${abbr}', rows=[dict(q=1)], infer_cfg=dict(inferencer=dict(type='PPLInferencer'), prompt_template=dict(template={0: '{q} no', 1: '{q} yes'})))`
  const { config, notes } = importConfig('c.py', { read: () => `datasets = [${dataset('a')}, ${dataset('b')}]` })
  expect(config.datasets[0]).toMatchObject({ infer_cfg: { prompt_template: { template: { '0': '{q} no', '1': '{q} yes' } } } })
  expect(notes).toEqual([
    {
      code: 'number-keys',
      where: 'c.py › datasets[0].infer_cfg.prompt_template.template',
      text: 'its keys 0, 1 are whole numbers in Python, and texts here; so are those of 1 more',
    },
  ])
})

test('a retriever with embeddings and an unspecified judge are needs of a dataset', () => {
  const infer = (retriever: string) => `dict(prompt_template=dict(template='{q}'), retriever=dict(type='${retriever}'))`
  const text = `datasets = [
    dict(abbr='a', rows=[dict(q=1)], infer_cfg=${infer('TopkRetriever')}),
    dict(abbr='b', rows=[dict(q=1)], infer_cfg=${infer('ZeroRetriever')}, eval_cfg=dict(evaluator=dict(type='GenericLLMEvaluator', judge_cfg=dict())))]`
  const { datasets } = importConfig('c.py', { read: () => text })
  expect(datasets.map(({ needs }) => needs)).toEqual([
    ['embeddings for TopkRetriever: "embeddings" in its retriever'],
    ['a model that judges: "judge_cfg" of its GenericLLMEvaluator'],
  ])
})
