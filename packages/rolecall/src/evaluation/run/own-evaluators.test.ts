import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import type { PyValue } from '../../../../core/src/base/python/index.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { checkConfig } from '../config/check-config.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { defineConfig } from '../config/define-config.ts'
import { evaluateAnswers } from '../score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../score/evaluate/evaluators.ts'
import { checkNames } from './check-names.ts'
import type { PairResult, RowRecord } from './record/run-record.ts'
import { planRun, runPairs } from './run-pairs.ts'

type Evaluation = NonNullable<DatasetConfig['eval_cfg']>

const model: ModelConfig = { abbr: 'echo', type: 'fake', format: 'plain', temperature: 1 }
const dataset = (evaluation: Evaluation, more: Partial<DatasetConfig> = {}): DatasetConfig => ({
  abbr: 'letters',
  rows: ['a', 'b', 'c'].map((letter) => ({ letter })),
  reader_cfg: { input_columns: ['letter'], output_column: 'letter' },
  infer_cfg: { prompt_template: { template: '{letter}?' }, inferencer: { type: 'GenInferencer' } },
  eval_cfg: evaluation,
  ...more,
})

/** Every answer is "yes". */
async function run(evaluation: Evaluation, more?: Partial<DatasetConfig>, asked = model) {
  const records: RowRecord[] = []
  const results: PairResult[] = []
  const generate = () => Promise.resolve({ text: 'yes', finish: 'stop' as const, notes: [], tokens: { prompt: 1, reused: 0, reply: 1 } })
  const environment = { ...nodeEnvironment('.'), openModel: async () => ({ name: 'fake', generate }) as never }
  for await (const event of runPairs(planRun([asked], [dataset(evaluation, more)]), environment, {})) {
    if (event.kind === 'row') records.push(event.record)
    if (event.kind === 'end') results.push(event.result)
  }
  records.sort((one, other) => one.id - other.id)
  return { records, result: results[0]!, errors: records.map(({ error }) => error), scores: records.map(({ score }) => score) }
}

/** Applies a function to the second row; the others are right. */
const second = (what: () => unknown) => ({
  evaluator: ({ reference }: { reference: PyValue }) => (reference === 'b' ? what() : true) as boolean,
})
const place = 'letters › eval_cfg.evaluator, row 1: '

describe('an evaluator that fails makes its row an error', () => {
  const missing = undefined as unknown as { x: number }
  const holdsItself: Record<string, unknown> = {}
  holdsItself.again = holdsItself
  const cases: [name: string, what: () => unknown, problem: string | RegExp][] = [
    [
      'an error',
      () => missing.x,
      /^it threw TypeError: Cannot read properties of undefined \(reading 'x'\) \(\/.*own-evaluators\.test\.ts:\d+\)\. Fix/,
    ],
    ['an error from within the platform', () => JSON.parse('{'), /^it threw SyntaxError: .* \(\/.*own-evaluators\.test\.ts:\d+\)\. Fix/],
    [
      'a text that is thrown',
      () => {
        throw 'no'
      },
      'it threw "no". Fix ',
    ],
    [
      'nothing that is thrown',
      () => {
        throw undefined
      },
      'it threw undefined. Fix ',
    ],
    [
      'what cannot be written',
      () => {
        throw Object.create(null, {
          toJSON: {
            value: () => {
              throw new Error('x')
            },
          },
        })
      },
      'it threw something that cannot be written (object). Fix ',
    ],
    [
      'a promise that is rejected',
      () => Promise.reject(new RangeError('too far')),
      /^its promise was rejected with RangeError: too far \(\/.*own-evaluators\.test\.ts:\d+\)\. Fix/,
    ],
    ['NaN', () => Number.NaN, 'it gave NaN, which is no score. Give a number from 0 to 1'],
    ['a promise of NaN', async () => Number.NaN, 'it gave NaN, which is no score. Give a number from 0 to 1'],
    ['no end', () => Infinity, 'it gave Infinity, which is no score. '],
    ['2', () => 2, 'it gave 2, which is not between 0 and 1. '],
    ['-0.1 with details', () => ({ score: -0.1, detail: {} }), 'it gave -0.1, which is not between 0 and 1. '],
    ['a text', () => '1', 'it gave the text "1", which is no score. '],
    ['nothing', () => undefined, 'it gave undefined, which is no score. '],
    ['null', () => null, 'it gave null, which is no score. '],
    ['an object without a score', () => ({ marks: 1 }), 'it gave {"marks":1}, which has no score. '],
    [
      'a detail that cannot be written',
      () => ({ score: 1, detail: { at: new Date() } }),
      'the detail it gave cannot be written: a value of type Date ',
    ],
    ['a detail within itself', () => ({ score: 1, detail: holdsItself }), 'the detail it gave cannot be written: it holds itself. '],
    ['a detail that is none', () => ({ score: 1, detail: 'good' }), 'the detail it gave is "good". Give an object'],
  ]
  test.each(cases)('%s', async (_, what, problem) => {
    const { records, errors, scores, result } = await run(second(what))
    expect(scores).toEqual([1, undefined, 1])
    expect(errors).toEqual([undefined, expect.stringContaining(place), undefined])
    const told = errors[1]!.slice(place.length)
    if (typeof problem === 'string') expect(told.slice(0, problem.length)).toBe(problem)
    else expect(told).toMatch(problem)
    expect(records[1]).toMatchObject({ outcome: 'failed', prediction: 'yes' })
    expect(result).toMatchObject({ failed: 1, value: 100, metric: 'score', unit: 'percent', kind: 'graded' })
  })

  test('names the line of the config', async () => {
    const config = `// A comment.
type Given = { prediction: unknown }

export default {
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 6 }],
  datasets: [{
    abbr: 'sums',
    rows: [{ question: '1+1=?' }],
    infer_cfg: { prompt_template: { template: '{question}' } },
    eval_cfg: {
      evaluator: async ({ prediction }: Given) => {
        await Promise.resolve()
        throw new Error('line 13')
      },
    },
  }],
}
`
    const { stdout, stderr } = await rolecall(['run', '--no-cache'], folderWith({ 'rolecall.config.ts': config }))
    expect((stdout + stderr).replace(/\s+/g, ' ')).toMatch(
      /sums › eval_cfg\.evaluator, row 0: its promise was rejected with Error: line 13 \(\/\S*rolecall\.config\.ts:13\)/,
    )
  })

  test('of several answers to a row, one throws synchronously and one is rejected later', async () => {
    let calls = 0
    const evaluator = () => {
      calls++
      if (calls % 2 === 0) throw new Error('at once')
      return Promise.reject<number>(new Error('later'))
    }
    const { errors } = await run({ evaluator }, { n: 2 })
    for (const error of errors) expect(error).toMatch(/it threw Error: at once|rejected with Error: later/)
    expect(errors).toHaveLength(3)
  })
})

