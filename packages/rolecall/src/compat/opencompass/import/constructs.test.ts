import { describe, expect, test } from 'vitest'
import { type ImportedConfig, type ImportOptions, importConfig } from './import-config.ts'
import { writeImported } from './write/write-imported.ts'

/** Imports a file given as text; further files may be given with it. */
function read(text: string, files: Record<string, string> = {}, options: Omit<ImportOptions, 'read'> = {}): ImportedConfig {
  const all: Record<string, string> = { 'config.py': text, ...files }
  return importConfig('config.py', { ...options, read: (path) => (Object.hasOwn(all, path) ? all[path] : undefined) })
}

function evaluated(expression: string, before = ''): unknown {
  return read(`${before}\nmodels = [dict(value=(${expression}))]`).config.models[0]!.value
}

const told = ({ notes }: ImportedConfig) => notes.map(({ where, text }) => `${where} ${text}`)

describe('f-strings of Python 3.12', () => {
  const names = "d = {'a': [1, 2]}; x = 'q'; w = 5"
  const strings: [string, string][] = [
    [`f'{d['a'][0]}'`, '1'],
    [`f"{f"{x}{"y"}"}-{x!r:>{w}}"`, "qy-  'q'"],
    [`f'{x + '}' + "{"}'`, 'q}{'],
    [`f'{', '.join(f'{i}' for i in d['a'])}'`, '1, 2'],
    [`f'{x = }|{x=!s}|{w == 5}|{w != 5}|{w:=^7}'`, "x = 'q'|x=q|True|False|===5==="],
    [`f'''{\n    x\n    }'''`, 'q'],
    [`rf'\\{x}\\d' f'{{{x}}}'`, '\\q\\d{q}'],
  ]
  for (const [expression, expected] of strings) test(expression, () => expect(evaluated(expression, names)).toBe(expected))

  test('an unclosed brace is reported with its location', () => {
    expect(() => read("x = f'{a'")).toThrow('config.py:1:7: the braces of an f-string are never closed')
  })

  test('a character given by name, as in N{BULLET}, is reported', () => {
    for (const text of [`x = '\\N{BULLET}'`, `x = f'\\N{BULLET} {1}'`])
      expect(() => read(text)).toThrow(/escape that cannot be read .* Write the character itself, or \\u and its four hexadecimal digits/)
  })
})

describe('files that build on files with _base_', () => {
  const base = "models = [dict(abbr='m')]\nopts = dict(a=1, b=dict(c=2, d=3), e=dict(f=4))\nname = 'base'"

  test("inherits the base's values, and the file's values override them", () => {
    const text = `_base_ = ['sub/base.py']\nmodels = [dict(abbr='x')]\ndatasets = [dict(abbr=_base_.name, x=_base_.opts['b'])]`
    expect(read(text, { 'sub/base.py': base }).config).toEqual({
      models: [{ abbr: 'x' }],
      datasets: [{ abbr: 'base', x: { c: 2, d: 3 } }],
    })
    expect(read("_base_ = './sub/base.py'", { 'sub/base.py': base }).config.models).toEqual([{ abbr: 'm' }])
  })

  test('merges dicts; with _delete_ they are replaced', () => {
    const child = "_base_ = ['base.py']\nopts = dict(b=dict(c=6), e=dict(_delete_=True, g=7))"
    const { config } = read('from .child import opts\nmodels = [opts]', { 'base.py': base, 'child.py': child })
    expect(config.models).toEqual([{ a: 1, b: { c: 6, d: 3 }, e: { g: 7 } }])
  })

  const mistakes: [string, string][] = [
    ["_base_ = 'gone.py'", 'there is no gone.py in the folder that may be read'],
    ["_base_ = ['a.yaml']", '_base_ names something that is no .py file'],
    ["_base_ = ['base.py', 'twice.py']", 'two files of _base_ have "name"'],
    ["_base_ = 'base.py'\nname = dict(x=1)", 'a dict cannot be merged into what is none'],
    ["_base_ = '../up.py'", 'there is no ../up.py in the folder that may be read'],
  ]
  for (const [text, message] of mistakes)
    test(message, () => expect(() => read(text, { 'base.py': base, 'twice.py': "name = ''" })).toThrow(message))
})

