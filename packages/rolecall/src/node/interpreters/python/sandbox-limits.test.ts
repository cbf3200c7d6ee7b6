import { expect, test } from 'vitest'
import { dataLimit } from './sandbox-limits.ts'

test.for<[NodeJS.Architecture, memory: number, overhead: number, limit: number]>([
  ['arm64', 512, 1024, 2560],
  ['x64', 512, 1024, 3584],
  ['arm64', 256, 1024, 2304],
  ['x64', 256, 1024, 3328],
  // An unknown architecture gets the larger code range.
  ['riscv64', 512, 1024, 3584],
])('on %s, %i MiB of Python and %i MiB of overhead allow %i MiB of data', ([architecture, memory, overhead, limit]) => {
  expect(dataLimit({ memory, overhead }, architecture)).toBe(limit)
})

test.for<[NodeJS.Architecture, threads: number, needed: number]>([
  // Writable mappings of Deno 2.9.5 with this many idle threads, in MiB.
  ['arm64', 3, 823],
  ['arm64', 7, 1889],
  ['x64', 3, 1600],
])('on %s the default limit leaves room for Python beside %i threads', ([architecture, , needed]) => {
  const [memory, overhead] = [512, 1024]
  expect(dataLimit({ memory, overhead }, architecture)).toBeGreaterThanOrEqual(needed + memory)
})
