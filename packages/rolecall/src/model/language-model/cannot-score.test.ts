import { expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { asCompletion, cannotScoreAt, cannotScoreMessages, isCannotScore, scorerOf } from './cannot-score.ts'
import type { LanguageModel } from './language-model.ts'
import { stopsRun } from './stops-run.ts'

const mute: LanguageModel = { name: 'mute', generate: () => Promise.reject(new Error('not asked')) }

test('every model that cannot score throws the same error, which ends a run', () => {
  const errors = [
    thrown(() => scorerOf(mute, 'sums › inferencer', 'my model')),
    thrown(() => asCompletion({ kind: 'chat', messages: [], stop: [], notes: [] } as never, 'sums')),
    cannotScoreMessages('sums', 'gpt'),
    cannotScoreAt('gpt', 'http://a/v1', ['with echo it failed']),
  ]
  expect(errors.map((error) => [isCannotScore(error), stopsRun(error)])).toEqual(errors.map(() => [true, true]))
  expect(errors.map(({ problem }) => problem)).toEqual([
    'my model does not report how likely a text is',
    'a chat model takes messages and does not return their likelihood',
    'gpt takes messages and does not return their likelihood',
    'http://a/v1 does not report how likely a given text is: with echo it failed',
  ])
  expect(isCannotScore(new PromptError('server-down', { where: 'a', problem: 'b', fix: 'c' }))).toBe(false)
})

test('a model that scores is used directly', async () => {
  const model: LanguageModel = {
    ...mute,
    async score(this: LanguageModel) {
      return [{ tokens: [], logProbabilities: [this.name.length], reused: 0, notes: [] }]
    },
  }
  expect(await scorerOf(model, 'sums')([])).toMatchObject([{ logProbabilities: [4] }])
})

function thrown(act: () => unknown): PromptError {
  try {
    act()
  } catch (error) {
    if (error instanceof PromptError) return error
  }
  throw new Error('nothing was thrown')
}
