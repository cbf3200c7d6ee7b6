import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { zipOf } from '../../../../../proof/testing/zip-of.ts'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { taskEvaluator } from '../../compat/lm-eval/dataset/task-evaluator.ts'
import type { TaskSpec } from '../../compat/lm-eval/dataset/task-spec.ts'
import { functionHost } from '../../compat/lm-eval/python/function-host.ts'
import type { TaskConfig } from '../../compat/lm-eval/task/task-config.ts'
import { FunctionMark } from '../../compat/lm-eval/yaml/function-mark.ts'
import { runCode } from '../../evaluation/run/run-code.ts'
import { leaving, type Program } from '../../evaluation/score/evaluate/evaluator.ts'
import type { CodeResult, Interpreter } from '../../model/agent/interpreter.ts'
import { pythonPackagesOf } from './python-packages.ts'
import { datasetOf, taskDatasets } from './task-datasets.ts'
import { TaskIndex } from './task-index.ts'

const yaml =
  'task: owls\ndataset_path: json\ndataset_kwargs: {data_files: {test: rows.jsonl}}\ntest_split: test\ndoc_to_text: "{{n}}?"\ndoc_to_target: n\n' +
  'process_results: !function utils.score\nmetric_list: [{metric: hoots, aggregation: mean}]\n'
const folder = folderWith({
  'tasks/owls.yaml': yaml,
  'tasks/plain.yaml': yaml.replace('task: owls', 'task: plain').replace(/process_results.*$/s, 'metric_list: [{metric: exact_match}]\n'),
  'tasks/choice.yaml': `${yaml.replace('task: owls', 'task: choice')}output_type: multiple_choice\ndoc_to_choice: [a, b]\n`,
  'tasks/utils.py': 'from nest import hoot\ndef score(doc, results):\n    return {"hoots": hoot(doc["n"], results[0])}\n',
  'tasks/whole.yaml': yaml.replace('task: owls', 'task: whole').replace(
    /process_results.*$/s,
    `metric_list:
  - {metric: !function whole.loud, aggregation: !function whole.total}
  - {metric: !function whole.length, aggregation: mean}
filter_list: [{name: last, filter: [{function: custom, filter_fn: !function whole.last}, {function: take_first}]}]
`,
  ),
  'tasks/likely.yaml': `${yaml.replace('task: owls', 'task: likely').replace(/process_results.*$/s, 'metric_list: [{metric: acc, aggregation: !function whole.total}]\n')}output_type: multiple_choice\ndoc_to_choice: [a, b]\n`,
  'tasks/whole.py':
    'try:\n    import nest\n    known = nest.Owls()\nexcept ImportError:\n    print("no nest")\n' +
    'def last(replies, docs):\n    return [[nest.last(one) for one in each] for each in replies]\n' +
    'def loud(references, predictions):\n    return (nest.hoot(1, predictions[0]), references[0])\n' +
    'def length(items):\n    return len(items[1])\n' +
    'def total(items):\n    return {"all": sum(n for n, gold in items), "known": known.count}\n',
  'tasks/rows.jsonl': '{"n": 2.0}\n',
  'none/README': '',
  'other/README': '',
  'native/README': '',
  'wheels/README': '',
})
const wheel = (path: string, module: string) =>
  writeFileSync(
    join(folder, path),
    zipOf({ [`${module}/__init__.py`]: 'def hoot(n, text):\n    return n * len(text)\n', [`${module}-1.0.dist-info/METADATA`]: '' }),
  )
wheel('wheels/nest-1.0-py3-none-any.whl', 'nest')
wheel('other/lark-1.0-py3-none-any.whl', 'lark')
wheel('native/nest-1.0-cp314-cp314-manylinux_2_28_x86_64.whl', 'nest')

