import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPython, warnIfMissing } from '../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../proof/testing/python-snapshot.ts'
import { humanEvalProgram } from '../../compat/opencompass/evaluators/code/humaneval-program.ts'
import { type PythonSandbox, pythonSandbox } from '../../node/interpreters/python/python-sandbox.ts'
import { codeOf, runCode } from './run-code.ts'

keepPythonSnapshot()

const row = {
  prompt: 'def add(a, b):\n    """Adds two numbers."""\n',
  test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(-1, 1) == 0\n',
  entry_point: 'add',
}
warnIfMissing(hasPython, 'answers that are tested by running them', 'deno and pyodide')

describe.skipIf(!hasPython)('answers that are tested by running them (skipped where deno or pyodide is missing)', () => {
  let sandbox: PythonSandbox
  beforeAll(async () => {
    sandbox = pythonSandbox({ softLimit: 2000, grace: 1000 })
    await sandbox.start!()
  }, 120_000)
  afterAll(() => sandbox?.close())

  const result = async (prediction: string | string[], before?: never) => {
    const context = {
      program: humanEvalProgram,
      environment: { hash: (text: string) => text },
      options: {},
      interpreter: async () => sandbox,
    }
    return (await runCode(context, { row, prediction, reference: undefined }, before)).said
  }

  test('pass if the tests of their row do: a body, a whole function, a code block in a chat', async () => {
    expect(await result('    return a + b\n')).toBe('passed')
    expect(await result('return a + b')).toBe('passed')
    expect(await result('Sure!\n```python\ndef add(a, b):\n    return a + b\n```\nThat is it.')).toBe('passed')
    expect(await result('```python\nif a < 0:\n    pass\nreturn a + b\n```')).toBe('passed')
  }, 60_000)

  test('fail with the error', async () => {
    expect(await result('    return a - b\n')).toBe('failed: AssertionError')
    expect(await result('I cannot')).toMatch(/^failed: SyntaxError/)
    expect(await result('    import sys\n    sys.exit(0)\n')).toMatch(/^failed/)
  }, 60_000)

  test('cannot affect the next one', async () => {
    const usesAll =
      'import math\n    def deep(n):\n        return n if n == 0 else deep(n - 1)\n    return sum([abs(a) and a, b]) + deep(200) + int(math.sqrt(0))\n'
    const right = [`    ${usesAll}`, 'passed']
    const wrong = ['    return a - b\n', 'failed: AssertionError']
    const vandals = [
      {
        vandal: "import builtins, sys\nbuiltins.sum = lambda *_: 3\nsys.modules['math'] = builtins\nsys.setrecursionlimit(30)",
        next: right,
      },
      { vandal: 'import builtins\nbuiltins.AssertionError = BaseException\nbuiltins.exec = lambda *_: None', next: wrong },
      { vandal: 'import js\njs.globalThis.Array.prototype.map = None\nopen("/lib/python314.zip", "wb").write(b"")', next: right },
    ]
    for (const {
      vandal,
      next: [answer, expected],
    } of vandals) {
      expect(await result(`${vandal}\ndef add(a, b):\n    return a + b\n`)).toMatch(/^(?:passed|failed)/)
      expect(await result(answer!)).toBe(expected)
    }
  }, 120_000)

  test('cannot affect concurrent ones', async () => {
    const vandal = 'import builtins\nbuiltins.exec = lambda *_: None\ndef add(a, b):\n    return a + b\n'
    const wrong = '    return a - b\n'
    const [, ...others] = await Promise.all([vandal, wrong, wrong].map((answer) => result(answer)))
    expect(others).toEqual(['failed: AssertionError', 'failed: AssertionError'])
  }, 60_000)

  test('that are interrupted externally have neither passed nor failed', async () => {
    const controller = new AbortController()
    const context = {
      program: humanEvalProgram,
      environment: { hash: (text: string) => text },
      options: { signal: controller.signal },
      interpreter: async () => sandbox,
    }
    const judged = runCode(context, { row, prediction: '    while True:\n        pass\n', reference: undefined }, undefined)
    setTimeout(() => controller.abort(), 300)
    expect((await judged).said).toBeUndefined()
    expect(await result('    return a + b\n')).toBe('passed')
  }, 60_000)

  test('that never terminate are stopped without affecting the next one', async () => {
    expect(await result('    while True:\n        pass\n')).toMatch(/^failed/)
    expect(await result(['    return a + b', '    return 3'])).toEqual(['passed', 'failed: AssertionError'])
  }, 30_000)
})

test('the same program is not run again', async () => {
  const context = {
    program: humanEvalProgram,
    environment: { hash: (text: string) => `${text.length}`.padStart(32, '0') },
    options: {},
    interpreter: () => Promise.reject(new Error('it was opened')),
  }
  const key = context.environment.hash(codeOf(humanEvalProgram(row, 'return 1')))
  const before = { details: { judge_key: key, judge_said: 'passed' } } as never
  expect(await runCode(context, { row, prediction: 'return 1', reference: undefined }, before)).toEqual({ said: 'passed', key })
  await expect(runCode(context, { row, prediction: 'return 12', reference: undefined }, before)).rejects.toThrow('it was opened')
})
