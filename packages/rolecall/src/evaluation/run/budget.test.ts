import { expect, test } from 'vitest'
import { inferencers } from './ask/inferencers.ts'
import { Budget } from './budget.ts'
import type { Pair } from './plan-run.ts'
import type { Amount } from './record/cost.ts'
import type { RowRecord } from './record/run-record.ts'

const model = { abbr: 'm' }
const pairOf = (inferencer: 'GenInferencer' | 'PPLInferencer') =>
  ({ model, dataset: {}, inferencer: inferencers[inferencer], name: { model: 'm', dataset: inferencer } }) as Pair
const recordOf = (prompt: number, reply: number) => ({ tokens: { prompt, reused: 0, reply } }) as RowRecord
const boundOf =
  (prompt: number, most: number) =>
  (replied: Amount = { tokens: most, cost: 0 }): Amount => ({ tokens: prompt + Math.min(most, replied.tokens), cost: 0 })

/** The number of some rows that are admitted at once. */
function admitted(budget: Budget, pair: Pair, rows: number, bound: ReturnType<typeof boundOf>): number {
  return Array.from({ length: rows }, () => budget.admit(pair, bound)).filter((one) => one === true).length
}

test('rows that are only scored say nothing about the replies of a model', () => {
  const [scored, generated] = [pairOf('PPLInferencer'), pairOf('GenInferencer')]
  const budget = new Budget({ maxTokensTotal: 20_000 }, () => 0)
  for (let row = 0; row < 100; row++) budget.recorded(scored, recordOf(100, 0))
  // A row may take 4,100 of the 10,000 that are left.
  expect(admitted(budget, generated, 64, boundOf(100, 4000))).toBe(2)
})

test('after a dataset of scored rows, the first row of another is not sent if its prompt does not fit', () => {
  const budget = new Budget({ maxTokensTotal: 1000 }, () => 0)
  for (let row = 0; row < 9; row++) budget.recorded(pairOf('PPLInferencer'), recordOf(100, 0))
  expect(budget.admit(pairOf('PPLInferencer'), boundOf(500, 0))).toBe(false)
  expect(budget.reached).toMatchObject({ limit: 'max-tokens-total', spent: { tokens: 900 } })
})

test('rows are stopped by the given signal, by halt, and when the time is up; any limit takes queued rows back', async () => {
  const given = new AbortController()
  const stopped = new Budget({}, () => 0, { stop: given.signal })
  given.abort()
  expect([stopped.stop.aborted, stopped.admit(pairOf('GenInferencer'), boundOf(1, 1))]).toEqual([true, false])
  const halted = new Budget({}, () => 0)
  halted.halt()
  expect(halted.stop.aborted).toBe(true)
  const reached: string[] = []
  const timed = new Budget({ maxTime: 0.01 }, () => performance.now(), { onReached: ({ limit }) => void reached.push(limit) })
  await timed.untilTimeIsUp(() => new Promise<void>((resolve) => timed.stop.addEventListener('abort', () => resolve())))
  expect(reached).toEqual(['max-time'])
  const spent = new Budget({ maxTokensTotal: 5 }, () => 0)
  spent.recorded(pairOf('GenInferencer'), recordOf(3, 2))
  expect([spent.isSpent(), spent.recall.aborted, spent.stop.aborted]).toEqual([true, true, false])
})