const file = join(folder, 'tasks/owls.yaml')
const datasets = (packages: string, tasks = file) => taskDatasets({ tasks, pythonPackages: join(folder, packages) })
const specOf = async () => ((await datasets('wheels')).datasets as { lm_eval: TaskSpec }[])[0]!.lm_eval

describe('--python-packages', () => {
  test('process_results of a task that imports a package from there runs in Python, which a note says', async () => {
    const { notes } = await datasets('wheels')
    expect(notes).toContainEqual({ code: 'python-packages', text: 'owls: utils.score runs in the Python sandbox with nest 1.0' })
    expect((await specOf()).python).toEqual({
      wheels: [{ file: join(folder, 'wheels/nest-1.0-py3-none-any.whl'), sha256: expect.any(String) }],
      functions: ['utils.score'],
    })
    const [found] = new TaskIndex([join(folder, 'tasks')]).find('owls').tasks
    const without = datasetOf(found!, new TaskIndex([]), { pythonPackages: join(folder, 'other') })
    await expect(without).rejects.toThrow('it needs nest.hoot. Run it in the Python sandbox: pip download')
  })

  test('of the functions that score, those run in Python that reach what only a package has; filters, metrics and aggregations too', async () => {
    const { notes, datasets: made } = await datasets('wheels', join(folder, 'tasks/whole.yaml'))
    expect((made[0] as { lm_eval: TaskSpec }).lm_eval.python!.functions).toEqual(['whole.loud', 'whole.total', 'whole.last'])
    expect(notes).toContainEqual({
      code: 'python-packages',
      text: 'whole: whole.loud, whole.total and whole.last run in the Python sandbox with nest 1.0',
    })
  })

  test('an aggregation can run in Python whatever the documents are asked', async () => {
    const { datasets: made } = await datasets('wheels', join(folder, 'tasks/likely.yaml'))
    expect((made[0] as { lm_eval: TaskSpec }).lm_eval.python!.functions).toEqual(['whole.total'])
  })

  test('a function that needs something else, which no package has, does not move to Python', async () => {
    const other = folderWith({
      'mean.yaml': yaml
        .replace('task: owls', 'task: mean')
        .replace('utils.score', 'mean.score')
        .replace('aggregation: mean', 'aggregation: !function mean.total'),
      'mean.py':
        'import numpy as np\nfrom nest import hoot\ndef score(doc, results):\n    return {"hoots": hoot(1)}\n' +
        'def total(items):\n    if len(items) > 9:\n        return np.linalg.cond(items)\n    return float(np.mean(items))\n',
      'rows.jsonl': '{"n": 2.0}\n',
    })
    const { datasets: made } = await datasets('wheels', join(other, 'mean.yaml'))
    expect((made[0] as { lm_eval: TaskSpec }).lm_eval.python!.functions).toEqual(['mean.score'])
  })

  test('what a task needs besides is named, with the command that downloads it, or why the sandbox cannot run it', async () => {
    const metric = 'metric_list: [{metric: !function own.loud, aggregation: mean}]\n'
    const of = (text: string, scoring = metric) => {
      const made = folderWith({
        'own.yaml': yaml.replace('task: owls', 'task: own').replace(/process_results.*$/s, scoring),
        'own.py': text,
        'rows.jsonl': '{"n": 2.0}\n',
      })
      return taskDatasets({ tasks: join(made, 'own.yaml') })
    }
    const loud = 'def loud(items):\n    return known(items)\n'
    await expect(of(`try:\n    from egg import known\nexcept ImportError:\n    pass\n${loud}`)).rejects.toThrow(
      'it needs known, which its file defines only with the package egg. Run it in the Python sandbox: pip download',
    )
    await expect(of(`import sympy\ndef loud(items):\n    if items:\n        return sympy.N(1)\n    return unknown()\n`)).rejects.toThrow(
      'it needs unknown. Run it in the Python sandbox: pip download --only-binary=:all: --platform any --python-version 3.14 -d DIR sympy antlr4-python3-runtime==4.11.0,',
    )
    await expect(of(`from statsmodels import known\n${loud}`)).rejects.toThrow(
      'it needs statsmodels.known. The Python sandbox cannot run statsmodels (it has, or needs, compiled code); or leave the task out',
    )
    const asks = 'import importlib.util\ndef loud(items):\n    if importlib.util.find_spec("unitxt") is None:\n        raise Exception()\n'
    await expect(of(asks)).rejects.toThrow('it needs unitxt (importlib.util.find_spec). The Python sandbox cannot run unitxt (it gets')
    const filter =
      'from egg import hatch\nfrom lm_eval.api.registry import register_filter\n@register_filter("hatched")\nclass Hatched:\n    pass\n'
    const filters = `filter_list: [{name: one, filter: [{function: hatched}]}]\n${metric}`
    await expect(of(`${filter}def loud(items):\n    return 1\n`, filters)).rejects.toThrow(
      'the filter "hatched" is a class that own.py registers when Python runs it, with the packages egg',
    )
  })

  test('mistakes are reported with the command that downloads packages', async () => {
    await expect(datasets('nowhere')).rejects.toMatchObject({
      code: 'no-folder',
      fix: expect.stringContaining('pip download --only-binary'),
    })
    await expect(datasets('none')).rejects.toMatchObject({ code: 'no-wheels', fix: expect.stringContaining('pip wheel -w') })
    await expect(datasets('native')).rejects.toMatchObject({ code: 'not-pure', where: expect.stringContaining('manylinux') })
    await expect(datasets('wheels', join(folder, 'tasks/choice.yaml'))).rejects.toThrow('one generated reply')
  })

  test('imports of submodules count; a name of any length is read in linear time', async () => {
    for (const [text, isUsed] of [
      ['from nest.a.b import hoot\n', true],
      [`from ${'a'.repeat(300_000)}`, false],
    ] as const) {
      const files = { 'utils.py': text }
      const processResults = new FunctionMark('utils.score', 'owls.yaml')
      const config = { outputType: 'generate_until', repeats: 1, where: '', processResults } as TaskConfig
      const found = pythonPackagesOf(join(folder, 'wheels'), files, config, (lacks) => functionHost(() => undefined, { lacks }))
      expect(found !== undefined).toBe(isUsed)
    }
  })

  test('a folder that no task needs is checked as well, and noted', async () => {
    await expect(datasets('nowhere', join(folder, 'tasks/plain.yaml'))).rejects.toMatchObject({ code: 'no-folder' })
    const { notes } = await datasets('wheels', join(folder, 'tasks/plain.yaml'))
    expect(notes).toMatchObject([{ code: 'unused-packages' }])
  })
})

