import { describe, expect, test } from 'vitest'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionHost } from './function-host.ts'

/** What the function `score` of a file reaches that is not supported: a name in brackets is reached by some calls only. */
function reached(text: string): string[] {
  const find = functionHost((path) => (path === 'utils.py' ? text : undefined))
  const parts = find(new FunctionMark('utils.score', 'task.yaml')).unsupported()
  return parts.map(({ name, isCertain }) => (isCertain ? name : `(${name})`))
}

describe('what a function reaches that is not supported', () => {
  test.each([
    ['a function of a package', 'import nest\ndef score(doc): return nest.hoot(doc)', ['nest.hoot']],
    ['one that it imports itself', 'def score(doc):\n  from nest.calls import hoot\n  return hoot(doc)', ['nest.calls.hoot']],
    ['a part of a module that is missing', 'import signal\ndef score(doc): signal.setitimer(0, 1)', ['signal.setitimer']],
    ['through another function', 'import nest\ndef run(f): return f()\ndef score(doc): return run(lambda: nest.hoot(doc))', ['nest.hoot']],
    ['through a method', 'import nest\nclass Owl:\n  def __init__(self): nest.hoot()\ndef score(doc): Owl()', ['nest.hoot']],
    [
      'a value that is not known',
      'import nest\nowl = nest.Owl()\ndef score(doc): return owl.hoot(doc)',
      ['owl (a call of "nest.Owl", which is not part of the config, is not understood)'],
    ],
    ['in a branch', 'import nest\ndef score(doc):\n  if doc: nest.hoot()\n  return doc and nest.fly()', ['(nest.hoot)', '(nest.fly)']],
    [
      'in what a handler could replace',
      'def score(doc):\n  try:\n    import nest\n    nest.hoot()\n  except ImportError: pass',
      ['(nest.hoot)'],
    ],
    ['under a handler that does not catch it', 'import nest\ndef score(doc):\n  try: nest.hoot()\n  except Exception: pass', ['nest.hoot']],
    [
      'a metric of a network, unless every exception is caught',
      'import evaluate\nb = evaluate.load("bleurt")\ndef score(doc):\n  try: b.compute()\n  except Exception: pass\n  return b.compute()',
      ['the network of bleurt'],
    ],
    [
      'no metric of a network whose exceptions are caught',
      'import evaluate\nb = evaluate.load("bertscore")\ndef score(doc):\n  try: return b.compute()["f1"]\n  except Exception: return [0]',
      [],
    ],
    [
      'a metric of a network that the function loads',
      'import evaluate\ndef score(doc):\n  b = evaluate.load("bertscore")\n  return b.compute() + evaluate.load("bleurt").compute()',
      ['the network of bertscore', 'the network of bleurt'],
    ],
    [
      'none of a metric that the function loads and that no network computes',
      'import evaluate\ndef score(doc):\n  b = evaluate.load("rouge")\n  return b.compute()',
      [],
    ],
    [
      'none of a metric that is replaced before it is used, or that only one branch loads',
      'import evaluate\ndef score(doc):\n  b = evaluate.load("bertscore")\n  b = evaluate.load("rouge")\n  if doc: c = evaluate.load("bertscore")\n  else: c = evaluate.load("rouge")\n  return b.compute() + c.compute()',
      [],
    ],
    ['an own name hides it', 'import nest\ndef score(nest): return nest.hoot()', []],
    ['a name that is passed on', 'import nest\ndef score(doc): return [nest.Owl]', []],
    ['nothing', 'import re, numpy as np\ndef score(doc): return np.mean([len(re.findall("a", d)) for d in doc])', []],
  ])('%s', (_, text, expected) => expect(reached(text)).toEqual(expected))

  test('the calls of a filter are certain, other methods only if they are called', () => {
    const filter = 'import nest\nclass score:\n  def apply(self, resps, docs): return nest.hoot(resps)\n  def other(self): nest.fly()'
    expect(reached(filter)).toEqual(['nest.hoot', '(nest.fly)'])
    const base = 'import nest\nclass Owl:\n  def __init__(self): nest.hoot()\n  def apply(self, resps, docs): return nest.fly()\n'
    expect(reached(`${base}class score(Owl):\n  def __init__(self): self.age = 1`)).toEqual(['(nest.hoot)', 'nest.fly'])
  })
})
