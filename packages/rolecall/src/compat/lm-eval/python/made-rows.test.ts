import { describe, expect, test } from 'vitest'
import { repr } from '../../../../../core/src/base/python/values/repr.ts'
import { plainText } from '../../../../../core/src/base/python/values/text.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionHost } from './function-host.ts'

/** The result of `run()` in a file, as Python prints it. */
function run(source: string): string {
  const find = functionHost((path) => (path === 'owls/utils.py' ? source : undefined))
  return plainText(repr(find(new FunctionMark('utils.run', 'owls/t.yaml')).call([])))
}

// The expected values were printed by Python 3.11 with numpy and scipy.
describe('functions that make rows draw and compute as Python does', () => {
  test('random bits, and UUIDs of them', () => {
    expect(run('import random\ndef run():\n    return [random.getrandbits(128), random.getrandbits(5)]')).toBe(
      '[302934307671667531413257853548643485645, 13]',
    )
    const source = `
import random, uuid
def run():
    random.getrandbits(128), random.getrandbits(5)
    made = uuid.UUID(int=random.getrandbits(128), version=4)
    return [str(made), f"{made}", repr(made), made.hex, random.getrandbits(40)]
`
    const text = '82e2e662-f728-44fa-8248-5e3a0a5d2f34'
    expect(run(source)).toBe(`['${text}', '${text}', "UUID('${text}')", '${text.replaceAll('-', '')}', 444468675045]`)
    expect(() => run('import uuid\ndef run():\n    return uuid.UUID(int=1 << 128)')).toThrow('int is out of range')
  })

  test('numbers of numpy.random, with the seed of the harness or another', () => {
    const source = `
import numpy as np
from numpy.random import randint
def run():
    first = [np.random.randint(10000, 99999), randint(10000, 99999), np.random.randint(10000, 99999), np.random.randint(7)]
    np.random.seed(5)
    return [first, np.random.randint(0, 1000)]
`
    expect(run(source)).toBe('[[68067, 44086, 70620, 4], 867]')
    expect(() => run('import numpy as np\ndef run():\n    return np.random.randint(3, 3)')).toThrow('low >= high')
  })

  test('numpy.linspace and scipy.special.zeta', () => {
    const source = `
import numpy as np
from scipy.special import zeta
def run():
    whole = list(np.round(np.linspace(0, 100, num=7, endpoint=True)).astype(int))
    return [whole, list(np.linspace(0, 1, 4, endpoint=False)), zeta(2.0), abs(zeta(3.5) - 1.1267338673170566) < 1e-15, abs(zeta(1.1) - 10.584448464950803) < 1e-13]
`
    expect(run(source)).toBe('[[0, 17, 33, 50, 67, 83, 100], [0.0, 0.25, 0.5, 0.75], 1.6449340668482264, True, True]')
  })

  test('texts of all pairs of two lists, and no other comprehension, are made at once', () => {
    const source = `
first, second = ["a", "b"], ["x", "y"]
def run():
    pairs = [f"{one}-{other}{one}" for one in first for other in second]
    odd = [f"{one!r}{other:>2}" for one in first for other in second if other != "x"]
    own = [f"{letter}{word}" for word in ["ab", "c"] for letter in word]
    numbers = [1, 2]
    return [pairs, odd, own, [f"{number}" for number in numbers], [f"{one}{one}" for one in first for one in second]]
`
    expect(run(source)).toBe(
      `[['a-xa', 'a-ya', 'b-xb', 'b-yb'], ["'a' y", "'b' y"], ['aab', 'bab', 'cc'], ['1', '2'], ['xx', 'yy', 'xx', 'yy']]`,
    )
  })

  test('pairs with an empty list are none, however long the others are', () => {
    const source = `
many, none = ["a"] * 10000, []
def run():
    return [f"{one}{two}{three}" for one in many for two in many for three in none]
`
    expect(run(source)).toBe('[]')
  })

  test('texts are sorted by code point', () => {
    expect(run('def run():\n    return [sorted(["b", "é", "a", "B"]), sorted(["\\uffff", "\\U0001f600", "a"], reverse=True)]')).toBe(
      `[['B', 'a', 'b', 'é'], ['😀', '\\uffff', 'a']]`,
    )
  })
})
