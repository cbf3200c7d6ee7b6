import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../folder-with.ts'
import { judgePair, readTruth } from './judge-truth.ts'

const folder = fileURLToPath(new URL('../../../../shared/foreign-results', import.meta.url))
const isThere = existsSync(folder)
const before = process.env.ROLECALL_CACHE

beforeAll(() => {
  process.env.ROLECALL_CACHE = folderWith({})
})

afterAll(() => {
  if (before === undefined) delete process.env.ROLECALL_CACHE
  else process.env.ROLECALL_CACHE = before
})

test.skipIf(!isThere)(
  'of pairs of real results with one known cause, at least 95 % have it found with its change and rows (needs ../shared)',
  { timeout: 60_000 },
  async () => {
    const judged = []
    for (const pair of readTruth(folder)) judged.push(await judgePair(folder, pair))
    const wrong = judged.filter((one) => one.wrong.length > 0).map(({ pair, wrong }) => `${pair.a} → ${pair.b}: ${wrong.join('; ')}`)
    expect(judged.length).toBeGreaterThan(50)
    expect(wrong.length / judged.length, wrong.join('\n')).toBeLessThanOrEqual(0.05)
  },
)
