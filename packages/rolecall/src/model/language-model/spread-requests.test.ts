import { expect, test } from 'vitest'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import type { LanguageModel, ModelReply } from './language-model.ts'
import { spreadRequests } from './spread-requests.ts'

const prompt: Prompt = { kind: 'completion', bos: 'none', pieces: [], stop: [], notes: [] }
const reply = (text: string): ModelReply => ({ text, finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] })

/** A model whose replies arrive when the test says so. */
function held(name: string) {
  const finish: ((outcome: string | Error) => void)[] = []
  const model: LanguageModel = {
    name,
    generate: () =>
      new Promise((resolve, reject) => {
        finish.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(reply(outcome))))
      }),
  }
  return { model, finish }
}

test('requests go to the models in turn, and replies arrive in the order of the requests', async () => {
  const [a, b] = [held('a'), held('b')]
  const spread = spreadRequests([a.model, b.model])
  const arrived: string[] = []
  const asked = ['1', '2', '3'].map(async () => arrived.push((await spread.generate(prompt, { maxTokens: 1 })).text))
  expect([a.finish.length, b.finish.length, spread.concurrency]).toEqual([2, 1, 4])
  b.finish[0]!('second')
  await new Promise((resolve) => setImmediate(resolve))
  expect(arrived).toEqual([])
  a.finish[0]!('first')
  a.finish[1]!('third')
  await Promise.all(asked)
  expect(arrived).toEqual(['first', 'second', 'third'])
})

test('a failed request fails in its turn, and the next ones are answered', async () => {
  const [a, b] = [held('a'), held('b')]
  const spread = spreadRequests([a.model, b.model])
  const asked = Promise.allSettled([1, 2, 3].map(() => spread.generate(prompt, { maxTokens: 1 })))
  b.finish[0]!(new Error('broken'))
  await new Promise((resolve) => setImmediate(resolve))
  a.finish[0]!('first')
  a.finish[1]!('third')
  expect((await asked).map((one) => (one.status === 'fulfilled' ? one.value.text : one.reason.message))).toEqual([
    'first',
    'broken',
    'third',
  ])
})

test('it scores only if the models do', () => {
  expect(spreadRequests([held('a').model]).score).toBeUndefined()
})
