import { expect, test } from 'vitest'
import { answerOf, rowToAsk, storeOf } from '../../../../../../proof/testing/row-to-ask.ts'
import type { PairContext } from '../pair-context.ts'
import type { RowAnswer } from '../record/run-record.ts'
import type { AskedRow } from './asked-row.ts'
import type { AnsweredRow } from './layer.ts'
import { cacheReply, reuseCached } from './reuse-cached.ts'

/** A cache in memory with one answer; like a real one, it drops answers that fail the check. */
function cacheWith(answer?: RowAnswer) {
  const added: [question: string, answer: RowAnswer][] = []
  const find: NonNullable<PairContext['cache']>['find'] = (_, check) => (answer && check(answer) === undefined ? answer : undefined)
  return { added, find, add: (question: string, reply: RowAnswer) => void added.push([question, reply]) }
}

async function reused(answer: RowAnswer, context: Partial<PairContext> = {}, given: Partial<AskedRow> = {}) {
  const store = storeOf()
  const passed: AskedRow[] = []
  const asked = { ...rowToAsk({ store, cache: cacheWith(answer), ...context }), ...given }
  const answered = await reuseCached(asked, (row): AnsweredRow => {
    passed.push(row)
    return { from: 'model' }
  })
  return { answered, passed, added: store.added }
}

test('an answer of an earlier run is scored and recorded as cached', async () => {
  const { answered, passed, added } = await reused(answerOf('2'))
  expect(passed).toEqual([])
  expect(answered).toMatchObject({ from: 'cached', record: { prediction: '2', score: 1, cached: true } })
  expect(added).toEqual([answered.record])
})

test('an answer to another prompt is not reused', async () => {
  expect((await reused(answerOf('2', { prompt_hash: 'f'.repeat(64) }))).passed).toHaveLength(1)
})

test('answers are neither looked up nor kept if the model would give another one', async () => {
  expect((await reused(answerOf('2'), { isRepeatable: false })).passed).toHaveLength(1)
  const cache = cacheWith()
  await cacheReply(rowToAsk({ cache, isRepeatable: false }), () => answerOf('2'))
  expect(cache.added).toEqual([])
})

test('a cut answer is passed on to be retried: this run has not paid for it', async () => {
  const cut = answerOf('1', { finish: 'length' })
  const { passed } = await reused(cut, { options: { retryCut: 2 } })
  expect(passed).toMatchObject([{ cut: { prediction: '1', tokens: { prompt: 0, reused: 0, reply: 0 }, milliseconds: 0 } }])
})

test('a cut answer of this run goes before a cut one of an earlier run, and after a whole one', async () => {
  const ours = answerOf('ours', { finish: 'length' })
  const retrying = { options: { retryCut: 2 } }
  expect((await reused(answerOf('1', { finish: 'length' }), retrying, { cut: ours })).passed).toMatchObject([{ cut: ours }])
  expect((await reused(answerOf('2'), retrying, { cut: ours })).answered.record).toMatchObject({ prediction: '2' })
})

test('of a cached answer, only the log-probabilities that this run keeps are recorded', async () => {
  const cached = answerOf('2', { scores: [{ label: '2', value: -1, log_probabilities: [-1] }] })
  const cache = { find: () => cached, add: () => {} }
  const { answered } = await reused(cached, { cache, options: { logProbabilities: 'labels' } })
  expect(answered.record?.scores).toEqual([{ label: '2', value: -1 }])
})

test('first answers are kept for later runs, retries and answers given up because of their cost are not', async () => {
  const cache = cacheWith()
  const asked = rowToAsk({ cache })
  expect(await cacheReply(asked, () => answerOf('2'))).toEqual(answerOf('2'))
  await cacheReply({ ...asked, retry: { maxTokens: 16, spent: answerOf('2').tokens } }, () => answerOf('3'))
  await cacheReply(asked, () => answerOf('4', { notes: [{ code: 'row-cost', text: 'too much' }] }))
  await cacheReply(asked, () => undefined)
  expect(cache.added).toEqual([[asked.question, answerOf('2')]])
})
