import { expect, test } from 'vitest'
import { answerOf, recordOfAnswer, rowToAsk, storeOf } from '../../../../../../proof/testing/row-to-ask.ts'
import { PromptError } from '../../../../../core/src/base/errors/prompt-error.ts'
import type { PairContext, Referee } from '../pair-context.ts'
import { judgeAnswer, judgeReply } from './judge-answer.ts'

/** A judge that says this; the context, and what it records. */
function judgedBy(judge: Referee['judge'], context: Partial<PairContext> = {}) {
  const store = storeOf()
  return { store, asked: rowToAsk({ store, referee: { name: 'the judge', judge }, ...context }) }
}

const failing = (code: string) => new PromptError(code, { where: 'judge', problem: 'no reply', fix: 'try again' })

test('a reply is scored and recorded', async () => {
  const store = storeOf()
  const answered = await judgeReply(rowToAsk({ store }), () => answerOf('2'))
  expect(answered).toMatchObject({ from: 'model', record: { id: 0, prediction: '2', gold: '2', score: 1, tokens: { reply: 1 } } })
  expect(store.added).toEqual([answered.record])
})

test('a row without a reply has no record, one with an error a failed one', async () => {
  const store = storeOf()
  const asked = rowToAsk({ store })
  expect(await judgeReply(asked, () => undefined)).toEqual({ from: 'nowhere' })
  expect(store.added).toEqual([])
  await judgeReply(asked, () => ({ ...answerOf('2'), error: failing('bad-row') }))
  expect(store.added).toMatchObject([{ key: asked.key, prediction: null, outcome: 'failed', tokens: { reply: 1 } }])
})

test('an answer is recorded before the judge is asked: an interrupted run asks only the judge again', async () => {
  const { store, asked } = judgedBy(async () => {
    expect(store.added).toMatchObject([{ prediction: '2', score: undefined }])
    return { said: '2', key: 'k' }
  })
  const answered = await judgeAnswer(asked, answerOf('2'), 'model')
  expect(answered.record).toMatchObject({ score: 1, details: { judge_key: 'k', judge_said: '2' } })
  expect(store.added).toHaveLength(2)
})

test('the error of a judge is that of the row, unless every row would have it', async () => {
  const refused = judgedBy(() => Promise.reject(failing('request-failed')))
  const answered = await judgeAnswer(refused.asked, answerOf('2'), 'model')
  expect(answered.record).toMatchObject({ prediction: '2', outcome: 'failed', error: expect.stringContaining('the judge: ') })
  const down = judgedBy(() => Promise.reject(failing('server-down')))
  await expect(judgeAnswer(down.asked, answerOf('2'), 'model')).rejects.toMatchObject({ code: 'server-down' })
})

test('a stored answer that the judge is asked about again is reported as judged', async () => {
  const { asked } = judgedBy(async () => ({ said: '2', key: 'new' }))
  const before = recordOfAnswer(asked, answerOf('2'), { details: { judge_key: 'old', judge_said: '1' } })
  expect(await judgeAnswer(asked, before, 'stored', before)).toMatchObject({ judged: true, record: { details: { judge_key: 'new' } } })
})

test('a record that is only rescored keeps its key, and is written only if it changes', async () => {
  const store = storeOf()
  const asked = rowToAsk({ store, options: { offline: true } })
  const before = recordOfAnswer(asked, answerOf('2'), { key: 'of an older version' })
  const first = await judgeAnswer(asked, before, 'stored', before)
  expect(first.record).toMatchObject({ key: 'of an older version', score: 1 })
  expect(store.added).toHaveLength(1)
  await judgeAnswer(asked, first.record!, 'stored', first.record)
  expect(store.added).toHaveLength(1)
})
