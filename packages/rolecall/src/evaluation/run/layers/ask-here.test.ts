import { describe, expect, test } from 'vitest'
import { answerOf, hash, rowToAsk } from '../../../../../../proof/testing/row-to-ask.ts'
import type { GenerateOptions, LanguageModel } from '../../../model/language-model/language-model.ts'
import type { PairContext } from '../pair-context.ts'
import type { RemoteWorkers, RowTask } from '../run-types.ts'
import { askHere } from './ask-here.ts'
import { askWorkers } from './ask-workers.ts'
import { openFirst } from './open-first.ts'
import { retryKey } from './retry-cut.ts'

const spent = { prompt: 2, reused: 0, reply: 1 }

/** Workers that answer `2`, and the tasks they got. */
function workers(): RemoteWorkers & { tasks: RowTask[] } {
  const tasks: RowTask[] = []
  return {
    tasks,
    ask: async (_, task, check) => {
      tasks.push(task)
      return check(answerOf('2')) === undefined ? answerOf('2') : undefined
    },
    room: () => 1,
    onRoom: () => {},
    begin: () => {},
    read: () => {},
  }
}

describe('the model of this process', () => {
  const asking = () => {
    const limits: number[] = []
    const model: LanguageModel = {
      name: 'm',
      generate: async (_, { maxTokens }: GenerateOptions) => {
        limits.push(maxTokens)
        return { text: '2', finish: 'stop', tokens: spent, notes: [] }
      },
    }
    const { plan } = rowToAsk().context
    const opened: PairContext['opened'] = () => ({ plan, model })
    return { limits, asked: rowToAsk({ opened }) }
  }

  test('is asked with the limit of its settings, and for a retry with a larger one', async () => {
    const { limits, asked } = asking()
    expect(await askHere(asked)).toMatchObject({ prediction: '2', prompt_hash: hash('1+1=?') })
    expect(await askHere({ ...asked, retry: { maxTokens: 16, spent } })).toMatchObject({ prediction: '2' })
    expect(limits).toEqual([8, 16])
  })

  test('is not asked if there are workers', async () => {
    const remote = workers()
    const asked = rowToAsk({ options: { remote } })
    expect(await askWorkers(asked, () => Promise.reject(new Error('asked here')))).toEqual(answerOf('2'))
    expect(remote.tasks).toEqual([{ row: asked.row, id: 0, examples: [], key: asked.key }])
    expect(await askWorkers(rowToAsk(), () => answerOf('here'))).toMatchObject({ prediction: 'here' })
  })

  test('a retry by workers has a key of its own', async () => {
    const remote = workers()
    const asked = rowToAsk({ options: { remote } })
    await askWorkers({ ...asked, retry: { maxTokens: 16, spent } }, () => undefined)
    expect(remote.tasks).toMatchObject([{ key: retryKey(asked.key, 16, hash), retry: { of: asked.key, maxTokens: 16, spent } }])
  })
})

describe('before the first row is sent', () => {
  test('the model is opened: one that cannot be opened ends the run', async () => {
    const opened = () => Promise.reject(new Error('no such model'))
    await expect(openFirst(rowToAsk({ opened }), () => answerOf('2'))).rejects.toThrow('no such model')
    expect(await openFirst(rowToAsk(), () => answerOf('2'))).toEqual(answerOf('2'))
  })

  test('only the judge is opened if workers have the model', async () => {
    const opened = () => Promise.reject(new Error('opened here'))
    const options = { remote: workers() }
    expect(await openFirst(rowToAsk({ opened, options }), () => answerOf('2'))).toEqual(answerOf('2'))
    const judgeOpened = () => Promise.reject(new Error('no such judge'))
    await expect(openFirst(rowToAsk({ opened, options, judgeOpened }), () => answerOf('2'))).rejects.toThrow('no such judge')
  })
})
