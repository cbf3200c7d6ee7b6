import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { compareModels, type ScoredPair } from './record/compare-models.ts'
import type { RowRecord } from './record/run-record.ts'
import { remarksOf } from './record/summary-markdown.ts'
import { planRun, runPairs } from './run-pairs.ts'

const models: ModelConfig[] = ['one', 'two'].map((abbr) => ({ abbr, type: 'openai', path: abbr, format: 'plain' }))

function dataset(rows: object[], more: Partial<DatasetConfig> = {}): DatasetConfig {
  return {
    abbr: 'data',
    rows: rows as never,
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template: '{question}' } },
    ...more,
  }
}

/** The models' replies by question; undefined if the server refuses. */
async function run(given: DatasetConfig, say: (question: string, model: string) => string | undefined, asked = models.slice(0, 1)) {
  const records: RowRecord[] = []
  const scored: ScoredPair[] = []
  const environment = {
    ...nodeEnvironment('.'),
    openModel: async ({ abbr = '' }: ModelConfig) => ({
      name: abbr,
      generate: async (prompt: Parameters<typeof promptText>[0]) => {
        const text = say(promptText(prompt), abbr)
        if (text === undefined) throw new PromptError('refused', { where: abbr, problem: 'the server refuses', fix: 'ask another' })
        return { text, finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
      },
    }),
  }
  for await (const event of runPairs(planRun(asked, [given]), environment)) {
    if (event.kind === 'row') records.push(event.record)
    if (event.kind === 'end') scored.push(event)
  }
  return { records: records.sort((a, b) => a.id - b.id), results: scored.map(({ result }) => result), scored }
}

test('a row without a gold answer, or with an empty one, is counted and not scored', async () => {
  const rows = [{ question: 'x', answer: 'x' }, { question: 'y' }, { question: '', answer: '' }, { question: 'z', answer: null }]
  const { records, results } = await run(dataset(rows), (question) => question)
  expect(results[0]).toMatchObject({ value: 100, rows: 4, failed: 0, answers: { answered: 1, noGold: 3 } })
  expect(remarksOf(results[0]!)[0]).toBe('3 of 4 rows have no gold answer and no score')
  expect(records[1]).toMatchObject({ prediction: 'y', outcome: 'no-gold' })
  expect(records[1]!.score).toBeUndefined()
  expect(records[1]!.error).toBeUndefined()
})

test('gold answers that are not texts are postprocessed as text', async () => {
  const rows = [
    { question: 'yes', answer: true },
    { question: 'no', answer: false },
  ]
  const given = dataset(rows, { eval_cfg: { dataset_postprocessor: { type: 'strategyqa_dataset' } } })
  expect((await run(given, (question) => question)).results[0]!.value).toBe(100)
  const numbers = dataset([{ question: '4', answer: 4 }])
  expect((await run(numbers, (question) => question)).results[0]!.value).toBe(100)
})

describe('models are compared by the displayed metric', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ question: String(index), answer: index < 4 ? 'A' : 'B' }))

  test('if it is not a mean of rows', async () => {
    const given = dataset(rows, { eval_cfg: { evaluator: { type: 'MccEvaluator' } } })
    // The first never says A: more rows are right, but it is uninformative.
    const { results, scored } = await run(given, (question, model) => (model === 'two' && Number(question) < 12 ? 'A' : 'B'), models)
    const [one, two] = results.map(({ value }) => value!)
    expect(two! - one!).toBeGreaterThan(40)
    expect(results[0]!.isMeanOfRows).toBe(false)
    const [compared] = compareModels(scored)
    expect(compared!.difference).toBeCloseTo(two! - one!)
    expect(compared!.interval.low).toBeGreaterThan(0)
    expect(compared!.mcnemar).toBeUndefined()
  })

  test('if it is a mean of rows', async () => {
    const { results, scored } = await run(dataset(rows), (_, model) => (model === 'two' ? 'A' : 'B'), models)
    expect(results[0]!.isMeanOfRows).toBeUndefined()
    expect(compareModels(scored)[0]).toMatchObject({ difference: -80, mcnemar: { onlyFirst: 36, onlySecond: 4 } })
  })
})

describe('questions with rotated options', () => {
  const row = (question: string, answer: string) => ({ question, answer })
  const given = (...rows: object[]) => dataset(rows, { eval_cfg: { evaluator: { type: 'CircularEvaluator' } } })

  test('have metrics even if a row failed', async () => {
    const rows = [row('fails', '0--A--ABCD'), row('turned', '0--D--BCDA'), row('other', '1--A--ABCD')]
    const { results } = await run(given(...rows), (question) => ({ turned: 'D', other: 'A' })[question])
    expect(results[0]).toMatchObject({ rows: 3, failed: 1, figures: { vote_1: 50 } })
  })

  test('have none if no row shows the options in their original order, which is reported', async () => {
    const { results } = await run(given(row('turned', '0--D--BCDA')), () => 'D')
    expect(results[0]!.value).toBeUndefined()
    expect(results[0]!.notes).toMatchObject([
      { code: 'no-metric', text: expect.stringMatching(/^there is no perf_4; the gold answers: no row has its options/) },
    ])
  })
})

describe('several answers for each row', () => {
  test('are refused if nothing is generated', () => {
    const labels = { A: '{question} A', B: '{question} B' }
    const given = dataset([], { n: 2, infer_cfg: { prompt_template: { template: labels }, inferencer: { type: 'PPLInferencer' } } })
    expect(() => planRun([{ ...models[0]!, temperature: 1 }], [given])).toThrow('data › n: n asks for 2 answers per row, but a likelihood')
  })

  test('must be at least the k of pass@k', () => {
    expect(() => planRun([{ ...models[0]!, temperature: 1 }], [dataset([], { n: 4, k: [1, 8] })])).toThrow(
      'data › k: pass@8 needs that many answers per row, but n is 4',
    )
  })
})
