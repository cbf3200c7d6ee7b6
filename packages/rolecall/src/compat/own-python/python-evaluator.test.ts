import type { PyDict } from '@rolecall/core/internal/python'
import { afterEach, expect, test } from 'vitest'
import type { PythonHost } from '../../python/host/python-host.ts'
import { InterpreterHost } from './interpreter-host.ts'
import { setOwnPythonHosts } from './own-object.ts'
import { pythonEvaluator } from './python-evaluator.ts'

const source = `
class Same:
    def score(self, predictions, references, test_set=None):
        return {'accuracy': 100 * sum(p == r for p, r in zip(predictions, references)) / len(predictions)}

class ByRow:
    def score(self, predictions, references, test_set):
        rows = [p == row['also'] for p, row in zip(predictions, test_set)]
        return {'accuracy': 100 * sum(rows) / len(rows)}

def by_row(predictions, references, rows):
    return {'accuracy': 100 * sum(p == row['also'] for p, row in zip(predictions, rows)) / len(rows)}

class SomeRows:
    def score(self, predictions, references, test_set):
        right = [p == r or row['also'] == p for p, r, row in zip(predictions, references, test_set)]
        return {'accuracy': 100 * sum(right) / len(right)}
`

function evaluatorOf(name: string): { judge(prediction: string, reference: string, row: PyDict): number; calls(): number } {
  const data = { bytes: () => undefined, names: () => undefined, kind: () => undefined }
  const host = new InterpreterHost({ read: (path) => (path === 'own.py' ? source : undefined), codeFiles: () => ['own.py'], data })
  let calls = 0
  const counting: PythonHost = {
    host: 'interpreter',
    load(given) {
      const object = host.load(given)
      return {
        ...object,
        call(asked) {
          calls++
          return object.call(asked)
        },
      }
    },
  }
  setOwnPythonHosts(() => counting)
  const evaluator = pythonEvaluator({ object: `own.py:${name}`, folder: '.' })
  return {
    judge: (prediction, reference, row) => evaluator.judge({ prediction, reference, row: row as never }).score,
    calls: () => calls,
  }
}

afterEach(() =>
  setOwnPythonHosts(
    () =>
      new InterpreterHost({
        read: () => undefined,
        codeFiles: () => [],
        data: { bytes: () => undefined, names: () => undefined, kind: () => undefined },
      }),
  ),
)

test('equal answers are scored again by a function that takes the rows', () => {
  const { judge } = evaluatorOf('by_row')
  expect([judge('A', 'B', { also: 'A' }), judge('A', 'B', { also: 'C' })]).toEqual([1, 0])
})

test('equal answers are scored once by a class that does not read the row', () => {
  const same = evaluatorOf('Same')
  expect([same.judge('A', 'A', { also: 'A' }), same.judge('A', 'A', { also: 'B' }), same.judge('A', 'B', { also: 'A' })]).toEqual([1, 1, 0])
  expect(same.calls()).toBe(2)
})

test('answers that only look alike when joined are scored apart', () => {
  const same = evaluatorOf('Same')
  expect([same.judge('1 A', 'A', {}), same.judge('1', ' AA', {}), same.judge('AB', 'AB', {}), same.judge('A', 'BAB', {})]).toEqual([
    0, 0, 1, 0,
  ])
  expect(same.calls()).toBe(4)
})

test.each(['ByRow', 'SomeRows'])('%s, which reads the row, is asked for each', (name) => {
  const byRow = evaluatorOf(name)
  expect([byRow.judge('A', 'B', { also: 'A' }), byRow.judge('A', 'B', { also: 'C' })]).toEqual([1, 0])
  expect(byRow.calls()).toBe(2)
})