describe("Python's own modules", () => {
  const expressions: [string, string, unknown][] = [
    [
      'from collections import defaultdict\nd = defaultdict(list)\nd["a"].append(1)',
      '[d, d["b"], "c" in d]',
      [{ a: [1], b: [] }, [], false],
    ],
    ['from collections import Counter, OrderedDict', '[Counter("abca"), OrderedDict(a=1)]', [{ a: 2, b: 1, c: 1 }, { a: 1 }]],
    ['from functools import reduce, partial', '[reduce(lambda a, b: a * b, [2, 3, 4]), partial(max, 5)(3)]', [24, 5]],
    [
      'import itertools as it',
      '[list(it.islice("abcdef", 1, 5, 2)), list(it.repeat(0, 2)), list(it.accumulate([1, 2, 3]))]',
      [
        ['b', 'd'],
        [0, 0],
        [1, 3, 6],
      ],
    ],
    [
      'from pathlib import Path',
      `[str(Path("a") / "b" / "c.txt"), Path("a/b.tar.gz").stem, Path("x/./y"), f'{Path("q").parent}']`,
      ['a/b/c.txt', 'b.tar', 'x/y', '.'],
    ],
    ['import os', '[os.environ.build().get("A", "gpt-4"), "A" in os.environ, os.getenv("A")]', ['gpt-4', false, null]],
    ['from os import environ, path\nenviron["A"] = "1"', '[environ["A"], path.join("a", "b")]', ['1', 'a/b']],
    [
      'import re',
      String.raw`[re.sub(r"\s+", "-", "a  b c"), re.split("[,;]", "a,b;c"), re.findall("[0-9]+", "a1b22"), re.escape("a.b*c-d")]`,
      ['a-b-c', ['a', 'b', 'c'], ['1', '22'], 'a\\.b\\*c\\-d'],
    ],
    ['import math', '[math.floor(-2.5), math.ceil(2.1), math.log(8, 2), math.pow(2, 3)]', [-3, 3, 3, 8]],
    ['from mmengine.config import ConfigDict\nd = ConfigDict(a=dict(b=1))', '[d.a.b, d.get("x")]', [1, null]],
  ]
  for (const [before, expression, expected] of expressions)
    test(`${before}: ${expression}`, () => expect(evaluated(expression, before)).toEqual(expected))

  test('environment variables set by a config stay within that import', () => {
    read('import os\nos.environ["A"] = "1"')
    expect(evaluated('os.environ.get("A", "no")', 'import os')).toBe('no')
  })

  test('class attributes are available, methods are not run', () => {
    const text = 'class Settings(Base, metaclass=M):\n    sizes = [1, 2]\n    def run(self): return self.sizes\n    odd = [][1]'
    expect(evaluated('[Settings.sizes, Settings]', text)).toEqual([[1, 2], 'Settings'])
  })

  test('eval evaluates an expression, within the same limits', () => {
    expect(evaluated("[eval('Evaluator_' + 'a-b'.replace('-', '_')), eval(' 1 + n ')]", 'from m import Evaluator_a_b\nn = 2')).toEqual([
      'Evaluator_a_b',
      3,
    ])
    expect(() => evaluated(`eval('__import__("os").system("x")')`)).toThrow('is not understood')
    expect(() => evaluated('eval("1 +")')).toThrow('expected a value')
    expect(() => evaluated('eval(x)', "x = 'eval(x)'")).toThrow('more than 50 calls inside one another')
  })

  test.each([
    [`'(a+)+b', '', 'aab!'`, '!'],
    [`'a', 'b', 'A', flags=re.I`, 'b'],
    [`'a', lambda m: 'b', 'a'`, 'b'],
    [`'(a)(b)', r'\\2\\1', 'ab'`, 'ba'],
  ])('re.sub(%s) is computed', (args, text) => expect(evaluated(`re.sub(${args})`, 'import re')).toBe(text))

  test('patterns with catastrophic backtracking are rejected', () => {
    expect(() => evaluated(String.raw`re.sub('(a+)+\\1', '', 'a')`, 'import re')).toThrow('it may take forever')
  })
})

describe('slips', () => {
  test('a missing comma between two tuples of a list is inserted', () => {
    const text = "sizes = [\n    ('a', 7),\n    ('b', 13)\n    ('c', 70)\n]\nmodels = [dict(abbr=abbr, n=n) for abbr, n in sizes]"
    const imported = read(text)
    expect(imported.config.models.map(({ abbr, n }) => [abbr, n])).toEqual([
      ['a', 7],
      ['b', 13],
      ['c', 70],
    ])
    expect(told(imported)).toEqual(['config.py:4:5 the comma that is missing before this is read as if it were there'])
  })

  test('a call over two lines stays one call', () => {
    expect(evaluated('[max\n (1, 2)]')).toEqual([2])
  })
})

