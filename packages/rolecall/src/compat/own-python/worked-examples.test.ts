import { afterEach, beforeEach, expect, test } from 'vitest'
import { runExample } from '../../../../../proof/testing/run-example.ts'
import { postprocessorOf } from '../../evaluation/score/postprocess/postprocessors.ts'
import { chosenPythonHost, usePythonHost } from '../../python/host/current-host.ts'
import { InterpreterHost } from './interpreter-host.ts'
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
