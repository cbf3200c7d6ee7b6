import { expect, test } from 'vitest'
import { answerOf, recordOfAnswer, rowToAsk } from '../../../../../../proof/testing/row-to-ask.ts'
import { PromptError } from '../../../../../core/src/base/errors/prompt-error.ts'
import { Budget } from '../budget.ts'
import type { RunOptions } from '../run-types.ts'
import type { AskedRow } from './asked-row.ts'
import type { RowReply } from './layer.ts'
import { countRetry, retryCut } from './retry-cut.ts'

const cut = answerOf('Well', { finish: 'length' })
const failing = (code: string) => new PromptError(code, { where: 'm', problem: 'max_tokens is too large', fix: 'less' })

/** The replies to the first attempt and to the retry. */
async function retried(replies: readonly (RowReply | Error)[], options: RunOptions = { retryCut: 2 }, given: Partial<AskedRow> = {}) {
  const left = [...replies]
  const sent: AskedRow['retry'][] = []
  const asked = { ...rowToAsk({ options }), ...given }
  const reply = await retryCut(asked, async ({ retry, onTokens }) => {
    sent.push(retry)
    const next = left.shift()
    onTokens?.({ prompt: 2, reused: 0, reply: 1 })
    if (next instanceof Error) throw next
    return next
  })
  return { reply, sent }
}

test('a cut answer is asked again with a larger limit, and both answers are recorded', async () => {
  const { reply, sent } = await retried([cut, answerOf('2')])
  expect(sent).toEqual([undefined, { maxTokens: 16, spent: cut.tokens }])
  expect(reply).toMatchObject({
    prediction: '2',
    tokens: { prompt: 4, reused: 0, reply: 2 },
    milliseconds: 10,
    cut_before: { prediction: 'Well', max_out_len: 8, retried_with: 16 },
    notes: [{ code: 'retry-cut', text: 'the first answer hit the limit of 8 tokens; this is the answer with a limit of 16' }],
  })
})

test('whole answers are not asked again, nor cut ones without a larger limit', async () => {
  expect(await retried([answerOf('2')])).toEqual({ reply: answerOf('2'), sent: [undefined] })
  expect(await retried([cut], {})).toEqual({ reply: cut, sent: [undefined] })
  expect(await retried([undefined])).toEqual({ reply: undefined, sent: [undefined] })
})

test('of an answer from before only the retry is sent; what it said first stays', async () => {
  const before = { ...cut, cut_before: { prediction: 'W', max_out_len: 4, retried_with: 8 } }
  const { reply, sent } = await retried([answerOf('2')], { retryCut: 2 }, { cut: before })
  expect(sent).toEqual([{ maxTokens: 16, spent: cut.tokens }])
  expect(reply?.cut_before).toEqual({ prediction: 'W', max_out_len: 4, retried_with: 16 })
})

test('a retry that fails leaves the first answer, with a note and what both took', async () => {
  const { reply } = await retried([cut, failing('request-failed')])
  expect(reply).toMatchObject({ prediction: 'Well', finish: 'length', tokens: { prompt: 4, reply: 2 } })
  expect(reply?.notes).toMatchObject([{ code: 'retry-cut', text: expect.stringContaining('the retry with 16 tokens failed: ') }])
})

test('an aborted retry leaves the first answer, with what both took', async () => {
  expect((await retried([cut, undefined])).reply).toEqual({ ...cut, tokens: { prompt: 4, reused: 0, reply: 2 } })
})

test('an error that would hit every row ends the run, in a retry too', async () => {
  await expect(retried([cut, failing('server-down')])).rejects.toMatchObject({ code: 'server-down' })
})

test('a cut answer is left if a limit of the run is reached', async () => {
  const budget = new Budget({ maxTokensTotal: 0 }, () => 0)
  const { reply, sent } = await retried([cut], { retryCut: 2, budget })
  expect(sent).toEqual([undefined])
  expect(reply?.notes).toEqual([{ code: 'retry-cut', text: 'it was not retried with 16 tokens: a limit of the run is reached' }])
})

test('a cut answer is left if the row has cost what it may', async () => {
  const asked = rowToAsk({ options: { retryCut: 2 } }, { price: { input: 1e6, output: 1e6 }, perRow: 3 })
  const reply = await retryCut(asked, () => cut)
  expect(reply?.notes).toMatchObject([{ text: expect.stringContaining('it was not retried with 16 tokens: it has cost 3.00 USD') }])
})

test('only the retry of an answer from before is counted', async () => {
  const record = recordOfAnswer(rowToAsk(), answerOf('2', { tokens: { prompt: 4, reused: 1, reply: 9 } }))
  const next = () => ({ record, from: 'model' as const })
  expect(await countRetry(rowToAsk(), next)).toEqual({ record, from: 'model' })
  const counted = await countRetry({ ...rowToAsk(), cut }, next)
  expect(counted).toEqual({ record, from: 'model', tokens: { prompt: 2, reused: 1, reply: 8 } })
})
