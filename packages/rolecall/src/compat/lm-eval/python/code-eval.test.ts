import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../evaluation/run/run-code.ts'
import { passed } from '../../../evaluation/score/evaluate/evaluator.ts'
import { taskEvaluator } from '../dataset/task-evaluator.ts'

const utils = `
import evaluate as hf_evaluate

compute_ = hf_evaluate.load("code_eval")
results = compute_.compute(references=["assert add(2, 3)==5"], predictions=[["def add(a,b): return a*b"]], k=[1])

def pass_at_k(references, predictions, k=None):
    return compute_.compute(references=references, predictions=predictions, k=k)[0]

def build_predictions(resps, docs):
    return [[doc["prompt"] + r for r in resp] for resp, doc in zip(resps, docs)]
`

const row = { prompt: 'def one():\n', test: 'assert one() == 1' }

const spec = {
  file: '/owls/owls.yaml',
  task: {
    task: 'owls',
    unsafe_code: true,
    test_split: 'test',
    doc_to_text: '{{prompt}}',
    doc_to_target: '{{test}}',
    metric_list: [{ metric: { $python: 'utils.pass_at_k', file: 'owls/owls.yaml' }, aggregation: 'mean', k: [1, 2] }],
    filter_list: [
      { name: 'code', filter: [{ function: 'custom', filter_fn: { $python: 'utils.build_predictions', file: 'owls/owls.yaml' } }] },
    ],
  },
  files: { 'owls/utils.py': utils },
  rows: [JSON.stringify(row)],
  pool: [],
  apply_chat_template: false,
  fewshot_as_multiturn: false,
}

test('a reply to a task with code is a program: the prompt, the reply and the tests', () => {
  const { runs } = taskEvaluator(spec as never)
  expect(codeOf(runs!(row as never, '    return 1', null))).toContain("_check('def one():\\n    return 1', [], 'assert one() == 1', ")
})

test('pass@k is computed from the outcomes of the programs', () => {
  const evaluator = taskEvaluator(spec as never)
  const judged = evaluator.judge({ prediction: [passed, 'failed: AssertionError', 'failed: SyntaxError'], reference: null, row } as never)
  expect(judged.score).toBeCloseTo(1 / 3, 12)
  expect(evaluator.metric).toBe('pass@1,code')
  const figures = evaluator.summarise!([judged.keep!])
  expect(figures['pass@1,code']).toBeCloseTo(1 / 3, 12)
  expect(figures['pass@2,code']).toBeCloseTo(2 / 3, 12)
})

test('a task whose metrics run no program is refused', () => {
  const files = {
    'owls/utils.py': utils.replace('return compute_.compute(references=references, predictions=predictions, k=k)[0]', 'return 1'),
  }
  expect(() => taskEvaluator({ ...spec, files } as never).runs!(row as never, 'x', null)).toThrow('its metrics run no program')
})

describe('code that runs in a process', () => {
  const checking = `
import multiprocessing
import numpy as np

def unsafe_execute(check_program, result, timeout):
    try:
        with time_limit(timeout):
            exec(check_program, {})
        result.append("passed")
    except BaseException as e:
        result.append(f"failed: {e}")

def check_correctness(check_program, timeout=3):
    manager = multiprocessing.Manager()
    result = manager.list()
    p = multiprocessing.Process(target=unsafe_execute, args=(check_program, result, timeout))
    p.start()
    p.join(timeout=timeout + 1)
    if p.is_alive():
        p.kill()
    if not result:
        result.append("timed out")
    return result[0] == "passed"

def pass_at_k(references, predictions, k=None):
    found = [check_correctness(one) for one in predictions[0]]
    return {"pass@1": np.mean(found), "pass@2": float(all(found))}

def build_predictions(resps, docs):
    return [[doc["prompt"] + r for r in resp] for resp, doc in zip(resps, docs)]
`
  const withFile = (text: string) => taskEvaluator({ ...spec, files: { 'owls/utils.py': text } } as never)

  test('as in HumanEval: the program is what the process executes', () => {
    const evaluator = withFile(checking)
    expect(evaluator.runs!(row as never, '    return 1', null)).toBe('def one():\n    return 1')
    const judged = evaluator.judge({ prediction: [passed, 'failed: x'], reference: null, row } as never)
    expect(judged.score).toBe(0.5)
  })

  test('a process that executes something else is refused', () => {
    const other = checking.replace('exec(check_program, {})', 'os.system(check_program)')
    expect(() => withFile(other).runs!(row as never, 'x', null)).toThrow('a process that does not execute a program')
  })
})
