import { expect, test } from 'vitest'
import { PythonRandom } from './random.ts'

// The numbers are what CPython 3.11 prints, e.g. `r = random.Random(0); [r.getrandbits(32) for _ in range(3)]`.
test('bits are those of random.Random(seed).getrandbits', () => {
  const bits = (seed: number | bigint) => {
    const random = new PythonRandom(seed)
    return [random.bits(32), random.bits(32), random.bits(7)]
  }
  expect(bits(0)).toEqual([3626764237, 1654615998, 97])
  expect(bits(123456)).toEqual([3460142176, 3624162059, 101])
  expect(bits(2n ** 40n + 5n)).toEqual([2166296868, 2220160828, 34])
})

test.each([
  [-1n, [577090037, 2444712010, 3639700191]], // the sign of a seed does not count
  [1n, [577090037, 2444712010, 3639700191]],
  [-7n, [1390851128, 4071050724, 647892279]],
  [2n ** 32n, [485306839, 1508871100, 1794561286]],
  [2n ** 64n + 5n, [2192917427, 3085273184, 3778534651]],
  [-(2n ** 40n), [445128065, 1517081360, 2880015531]],
])('the seed %s', (seed, expected) => {
  const random = new PythonRandom(seed)
  expect(expected.map(() => random.bits(32))).toEqual(expected)
})

test('the state is refilled after 624 numbers', () => {
  const random = new PythonRandom(7)
  for (let count = 0; count < 2000; count++) random.bits(32)
  expect(random.bits(32)).toBe(4083946869)
})

test('a shuffled list is that of random.Random(seed).shuffle', () => {
  expect(new PythonRandom(42).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual([7, 3, 2, 8, 5, 6, 9, 4, 0, 1])
  expect(new PythonRandom(42).shuffle([])).toEqual([])
})
