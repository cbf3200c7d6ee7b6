import { afterAll, describe, expect, test } from 'vitest'
import { codeCheats } from '../../../../../../../proof/testing/code-cheats.ts'
import { hasPython, warnIfMissing } from '../../../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../../../proof/testing/python-snapshot.ts'
import { pythonSandbox } from '../../../../node/interpreters/python/python-sandbox.ts'
import { followPrograms, programResult } from '../../../run/run-code.ts'
import { type CodeCheck, checkedProgram } from './check-answer.ts'

keepPythonSnapshot()
warnIfMissing(hasPython, 'answers that cheat', 'deno and pyodide')

describe.skipIf(!hasPython)('code is tested in one Python, and runs in another (skipped where deno or pyodide is missing)', () => {
  const sandbox = pythonSandbox({ softLimit: 4000, grace: 2000 })
  afterAll(() => sandbox.close())

  const result = (check: CodeCheck, ...others: CodeCheck[]) =>
    followPrograms(checkedProgram(check, ...others), async (program) => {
      await sandbox.restart()
      return programResult(sandbox, program)
    })

  const right = 'def largest(numbers): return max(numbers)'
  const tests = ['assert largest([1, 3, 2]) == 3', 'assert largest([9, 4]) == 9', 'assert largest([-1]) == -1'].join('\n')

  test('no cheat is counted as right', async () => {
    expect(await result({ code: right, tests })).toBe('passed')
    const passing: string[] = []
    for (const [index, [name, code]] of Object.entries(codeCheats).entries())
      if ((await result({ code: code.replaceAll('FUNCTION', 'largest'), tests, isTyped: index % 2 === 0 })) === 'passed') passing.push(name)
    expect(passing).toEqual([])
  }, 300_000)

  test('right answers pass, whatever they return and however their tests call them', async () => {
    const checks: CodeCheck[] = [
      { code: 'from collections import Counter\ndef f(text): return Counter(text)', tests: "assert f('aab') == {'a': 2, 'b': 1}" },
      { code: 'def f(n): return range(n)', tests: 'assert list(f(3)) == [0, 1, 2]\nassert f(2) == range(2)' },
      { code: 'def f(n):\n    yield from (n, (n,), {n: 2.0})', tests: 'assert list(f(3)) == [3, (3,), {3: 2.0}]', isTyped: true },
      { code: 'def f(n): return 10 ** n', tests: 'assert f(5000) == 10 ** 5000\nassert f(-1) == 0.1' },
      {
        code: 'def f(n): return n ** 0.5',
        tests: 'import math\nassert math.isclose(f(2), 1.41421, rel_tol=1e-3)\nassert abs(f(4) - 2) < 1e-6',
      },
      { code: 'import math\ndef f(n): return math.pi * n', tests: 'assert math.isclose(f(1), 3.14159, rel_tol=1e-3)' },
      { code: 'def double(x): return 2 * x\ndef undo(x): return x // 2', tests: 'for x in range(5):\n    assert undo(double(x)) == x' },
      {
        code: 'class Pair:\n    def __init__(self, a, b): self.a, self.b = a, b\ndef f(pairs): return sum(p.a * p.b for p in pairs)',
        tests: 'assert f([Pair(1, 2), Pair(3, 4)]) == 14',
      },
      { code: 'class Solution:\n    def f(self, n): return n + 1', tests: 'assert Solution().f(Solution().f(1)) == 3' },
      {
        code: 'def f(key, items): return sorted(items, key=key)',
        tests: 'assert f(lambda n: -n, [1, 3, 2]) == [3, 2, 1]\nassert f(len, ["aa", "b"]) == ["b", "aa"]',
      },
      { code: 'def f(items): items.sort()', tests: 'items = [2, 1]\nf(items)\nassert items == [1, 2]' },
      {
        code: 'def f(n):\n    if n < 0: raise ValueError("negative")\n    return n',
        tests:
          'try:\n    f(-1)\nexcept ValueError as error:\n    assert "negative" in str(error)\nelse:\n    assert False\nassert f(1) == 1',
      },
      {
        code: 'from collections import namedtuple\nP = namedtuple("P", "x y")\ndef f(): return P(1, 2)',
        tests: 'assert f() == (1, 2)\nassert f().x == 1 if False else True',
      },
      { code: 'def f(text): return text + "\\ud800é\\n\\"\\\\"', tests: 'assert f("a") == "a\\ud800é\\n\\"\\\\"' },
      { code: 'def f(n): return list(range(n))', tests: 'assert f(100000) == list(range(100000))', isTyped: true },
      {
        code: 'import random\ndef f(n): return n * 2',
        tests: 'import random\nfor _ in range(20):\n    n = random.randint(0, 99)\n    assert f(n) == n + n',
      },
      { code: 'def sum(a, b): return a + b', tests: 'assert sum(1, 2) == 3' },
    ]
    const failed: string[] = []
    for (const check of checks) {
      const said = await result(check)
      if (said !== 'passed') failed.push(`${check.tests}: ${said}`)
    }
    expect(failed).toEqual([])
  }, 120_000)

  test('wrong ones fail with the error that Python gives', async () => {
    const wrong: [code: string, tests: string, said: string | RegExp, isTyped?: boolean][] = [
      ['def f(): return 1.0', 'assert f() == 1', 'failed: AssertionError', true],
      ['def f(): return True', 'assert f() == 1', 'failed: AssertionError', true],
      ['def f(): return {}["x"]', 'assert f() == 1', "failed: KeyError: 'x'"],
      ['def g(): return 1', 'assert f() == 1', "failed: NameError: name 'f' is not defined"],
      ['def f(: return 1', 'assert f() == 1', /^failed: SyntaxError: /],
      ['raise ValueError("at load")', '', 'failed: ValueError: at load'],
      ['def f(): return []', 'for x in f():\n    assert x == 1', 'failed: none of the assertions of the tests was executed'],
      ['def f(items):\n    items.clear()\n    return []', 'items = [2, 1]\nassert f(items) == sorted(items)', 'failed: AssertionError'],
      ['def f():\n    while True: pass', 'assert f() == 1', 'failed: KeyboardInterrupt'],
    ]
    for (const [code, tests, said, isTyped = false] of wrong) {
      const outcome = await result({ code, tests, isTyped })
      typeof said === 'string' ? expect(outcome).toBe(said) : expect(outcome).toMatch(said)
    }
    expect(
      await result({ code: 'def f(): return 0', tests: 'assert f() == 1' }, { code: 'def f(): return 1', tests: 'assert f() == 1' }),
    ).toBe('passed')
  }, 120_000)

  test('builtins that an answer redefines are Python’s in the tests, unless they are what is tested', async () => {
    const redefined: [code: string, tests: string][] = [
      ['def set(x): return 0\ndef f(x): return [0]', 'assert set(f([1, 3])) == set([3])'],
      ['class tuple:\n    def __new__(cls, x): return 5\ndef f(x): return [0]', 'assert tuple(f([1])) == tuple([3])'],
      ['def abs(x): return 0\ndef f(x): return 0', 'assert abs(f([1, 2]) - 2) < 1e-6'],
      ['def all(x): return True\ndef f(x): return 0', 'assert all(f(x) == y for x, y in [([1], 1)])'],
      ['class math:\n    isclose = staticmethod(lambda *_: True)\ndef f(x): return 0', 'assert math.isclose(f([1]), 1)'],
      ['def f(x): raise StopIteration', 'assert all(map(lambda n: f([n]) == n, [1, 2]))'],
    ]
    for (const [code, tests] of redefined) expect(await result({ code, tests }), tests).toMatch(/^failed/)
    const tested: [code: string, tests: string][] = [
      ['import math as np\ndef sum(a, b): return a + b', 'assert np.isclose(sum(1, 2), 3)'],
      ['def copy(a): return a', 'assert copy(1) == 1'],
      ['def max(x): return sorted(x)[-1]\ndef f(x): return max(x)', 'assert max(1, f([1, 2])) == 2'],
      ['def f(x): raise StopIteration', 'try:\n    f(1)\nexcept StopIteration:\n    pass\nelse:\n    assert False\nassert True'],
    ]
    for (const [code, tests] of tested) expect(await result({ code, tests }), tests).toBe('passed')
  }, 60_000)

  test('arguments that only the tests can make are given in one interpreter', async () => {
    const tests = 'class Node:\n    def __init__(self, value): self.value = value\nassert f(Node(3)) == 3'
    expect(await result({ code: 'def f(node): return node.value', tests })).toBe('passed')
    expect(await result({ code: 'def f(node): return 2', tests })).toBe('failed: AssertionError')
  }, 60_000)
})
