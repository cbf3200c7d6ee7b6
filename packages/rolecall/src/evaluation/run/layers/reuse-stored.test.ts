import { expect, test } from 'vitest'
import { answerOf, recordOfAnswer, rowToAsk, storeOf } from '../../../../../../proof/testing/row-to-ask.ts'
import type { RunOptions } from '../run-types.ts'
import type { AskedRow } from './asked-row.ts'
import type { AnsweredRow } from './layer.ts'
import { reuseStored } from './reuse-stored.ts'

const key = rowToAsk().key
const cut = answerOf('1', { finish: 'length' })
const failed = answerOf('', { prediction: null })

/** The row with this record; `passed`: the row as it was passed on. */
async function reused(record: Parameters<typeof storeOf>[0], options: RunOptions = {}) {
  const store = storeOf(record)
  const passed: AskedRow[] = []
  const answered = await reuseStored(rowToAsk({ store, options }), (asked): AnsweredRow => {
    passed.push(asked)
    return { from: 'model' }
  })
  return { answered, passed, added: store.added }
}

test('a row with a record is not sent again, but scored by the current config', async () => {
  const { answered, passed, added } = await reused(recordOfAnswer(rowToAsk(), answerOf('2'), { score: 0 }))
  expect(passed).toEqual([])
  expect(answered).toMatchObject({ from: 'stored', record: { prediction: '2', score: 1 } })
  expect(added).toEqual([answered.record])
})

test('a record that scoring does not change is not written again', async () => {
  const first = await reused(recordOfAnswer(rowToAsk(), answerOf('2'), { score: 1 }))
  const again = await reused(first.answered.record!)
  expect([first.added.length, again.added.length]).toEqual([1, 0])
})

test('a row without a record is passed on', async () => {
  const { passed } = await reused(recordOfAnswer(rowToAsk(), answerOf('2'), { key: 'of another prompt' }))
  expect(passed).toMatchObject([{ key, id: 0 }])
  expect(passed[0]!.cut).toBeUndefined()
})

test('a failed row is passed on only with retryErrors', async () => {
  const record = recordOfAnswer(rowToAsk(), failed, { error: 'no reply' })
  expect(await reused(record)).toMatchObject({ answered: { from: 'stored', record }, passed: [] })
  expect((await reused(record, { retryErrors: true })).passed).toHaveLength(1)
})

test('a cut answer is passed on to be retried, unless it was retried with as many tokens or nothing may be sent', async () => {
  const record = recordOfAnswer(rowToAsk(), cut)
  expect((await reused(record)).passed).toEqual([])
  expect((await reused(record, { retryCut: 2 })).passed).toMatchObject([{ cut: record }])
  expect((await reused(record, { retryCut: 2, offline: true })).passed).toEqual([])
  const retried = { ...record, cut_before: { prediction: '1', max_out_len: 8, retried_with: 16 } }
  expect((await reused(retried, { retryCut: 2 })).passed).toEqual([])
  expect((await reused(retried, { retryCut: 3 })).passed).toHaveLength(1)
})

test('the record of another row with the same prompt was paid for there', async () => {
  const judged = recordOfAnswer(rowToAsk(), answerOf('2'), { id: 7, details: { judge_tokens: { prompt: 9, reused: 0, reply: 1 } } })
  const { answered } = await reused(judged)
  expect(answered.record).toMatchObject({ id: 0, cached: true })
  expect(answered.record!.details?.judge_tokens).toBeUndefined()
})
