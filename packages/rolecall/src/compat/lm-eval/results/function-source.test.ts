import { expect, test } from 'vitest'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionSource } from './function-source.ts'

const files = {
  'owls/utils.py': 'def score(doc, results):\n    return {"acc": 1}\n',
  'owls/perplexity.py': 'from utils import question\n\ndef score(doc, results):\n    return {"perplexity": 2}\n\nasked = question\n',
  'owls/prompts.py': `def question(
    doc,
):
    # isn't it
    text = """Do
they {doc["verb"]}?
"""

    return text


def other(doc): pass
`,
}
const source = (path: string) => functionSource(new FunctionMark(path, 'owls/owls.yaml'), files)

test('is that of the module that the task names, where several have a function of this name', () => {
  expect(source('perplexity.score')).toBe('def score(doc, results):\n    return {"perplexity": 2}\n')
  expect(source('utils.score')).toBe('def score(doc, results):\n    return {"acc": 1}\n')
})

test('goes on after lines at the margin that are a part of a text, or end the parameters', () => {
  const question = files['owls/prompts.py'].slice(0, files['owls/prompts.py'].indexOf('\n\ndef other'))
  expect(source('prompts.question')).toBe(question)
  expect(source('perplexity.asked')).toBe(question)
})