describe('an asynchronous evaluator', () => {
  test('is awaited', async () => {
    const evaluator = async ({ reference }: { reference: PyValue }) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return { score: reference === 'b' ? 0.25 : 1, detail: { waited: true } }
    }
    const { scores, errors, records, result } = await run({ evaluator })
    expect(errors).toEqual([undefined, undefined, undefined])
    expect(scores).toEqual([1, 0.25, 1])
    expect(records[1]!.details).toEqual({ pred: 'yes', answer: 'b', waited: true })
    expect(result).toMatchObject({ value: 75, failed: 0 })
  })

  test('is awaited for each of several answers', async () => {
    const { scores } = await run({ evaluator: async ({ prediction }) => prediction === 'yes' }, { n: 2 })
    expect(scores).toEqual([1, 1, 1])
  })

  test('that never settles makes its row an error, and the run continues', async () => {
    const judge = ({ reference }: { reference: PyValue }) => (reference === 'b' ? new Promise<boolean>(() => {}) : true)
    const { errors, scores } = await run({ evaluator: { judge, timeout_seconds: 0.05 } })
    expect(errors[1]).toBe(`${place}its promise was not settled within 0.05 s. Settle it, or give it more time (timeout_seconds).`)
    expect(scores).toEqual([1, undefined, 1])
  })

  test('has five minutes by default', async () => {
    vi.useFakeTimers()
    try {
      const { judgeLater } = evaluatorOf(() => new Promise<boolean>(() => {}), true, 'mine')
      const judged = expect(judgeLater!({ prediction: 'a', reference: 'b', row: {} })).rejects.toThrow('not settled within 300 s')
      await vi.advanceTimersByTimeAsync(300_000)
      await judged
    } finally {
      vi.useRealTimers()
    }
  })

  test('is refused in synchronous evaluation', () => {
    const evaluator = evaluatorOf(() => Promise.reject(new Error('unseen')), true, 'mine')
    expect(() => evaluateAnswers(evaluator, ['a'], ['b'])).toThrow(
      'mine › eval_cfg.evaluator: it returned a promise, which is not awaited here',
    )
  })

  test('is not wrapped in a promise if it is synchronous', () => {
    const { judgeLater } = evaluatorOf(() => 0.5, true, 'mine')
    expect(judgeLater!({ prediction: 'a', reference: 'b', row: {} })).toEqual({ score: 0.5, detail: { pred: 'a', answer: 'b' } })
  })
})

