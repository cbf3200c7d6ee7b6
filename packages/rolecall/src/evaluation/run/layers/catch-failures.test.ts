import { describe, expect, test } from 'vitest'
import { answerOf, recordOfAnswer, rowToAsk, storeOf } from '../../../../../../proof/testing/row-to-ask.ts'
import { PromptError } from '../../../../../core/src/base/errors/prompt-error.ts'
import { Budget } from '../budget.ts'
import type { RunOptions } from '../run-types.ts'
import { catchFailures, recordFailure } from './catch-failures.ts'
import type { Answering, RowReply } from './layer.ts'

const failing = (code: string) => new PromptError(code, { where: 'm', problem: 'no reply', fix: 'try again' })
const paid = { prompt: 2, reused: 0, reply: 1 }

/** A row that gets one reply and then this error, or none. */
async function caught(error: unknown, options: RunOptions = {}) {
  const store = storeOf()
  const budget = new Budget({}, () => 0)
  const asked = rowToAsk({ store, options: { ...options, budget } })
  const next: Answering<RowReply> = async ({ onTokens }) => {
    onTokens?.(paid)
    if (error) throw error
    return undefined
  }
  const reply = await catchFailures(asked, next).catch((thrown: unknown) => ({ thrown }))
  return { reply, lost: store.spent, spent: budget.spent.tokens }
}

describe('catchFailures', () => {
  test('makes an error of the row its reply, with what the row has paid for', async () => {
    const error = failing('request-failed')
    const { reply, lost } = await caught(error)
    expect(reply).toMatchObject({ error, prediction: null, tokens: paid })
    expect(lost).toEqual([])
  })

  test('passes on errors that would hit every row, and keeps what the row has paid for', async () => {
    for (const error of [failing('server-down'), new TypeError('a bug')]) {
      const { reply, lost, spent } = await caught(error)
      expect(reply).toEqual({ thrown: error })
      expect(lost).toEqual([{ id: 0, tokens: paid, partial: true }])
      expect(spent).toBe(3)
    }
  })

  test('discards a row that was aborted, with an error or without', async () => {
    const aborted = { signal: AbortSignal.abort() }
    for (const error of [failing('request-failed'), undefined]) {
      expect(await caught(error, aborted)).toEqual({ reply: undefined, lost: [{ id: 0, tokens: paid, partial: true }], spent: 3 })
    }
  })

  test('makes an answer that was given up because of its cost an error', async () => {
    const answer = answerOf('', { notes: [{ code: 'row-cost', text: 'it has cost 3 USD' }] })
    const reply = await catchFailures(rowToAsk(), () => answer)
    expect(reply).toMatchObject({ ...answer, error: { code: 'row-cost', problem: 'the row was given up: it has cost 3 USD' } })
  })

  test('lets failed requests be recorded once the server has answered', async () => {
    const store = storeOf()
    const asked = rowToAsk({ store })
    recordFailure(asked, asked.key, failing('request-failed'))
    expect(store.added).toEqual([])
    await catchFailures(asked, () => answerOf('2'))
    expect(store.added).toMatchObject([{ prediction: null, outcome: 'failed', error: expect.stringContaining('no reply') }])
  })
})

describe('recordFailure', () => {
  test('leaves the record of the same failure, unless it was retried', () => {
    const known = recordOfAnswer(rowToAsk(), answerOf('', { prediction: null }), { error: 'before' })
    const failed = (options: RunOptions) => {
      const store = storeOf(known)
      const asked = rowToAsk({ store, options })
      return { ...recordFailure(asked, asked.key, failing('bad-row')), added: store.added.length }
    }
    expect(failed({})).toEqual({ record: known, from: 'stored', added: 0 })
    expect(failed({ retryErrors: true })).toMatchObject({ record: { outcome: 'failed' }, from: 'model', added: 1 })
  })

  test('throws where rows are only tried', () => {
    const asked = rowToAsk({ options: { throwErrors: true } })
    expect(() => recordFailure(asked, asked.key, failing('bad-row'))).toThrow('no reply')
  })
})
