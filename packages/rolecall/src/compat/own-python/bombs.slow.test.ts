import { expect, test } from 'vitest'
import { PythonFailure } from '../../python/host/python-host.ts'
import { InterpreterHost } from './interpreter-host.ts'

function failureOf(source: string): unknown {
  const host = new InterpreterHost({
    read: (path) => (path === 'own.py' ? source : undefined),
    codeFiles: () => ['own.py'],
    data: { bytes: () => undefined, names: () => undefined, kind: () => undefined },
  })
  try {
    return host.load({ kind: 'function', name: 'own.py:run' }).call({ args: [] })
  } catch (error) {
    return error
  }
}

const bombs: Record<string, string> = {
  'a loop without an end': 'while True:\n        pass',
  'all permutations': 'import itertools\n    return len(list(itertools.permutations(range(30))))',
  'a product': 'import itertools\n    return sorted(itertools.product(range(40), repeat=8))',
  'combinations in a set': 'import itertools\n    return len(set(itertools.combinations(range(60), 20)))',
  'nested comprehensions': 'return len([[a, b, c, d] for a in range(300) for b in range(300) for c in range(300) for d in range(300)])',
  'lists of lists': 'x = [0]\n    while True:\n        x = [x, x * 2]',
  'texts that double': "x = 'ab'\n    while True:\n        x = x + x",
  'a generator without an end': 'def numbers():\n        while True:\n            yield [1] * 1000\n    return list(numbers())',
  'chained texts': "return ''.join(str(i) * 1000 for i in range(10 ** 9))",
}

test.each(Object.keys(bombs))(
  '%s is stopped within eight seconds of processor time and 300 MB',
  (name) => {
    const before = process.memoryUsage().heapUsed
    const started = process.cpuUsage()
    const failure = failureOf(`def run():\n    ${bombs[name]}\n`)
    const { user } = process.cpuUsage(started)
    expect(failure instanceof PythonFailure && failure.reason).toBe('stopped')
    // Measured: up to 3.2 s where other tests keep both cores busy.
    expect(user / 1e6).toBeLessThan(8)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300e6)
  },
  200_000,
)