describe('datasets under other names', () => {
  const dataset = "dict(abbr='d', type=D, infer_cfg=dict(prompt_template=dict(template='{q}')))"
  const names = (text: string) => read(text).datasets.map(({ abbr }) => abbr)

  test('finds a single dataset and a list', () => {
    expect(names(`one_dataset = ${dataset}`)).toEqual(['d'])
    expect(names(`sets_datasets_0shot = [${dataset}]`)).toEqual(['d'])
  })

  test("does not add them to datasets under OpenCompass's names", () => {
    expect(names(`one_dataset = ${dataset}\nmy_datasets = [dict(abbr='e', infer_cfg=dict())]`)).toEqual(['e'])
  })
})

describe('texts that a config imports from a package', () => {
  const config = (from: string, text: string) =>
    `${from}\ndatasets = [dict(abbr='d', infer_cfg=dict(prompt_template=dict(template=dict(round=[dict(role='HUMAN', prompt=${text})]))))]`
  const files = {
    'opencompass/datasets/__init__.py': 'from .broken import *\nfrom .quiz import *  # noqa\nfrom .prompts import JUDGE as GRADER',
    'opencompass/datasets/broken.py': 'x = (',
    'opencompass/datasets/quiz.py':
      "import torch\nclass Prompts:\n    SYSTEM = f'You are {1 + 1}. ' 'Yes.'\nQUIZ = 'Q: {question}'\nNUMBER = 5",
    'opencompass/datasets/prompts.py': "JUDGE = ' Judge. '.strip()",
  }
  const promptOf = (from: string, text: string, given: Record<string, string> = files) => {
    const [dataset] = read(config(from, text), given).config.datasets as { infer_cfg: { prompt_template: unknown } }[]
    return dataset!.infer_cfg.prompt_template
  }
  const saying = (prompt: string) => ({ template: { round: [{ role: 'HUMAN', prompt }] } })

  test('are looked up in its files, which are not run', () => {
    expect(promptOf('from opencompass.datasets.quiz import QUIZ', 'QUIZ')).toEqual(saying('Q: {question}'))
    expect(promptOf('from opencompass.datasets import Prompts', 'Prompts.SYSTEM')).toEqual(saying('You are 2. Yes.'))
    expect(promptOf('from opencompass.datasets import GRADER', 'GRADER')).toEqual(saying('Judge.'))
  })

  test('may be part of a text', () => {
    const from = 'from opencompass.datasets.quiz import QUIZ'
    expect(promptOf(from, "QUIZ + '!'")).toEqual(saying('Q: {question}!'))
    expect(promptOf(from, "f'{QUIZ}!'")).toEqual(saying('Q: {question}!'))
    expect(() => promptOf(from, "f'{QUIZ}!'", {})).toThrow('the text of "QUIZ"')
  })

  test('are never replaced by their names', () => {
    const message = 'the text of "QUIZ", which is not part of the config (opencompass.datasets.quiz.QUIZ), is not understood'
    expect(() => promptOf('from opencompass.datasets.quiz import QUIZ', 'QUIZ', {})).toThrow(message)
    expect(() => promptOf('from opencompass.datasets.quiz import NUMBER', 'NUMBER')).toThrow('the text of "NUMBER"')
  })

  test('a library named datasets is not a list', () => {
    expect(read("import datasets\nfrom opencompass import models\nmy_datasets = [dict(abbr='d', infer_cfg=dict())]").datasets).toHaveLength(
      1,
    )
  })
})

describe('summary groups', () => {
  const text = `datasets = [dict(abbr='a', infer_cfg=dict()), dict(abbr='b', infer_cfg=dict())]
groups = [
    dict(name='both', subsets=['a', ['b', 'accuracy']], weights=dict(a=2, b=0.5)),
    dict(name='other', subsets=['a', 'c']),
    dict(name='of groups', subsets=['both']),
]
summarizer = dict(dataset_abbrs=['--- heading ---', 'both', ('a', 'accuracy'), 'c'], summary_groups=groups)
`

  test('includes groups whose datasets are present', () => {
    const { config, unused } = read(text)
    expect(config.summarizer).toEqual({
      summary_groups: [
        { name: 'both', subsets: ['a', 'b'], weights: { a: 2, b: 0.5 } },
        { name: 'of groups', subsets: ['both'] },
      ],
      dataset_abbrs: ['both', 'a'],
    })
    expect(unused).toEqual([])
    expect(writeImported({ config, remarks: new WeakMap() }, 'ts', 'c.py')).toContain("name: 'both', subsets: ['a', 'b']")
  })

  test('without one the summarizer is not used', () => {
    const other = text.replace("'both', subsets=['a'", "'both', subsets=['x'").replace("('a', 'accuracy')", "'x'")
    expect(read(other)).toMatchObject({ unused: ['summarizer'] })
  })
})

