import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { hasPython, warnIfMissing } from '../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../proof/testing/python-snapshot.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { zipOf } from '../../../../../proof/testing/zip-of.ts'

keepPythonSnapshot()
warnIfMissing(hasPython, 'functions of tasks in Python', 'deno and pyodide')

describe.skipIf(!hasPython)('functions of tasks in Python (skipped where deno or pyodide is missing)', () => {
  const folder = folderWith({
    'tasks/owls.yaml':
      'task: owls\ndataset_path: json\ndataset_kwargs: {data_files: {test: rows.jsonl}}\ntest_split: test\ndoc_to_text: "{{n}}?"\ndoc_to_target: n\ngeneration_kwargs: {max_gen_toks: 2}\n' +
      'process_results: !function utils.score\nmetric_list: [{metric: hoots, aggregation: mean}, {metric: pair, aggregation: !function utils.last}]\n',
    'tasks/utils.py':
      'import datasets\nimport numpy as np\nfrom lm_eval.utils import eval_logger\nfrom nest import hoot\n\n' +
      'def rows(dataset: datasets.Dataset) -> datasets.Dataset:\n    return dataset\n\n' +
      'def score(doc, results):\n    eval_logger.info("scored")\n    return {"hoots": hoot(doc["n"]), "pair": (doc["n"], float("nan"))}\n\n' +
      'def last(items):\n    return items[-1][0]\n',
    'tasks/whole.yaml':
      'task: whole\ndataset_path: json\ndataset_kwargs: {data_files: {test: rows.jsonl}}\ntest_split: test\ndoc_to_text: "{{n}}?"\ndoc_to_target: "{{n}}"\ngeneration_kwargs: {max_gen_toks: 2}\n' +
      'metric_list: [{metric: !function whole.own, aggregation: !function whole.total}, {metric: !function whole.pair, aggregation: mean}]\n' +
      'filter_list: [{name: last, filter: [{function: custom, filter_fn: !function whole.answers}, {function: take_first}]}]\n',
    'tasks/whole.py':
      'import signal\nimport numpy as np\ntry:\n    from nest import hoot\nexcept ImportError:\n    print("no nest")\n' +
      'def answers(replies, docs):\n    return [[str(hoot(doc["n"])) for one in each] for each, doc in zip(replies, docs)]\n' +
      'def own(references, predictions):\n    return (hoot(1), references[0], predictions[0], "ж" * 10000)\n' +
      'def pair(items):\n    signal.setitimer(signal.ITIMER_REAL, 1)\n    return np.round(hoot(len(items[1])) + 0.00004, 4)\n' +
      'def total(items):\n    return {"all": hoot(sum(int(item[2]) for item in items)), "golds": len([item[1] for item in items])}\n',
    'tasks/rows.jsonl': '{"n": 2}\n{"n": 4}\n',
    'wheels/README': '',
  })
  // A file beside the code, which a package in a ZIP could not open.
  const code =
    'import os\ndef hoot(n):\n    with open(os.path.join(os.path.dirname(__file__), "times.txt")) as file:\n        return n * int(file.read())\n'
  writeFileSync(join(folder, 'wheels/nest-1.0-py3-none-any.whl'), zipOf({ 'nest/__init__.py': code, 'nest/times.txt': '3' }))
  const run = (...words: string[]) =>
    rolecall(['run', '--tasks', 'tasks/owls.yaml', '--model', 'embedded', '--no-cache', '--json', ...words], folder)

  test('use the packages of --python-packages; metrics and logged samples have their results', async () => {
    const { stdout, stderr, code: exit } = await run('--python-packages', 'wheels', '--output_path', 'out', '--log_samples')
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining('runs in the Python sandbox with nest 1.0') })
    expect(stdout).toContain('"hoots,none": 9')
    expect(stdout).toContain('"pair,none": 4')
  }, 240_000)

  test('filters, metrics and aggregations run there, too; what they computed is kept for scoring again', async () => {
    const ran = await rolecall(
      [
        'run',
        '--tasks',
        'tasks/whole.yaml',
        '--model',
        'embedded',
        '--no-cache',
        '--json',
        '--python-packages',
        'wheels',
        '--output_path',
        'whole',
        '-w',
        'runs/whole',
      ],
      folder,
    )
    expect({ exit: ran.code, stderr: ran.stderr }).toMatchObject({ exit: 0 })
    // The answers are 6 and 12; the metric `pair` takes one list, which Python tells by a TypeError.
    for (const text of ['"own.all,last": 54', '"own.golds,last": 2', '"pair,last": 4.5']) expect(ran.stdout).toContain(text)
    const [file] = readdirSync(join(folder, 'whole'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    const results = readFileSync(join(folder, 'whole', file!), 'utf8')
    expect(JSON.parse(results).results.whole).toMatchObject({
      'own,last': { all: 54, golds: 2 },
      'own_stderr,last': 'N/A',
      'pair,last': 4.5,
    })
    const again = await rolecall(['score', 'runs/whole', '--json'], folder)
    expect(again.stdout).toContain('"own.all,last": 54')
  }, 240_000)

  test('that import what is missing are refused before the first request, with the command that downloads it', async () => {
    writeFileSync(
      join(folder, 'tasks/utils.py'),
      'import nest\nimport egg\ndef score(doc, results):\n    return {"hoots": 1}\ndef last(items):\n    return 1\n',
    )
    const { stderr, code: exit } = await run('--python-packages', 'wheels')
    expect(exit).toBe(2)
    expect(stderr).toMatch(/No module named 'egg'[\s\S]*pip download .* -d DIR egg/)
  }, 240_000)
})