/** An interpreter that answers each program in turn. */
function scripted(...results: CodeResult[]): Interpreter & { ran: string[]; limits: (number | undefined)[] } {
  const ran: string[] = []
  const limits: (number | undefined)[] = []
  const none = async () => undefined
  const run: Interpreter['run'] = async (code, { limit } = {}) => {
    ran.push(code)
    limits.push(limit)
    return results.shift()!
  }
  return {
    name: 'scripted',
    isSandbox: true,
    ran,
    limits,
    run,
    addFile: none,
    listFiles: async () => [],
    readFile: async () => new Uint8Array(),
    restart: none,
    close: none,
  }
}

describe('a function that runs in Python', () => {
  const value = (text: string): CodeResult => ({ ok: true, outputs: [{ kind: 'value', text }] })
  const done = value("'reached the end'")
  const left = value(`'[{"d": [["hoots", {"f": "6.0"}]]}]'`)

  test('gets the document and the filtered reply, and its result is the metric', async () => {
    const evaluator = taskEvaluator(await specOf())
    const row = { n: 2 } as never
    const program = evaluator.runs!(row, 'hoo', null) as { code: string }
    expect(program.code).toContain('score')
    expect(program.code.replaceAll("\\'", "'")).toContain("[{'n': 2}, ['hoo']]")
    const judged = evaluator.judge({ prediction: `${leaving}[{"d": [["hoots", {"f": "6.0"}]]}]`, answered: 'hoo', reference: null, row })
    expect(judged).toMatchObject({ score: 6, detail: { filtered: ['hoo'] } })
    const fails = (said: string) => () => evaluator.judge({ prediction: said, answered: 'hoo', reference: null, row })
    expect(fails('failed: ValueError: no owl')).toThrow('utils.score failed in the Python sandbox (ValueError: no owl)')
    expect(fails("failed: ModuleNotFoundError: No module named 'antlr4'")).toThrow('-d DIR antlr4-python3-runtime')
    expect(fails("failed: ModuleNotFoundError: No module named 'sklearn'")).toThrow('the Python sandbox cannot run sklearn')
  })

  test('may wait for another one: a filter runs before the metric, whose exception leads to another call', async () => {
    const { datasets: made } = await datasets('wheels', join(folder, 'tasks/whole.yaml'))
    const { runs: program, setup, summaryRuns, ...evaluator } = taskEvaluator((made[0] as { lm_eval: TaskSpec }).lm_eval)
    const raised = value(`'[{"e": ["TypeError", "loud() got an unexpected keyword argument"]}]'`)
    const interpreter = scripted(done, value(`'[{"l": [{"l": ["HOO"]}]}]'`), raised, value(`'[{"t": [{"i": "3"}, "2.0"]}]'`))
    const context = {
      program: program!,
      setup,
      environment: { hash: (text: string) => text },
      options: {},
      interpreter: async () => interpreter,
    }
    const row = { n: 2 } as never
    const { said } = await runCode(context, { row, prediction: 'hoo', reference: undefined }, undefined)
    const called = interpreter.ran.map((code) => ['last', 'loud'].find((name) => new RegExp(`\\W${name}\\W`).test(code)))
    expect(called.slice(1)).toEqual(['last', 'loud', 'loud'])
    const { keep } = evaluator.judge({ prediction: said as string, answered: 'hoo', reference: null, row })
    expect(keep![0]!.filtered).toEqual(['HOO'])
    // `length` is interpreted.
    expect(keep![0]!.measures.get('length')).toBe(3)
    expect(summaryRuns!([keep!])).toMatchObject({ code: expect.stringContaining('total') })
    const figures = evaluator.summarise!([keep!], `${leaving}[{"d": [["all", {"i": "3"}], ["known", {"f": "0.5"}]]}]`)
    // Only the parts of a metric are shown, and not what else is returned.
    expect(evaluator.besideIn!({ ...figures, 'extra,last': 1 }).map(({ metric }) => metric)).toEqual(['loud.all,last', 'loud.known,last'])
    expect(figures).toEqual({ sample_len: 1, 'loud.all,last': 3, 'loud.known,last': 0.5, 'length,last': 3 })
    expect(() => evaluator.summarise!([keep!])).toThrow('whole.total runs in the Python sandbox, and this call has not run')
  })

  const specWith = async (code: string, scoring: string) => {
    const made = folderWith({
      'own.yaml': yaml.replace('task: owls', 'task: own').replace(/process_results.*$/s, scoring),
      'own.py': `import random\nfrom nest import hoot\n${code}`,
      'rows.jsonl': '{"n": 2.0}\n',
    })
    const { datasets: own } = await datasets('wheels', join(made, 'own.yaml'))
    return (own[0] as { lm_eval: TaskSpec }).lm_eval
  }
  const contextOf = ({ runs: program, setup }: ReturnType<typeof taskEvaluator>, interpreter: Interpreter) => ({
    program: program!,
    setup,
    environment: { hash: (text: string) => text },
    options: {},
    interpreter: async () => interpreter,
  })

  test('is called once for each reply even if an interpreted filter draws its argument at random', async () => {
    const spec = await specWith(
      'def drawn(replies, docs):\n    return [[str(random.random()) for one in each] for each in replies]\n' +
        'def loud(references, predictions):\n    return float(predictions[0]) + hoot(1)\n',
      'metric_list: [{metric: !function own.loud, aggregation: mean}]\nfilter_list: [{name: f, filter: [{function: custom, filter_fn: !function own.drawn}, {function: take_first}]}]\n',
    )
    const evaluator = taskEvaluator(spec)
    const interpreter = scripted(done, value(`'[{"f": "0.5"}]'`))
    const row = { n: 2 } as never
    const { said } = await runCode(contextOf(evaluator, interpreter), { row, prediction: 'hoo', reference: undefined }, undefined)
    expect(interpreter.ran).toHaveLength(2)
    const { keep } = evaluator.judge({ prediction: said as string, answered: 'hoo', reference: null, row })
    expect(keep![0]!.measures.get('loud')).toBe(0.5)
    // The reply that is scored is the one that Python got.
    expect(interpreter.ran[1]).toContain(String(keep![0]!.filtered[0]))
  })

  test('has its result also if an aggregation returns no number, or another one raises', async () => {
    const scoring = (other: string) =>
      `metric_list: [{metric: !function own.one, aggregation: !function own.total}, {metric: !function own.two, aggregation: ${other}}]\n`
    const code =
      'def one(references, predictions):\n    return 1.0\ndef two(references, predictions):\n    return 2.0\n' +
      'def total(items):\n    return hoot(sum(items))\ndef bad(items):\n    raise ValueError("no owls here")\n'
    const evaluator = taskEvaluator(await specWith(code, scoring('!function own.bad')))
    const { keep } = evaluator.judge({ prediction: 'hoo', reference: null, row: { n: 2 } as never })
    const program = evaluator.summaryRuns!([keep!]) as Exclude<Program, string>
    expect(program.code).toContain('total')
    expect(program.next!('[{"f": "3.0"}]')).toBeUndefined()
    expect(() => evaluator.summarise!([keep!], `${leaving}[{"f": "3.0"}]`)).toThrow('no owls here')
    const plain = taskEvaluator(await specWith(code, scoring('mean')))
    const { keep: kept } = plain.judge({ prediction: 'hoo', reference: null, row: { n: 2 } as never })
    const { next } = plain.summaryRuns!([kept!]) as Exclude<Program, string>
    expect(next!('["x"]')).toBeUndefined()
    expect(() => plain.summarise!([kept!], `${leaving}["x"]`)).toThrow(PromptError)
    expect(plain.summarise!([kept!], `${leaving}[{"f": "3.0"}]`)).toMatchObject({ 'one,none': 3, 'two,none': 2 })
  })

  test('that gets more characters than the sandbox takes fails, and other functions do not', async () => {
    const evaluator = taskEvaluator(
      await specWith(
        'def one(references, predictions):\n    return ["a" * 9000000]\ndef total(items):\n    return hoot(len(items))\n',
        'metric_list: [{metric: !function own.one, aggregation: !function own.total}]\n',
      ),
    )
    const keep = [...Array(9).keys()].flatMap(() => evaluator.judge({ prediction: 'hoo', reference: null, row: { n: 2 } as never }).keep!)
    expect((evaluator.summaryRuns!([keep.slice(0, 2)]) as Exclude<Program, string>).code.length).toBeGreaterThan(18_000_000)
    expect((evaluator.summaryRuns!([keep]) as Exclude<Program, string>).code.length).toBeLessThan(100)
    expect(() => evaluator.summarise!([keep], `${leaving}[]`)).toThrow('its arguments are too large for it (a text of more than 67,108,864')
  })

  test('that aggregates has the same results whatever the order of the samples: logged ones are sorted by filter', async () => {
    const spec = await specWith(
      'def score(doc, results):\n    return {"a": hoot(1)} if doc["n"] == 2 else {"b": 2.0}\n' +
        'def first(items):\n    return hoot(1)\ndef second(items):\n    return hoot(2)\n',
      'process_results: !function own.score\n' +
        'metric_list: [{metric: a, aggregation: !function own.first}, {metric: b, aggregation: !function own.second}]\n' +
        'filter_list: [{name: f1, filter: [{function: take_first}]}, {name: f2, filter: [{function: take_first}]}]\n',
    )
    const evaluator = taskEvaluator(spec)
    const samples = [2, 3].flatMap((n) => {
      const measured = `{"d": [["${n === 2 ? 'a' : 'b'}", {"f": "${n}.0"}]]}`
      const said = `${leaving}[${measured}, ${measured}]`
      return evaluator.judge({ prediction: said, answered: 'hoo', reference: null, row: { n } as never }).keep!
    })
    const byFilter = ['f1', 'f2'].flatMap((name) => samples.filter(({ filter }) => filter === name))
    const codeOf = (given: typeof samples) => (evaluator.summaryRuns!([given]) as Exclude<Program, string>).code
    expect(codeOf(byFilter)).toBe(codeOf(samples))
    const figures = { 'a,f1': 100, 'a,f2': 101, 'b,f1': 200, 'b,f2': 201 }
    const left = `${leaving}[${Object.values(figures).map((figure) => `{"f": "${figure}.0"}`)}]`
    for (const given of [samples, byFilter]) expect(evaluator.summarise!([given], left)).toMatchObject(figures)
    const fails = () => evaluator.summarise!([samples], 'failed: ValueError: no owl')
    expect(fails).toThrow(': own.first, own.second failed in the Python sandbox (ValueError: no owl)')
  })

  test('whose result is too long fails, and says so', async () => {
    const evaluator = taskEvaluator(await specOf())
    const interpreter = scripted(done, value(`'[${'"a", '.repeat(10_000)}`))
    const { said } = await runCode(
      contextOf(evaluator, interpreter),
      { row: { n: 2 } as never, prediction: 'hoo', reference: undefined },
      undefined,
    )
    expect(said).toBe('failed: what it returns is too long (50002 characters were read)')
  })

  test('is set up once for all rows, and again if Python had to be started anew', async () => {
    const { runs: program, setup } = taskEvaluator(await specOf())
    const interpreter = scripted(done, left, left, { ...done, ok: false, outputs: [], restarted: true }, done, left)
    const context = {
      program: program!,
      setup,
      environment: { hash: (text: string) => text },
      options: {},
      interpreter: async () => interpreter,
    }
    const answer = { row: { n: 2 } as never, prediction: 'hoo', reference: undefined }
    for (let row = 0; row < 3; row++)
      expect((await runCode(context, answer, undefined)).said).toBe(`${leaving}[{"d": [["hoots", {"f": "6.0"}]]}]`)
    // The first call after each start may take longer than the others.
    expect(interpreter.limits).toEqual([600_000, 60_000, undefined, undefined, 600_000, 60_000])
    const isSetup = interpreter.ran.map((code) => code.includes('_set_up'))
    expect(isSetup).toEqual([true, false, false, false, true, false])
  })

  test('that cannot be set up fails with what Python says', async () => {
    const { runs: program, setup } = taskEvaluator(await specOf())
    const error = { kind: 'error', name: 'ModuleNotFoundError', message: "No module named 'egg'", text: '' } as const
    const interpreter = scripted({ ok: false, outputs: [error] })
    const context = {
      program: program!,
      setup,
      environment: { hash: (text: string) => text },
      options: {},
      interpreter: async () => interpreter,
    }
    const { said } = await runCode(context, { row: { n: 2 } as never, prediction: 'hoo', reference: undefined }, undefined)
    expect(setup!.error(String(said))).toMatchObject({ fix: expect.stringContaining('-d DIR egg') })
  })
})