describe('--lenient', () => {
  test('drops a statement that is not valid Python, with its lines', () => {
    const text = `models = [dict(abbr='a')]
for x in y z:
    models = 5
    if x:
        models = 6
broken = dict(a=1 b=2)
datasets = [dict(abbr='d', x=broken), dict(abbr='e')]
`
    const imported = read(text, {}, { lenient: true })
    expect(imported.config).toEqual({ models: [{ abbr: 'a' }], datasets: [{ abbr: 'e' }] })
    expect(told(imported)).toEqual([
      'config.py:2:12 the statement was left out: expected ":", found "z"',
      'config.py:6:19 the statement was left out: expected "," or ")", found "b"',
      'config.py:6:19 datasets[0] "d" was left out: expected "," or ")", found "b"',
    ])
  })

  test('without it, a file that was parsed leniently is an error', () => {
    const cache = new Map()
    const text = 'x = = 5\nmodels = [dict(abbr="a")]'
    expect(read(text, {}, { lenient: true, cache }).config.models).toEqual([{ abbr: 'a' }])
    expect(() => read(text, {}, { cache })).toThrow('expected a value, found "="')
  })
})

describe('Python features used by configs', () => {
  test.each<[expression: string, value: unknown, before?: string]>([
    ['dict[str, int](a=1)', { a: 1 }],
    ['list[int]([1, 2])', [1, 2]],
    ["[type(1).__name__, type('a').__name__, type({}).__name__, len.__name__]", ['int', 'str', 'dict', 'len']],
    ["'a-b'.translate(str.maketrans({'-': '_'}))", 'a_b'],
    ["'abc'.translate(str.maketrans('ab', 'xy', 'c'))", 'xy'],
    ["'abc'.translate({97: 'zz', 98: None, 99: 100})", 'zzd'],
    ["'new' if sys.version_info >= (3, 8) else 'old'", 'new', 'import sys'],
    ['[sys.version_info[0], sys.version_info.minor]', [3, 11], 'import sys'],
    ['x', 3, 'try:\n    from .gone import x\nexcept ImportError as e:\n    x = 3'],
    ['x', 'other', "try:\n    x = {}['a']\nexcept KeyError as error:\n    x = 'other'"],
    [
      "[os.path.basename(__file__), Path(__file__).stem, __file__.split('/')[-1]]",
      ['config.py', 'config', 'config.py'],
      'import os\nfrom pathlib import Path',
    ],
  ])('%s', (expression, value, before) => expect(evaluated(expression, before)).toEqual(value))

  test('except clauses handle errors of their try, also under --lenient', () => {
    const text = "try:\n    x = {}['a']\nexcept KeyError:\n    x = 1\nmodels = [dict(abbr='m', x=x)]"
    expect(read(text, {}, { lenient: true })).toMatchObject({ config: { models: [{ abbr: 'm', x: 1 }] }, notes: [] })
  })

  test("an exception's message is not config text", () => {
    const text = "try:\n    x = {}['a']\nexcept KeyError as e:\n    x = str(e)\nmodels = [dict(abbr='m', x=x)]"
    expect(() => read(text)).toThrow(/what the exception "e" says is not understood/)
  })

  test('an assumed version is reported once', () => {
    expect(told(read('import sys\nx = sys.version_info >= (3, 8)\ny = sys.version_info[0]\nmodels = []'))).toEqual([
      'config.py:2:9 sys.version_info is taken to be that of Python 3.11',
    ])
  })

  test('a model listed twice is one model', () => {
    const imported = read("m = dict(abbr='m')\nmodels = [m, m, dict(abbr='m')]")
    expect(imported.config.models).toEqual([{ abbr: 'm' }, { abbr: 'm-2' }])
    expect(told(imported)[0]).toBe('config.py:1:1 "m" stands in models twice, and counts once')
  })
})
