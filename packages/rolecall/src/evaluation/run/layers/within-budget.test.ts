import { expect, test } from 'vitest'
import { answerOf, recordOfAnswer, rowToAsk } from '../../../../../../proof/testing/row-to-ask.ts'
import { Budget, type RunLimits } from '../budget.ts'
import type { AnsweredRow } from './layer.ts'
import { stayOffline } from './stay-offline.ts'
import { withinBudget } from './within-budget.ts'

const rowWith = (limits: RunLimits) => {
  const budget = new Budget(limits, () => 0)
  return { budget, asked: rowToAsk({ options: { budget } }) }
}
const tokens = (prompt: number, reply: number) => ({ prompt, reused: 0, reply })

test('what a row took is counted, and no row is sent once nothing is left', async () => {
  const { budget, asked } = rowWith({ maxTokensTotal: 100 })
  const answered: AnsweredRow = { record: recordOfAnswer(asked, answerOf('2', { tokens: tokens(60, 40) })), from: 'model' }
  expect(await withinBudget(asked, () => answered)).toBe(answered)
  expect(budget.spent.tokens).toBe(100)
  expect(await withinBudget(asked, () => Promise.reject(new Error('sent')))).toEqual({ from: 'nowhere' })
  expect(budget.reached).toMatchObject({ limit: 'max-tokens-total' })
})

test('of a row whose first attempt was counted before, only the tokens since then are', async () => {
  const { budget, asked } = rowWith({ maxTokensTotal: 100 })
  const record = recordOfAnswer(asked, answerOf('2', { tokens: tokens(20, 10) }))
  await withinBudget(asked, () => ({ record, from: 'model', tokens: tokens(4, 3) }))
  expect(budget.spent.tokens).toBe(7)
})

test('a row that ends the run is no longer in flight', async () => {
  const { budget, asked } = rowWith({ maxTokensTotal: 100 })
  await expect(
    withinBudget(asked, () => {
      expect(budget.isBusy).toBe(true)
      return Promise.reject(new Error('the server is down'))
    }),
  ).rejects.toThrow('the server is down')
  expect(budget.isBusy).toBe(false)
})

test('a run without a budget sends every row, an offline one none', async () => {
  const sent = (): AnsweredRow => ({ from: 'model' })
  expect(await withinBudget(rowToAsk(), sent)).toEqual({ from: 'model' })
  expect(await stayOffline(rowToAsk(), sent)).toEqual({ from: 'model' })
  expect(await stayOffline(rowToAsk({ options: { offline: true } }), sent)).toEqual({ from: 'nowhere' })
})
