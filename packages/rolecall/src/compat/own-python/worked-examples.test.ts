import { afterEach, beforeEach, expect, test } from 'vitest'
import { runExample } from '../../../../../proof/testing/run-example.ts'
import { figuresOfJudged } from '../../evaluation/score/postprocess/judge-postprocessor.ts'
import { judgePostprocessorOf } from '../../evaluation/score/postprocess/judge-postprocessors.ts'
import { postprocessorOf } from '../../evaluation/score/postprocess/postprocessors.ts'
import { chosenPythonHost, usePythonHost } from '../../python/host/current-host.ts'
import { InterpreterHost } from './interpreter-host.ts'
import { markOwn } from './mark-own.ts'
import { pythonDictPostprocessors } from './python-dict-postprocessor.ts'
import { pythonEvaluators } from './python-evaluator.ts'
import { pythonPostprocessors } from './python-postprocessor.ts'
import { registerOwnPython } from './register-own-python.ts'

registerOwnPython()

/** The code that the examples name. */
const source = `
def is_a(prediction, reference):
    return prediction == 'a'

def capitals(text):
    return text.upper()

def share_of_a(output, output_path, dataset):
    assert len(dataset.test) == len(output)
    return {'share': 100 * sum(each['prediction'] == 'A' for each in output.values()) / len(output)}
`
const host = new InterpreterHost({
  read: (path) => (path === 'score.py' ? source : undefined),
  codeFiles: () => ['score.py'],
  data: { bytes: () => undefined, names: () => undefined, kind: () => undefined },
})

let before = chosenPythonHost()
beforeEach(() => {
  before = chosenPythonHost()
  usePythonHost(host)
})
afterEach(() => usePythonHost(before))

test.each(pythonEvaluators)('the worked example of $names.0', (definition) => runExample(definition))

test.each(pythonPostprocessors)('the worked example of $names.0', ({ names, example: { options, answer, becomes } }) =>
  expect(postprocessorOf({ type: names[0]!, ...options }, 'mine')(answer)).toEqual(becomes),
)

test.each(pythonDictPostprocessors)('the worked example of $names.0', ({ names, example: { options, judged, figures } }) => {
  const found = judgePostprocessorOf({ type: names[0]!, ...options }, 'mine')
  if (found === undefined) throw new Error('it is not registered')
  const kept = judged.map(({ said, gold, row = {} }) => found.postprocessor.read({ said, gold, row, index: 0 }, found.options))
  expect(figuresOfJudged(found.postprocessor, kept, found.options)).toMatchObject(figures)
  expect(found.postprocessor.score(kept[0], found.options)).toBe(1)
})

test("a judge's own dict_postprocessor is found, also in a cascade, and what is Rolecall's stays", () => {
  const find = (type: string, kind: string) =>
    type === 'mine' && kind === 'dict_postprocessor' ? { object: type, folder: '/f' } : undefined
  const judge = { type: 'GenericLLMEvaluator', dict_postprocessor: { type: 'mine', step: 2 } }
  const marked = {
    type: 'GenericLLMEvaluator',
    dict_postprocessor: { type: 'PythonDictPostprocessor', object: 'mine', folder: '/f', settings: { step: 2 } },
  }
  const evaluatorOf = (evaluator: object) => markOwn({ eval_cfg: { evaluator } }, find).eval_cfg
  expect(evaluatorOf(judge)).toEqual({ evaluator: marked })
  expect(evaluatorOf({ type: 'CascadeEvaluator', llm_evaluator: judge })).toEqual({
    evaluator: { type: 'CascadeEvaluator', llm_evaluator: marked },
  })
  const other = { type: 'GenericLLMEvaluator', dict_postprocessor: { type: 'generic_llmjudge_postprocess' } }
  expect(evaluatorOf(other)).toEqual({ evaluator: other })
})