describe('what the scores mean', () => {
  test('lower is better, with a custom unit and range', async () => {
    const marks = {
      judge: ({ reference }: { reference: PyValue }) => (reference === 'c' ? 12 : 4),
      metric: 'mistakes',
      unit: 'mistakes',
      range: [0, 10],
      direction: 'lower',
    } as const
    const { scores, errors, result } = await run({ evaluator: marks })
    expect(scores).toEqual([4, 4, undefined])
    expect(errors[2]).toContain('letters › eval_cfg.evaluator, row 2: it gave 12, which is not between 0 and 10.')
    expect(result).toMatchObject({ metric: 'mistakes', unit: 'mistakes', direction: 'lower', kind: 'graded', value: 4 })
    expect(result.range).toEqual([0, 10])
    expect((await run({ evaluator: marks.judge })).result.range).toEqual([0, 100])
    expect((await run({ evaluator: { judge: () => 3, kind: 'quantity', unit: 'words' } })).result).not.toHaveProperty('range')
    const fromZero = { judge: () => 3, kind: 'quantity', unit: 'words', range: [0, Number.POSITIVE_INFINITY] } as const
    expect((await run({ evaluator: fromZero })).result.range).toEqual([0, null])
    expect(evaluatorOf(marks, true, 'mine').range).toEqual([0, 10])
    expect(evaluatorOf(marks.judge, true, 'mine').range).toEqual([0, 100])
  })

  test('a verdict is right or wrong', async () => {
    const { errors, result } = await run({
      evaluator: { judge: ({ reference }) => (reference === 'b' ? 0.5 : reference === 'a'), kind: 'verdict', metric: 'accuracy' },
    })
    expect(errors[1]).toContain(`${place}it gave 0.5, which is neither right nor wrong. Give true or false`)
    expect(result).toMatchObject({ metric: 'accuracy', kind: 'verdict', unit: 'percent', direction: 'higher', value: 50 })
  })

  const judge = () => 1
  test.each([
    [{ judge, kind: 'quantity' }, 'unit: the unit of the metric is missing'],
    [{ judge, range: [0, 10] }, 'unit: the unit of the metric is missing'],
    [{ judge, range: [0, 10], unit: 'percent' }, 'unit: scores in percent lie between 0 and 1'],
    [{ judge, range: [1, 0] }, 'range: 1 is not less than 0'],
    [{ judge, range: [0, 10], kind: 'verdict' }, 'range: the scores of a verdict are 1 for right and 0 for wrong'],
    [{ judge, direction: 'up' }, 'direction: '],
    [{ judge, metrics: 'x' }, 'metrics'],
    [{ judge, timeout_seconds: 0 }, 'timeout_seconds: '],
    [{ judge: 'AccEvaluator' }, 'judge: '],
  ])('a mistake is found before the run: %j', (evaluator, problem) => {
    expect(() => checkNames(checkConfig({ models: [], datasets: [dataset({ evaluator: evaluator as never })] }), '')).toThrow(problem)
    expect(() => planRun([model], [dataset({ evaluator: evaluator as never })])).toThrow(`letters › eval_cfg.evaluator`)
  })

  test('types are checked in a config', () => {
    defineConfig({
      datasets: [
        {
          infer_cfg: {},
          eval_cfg: {
            evaluator: {
              judge: ({ prediction }) => {
                expectTypeOf(prediction).toEqualTypeOf<PyValue>()
                return prediction === 'a'
              },
              kind: 'verdict',
              range: [0, 1],
            },
          },
        },
      ],
    })
  })
})

describe('a postprocessor', () => {
  test('that throws makes the row an error', async () => {
    const { errors, records } = await run({
      evaluator: () => true,
      dataset_postprocessor: (text) => {
        if (text === 'b') throw new Error('not b.')
        return text
      },
    })
    expect(errors).toEqual([
      undefined,
      expect.stringMatching(
        /^letters › eval_cfg\.dataset_postprocessor, row 1: it threw Error: not b \(\/.*own-evaluators\.test\.ts:\d+\)\. Fix/,
      ),
      undefined,
    ])
    expect(records[1]!.outcome).toBe('failed')
  })

  test('of a model names the dataset, too', async () => {
    const pred_postprocessor = () => Promise.reject(new Error('unseen'))
    const { errors } = await run({}, {}, { ...model, pred_postprocessor })
    expect(errors[0]).toMatch(/^echo › pred_postprocessor, row 0 of letters: it gave a promise, and answers are read at once\. Write/)
    expect(errors).toHaveLength(3)
  })

  test('that returns an unserializable value makes the row an error', async () => {
    const { errors } = await run({ pred_postprocessor: () => new Date() })
    expect(errors[0]).toMatch(/^letters › eval_cfg\.pred_postprocessor, row 0: what it gave cannot be written: a value of type Date /)
  })

  test('that is async is refused before the run', () => {
    expect(() => planRun([model], [dataset({ pred_postprocessor: async (text: string) => text })])).toThrow(
      'letters › eval_cfg.pred_postprocessor: it is async',
    )
  })
})
