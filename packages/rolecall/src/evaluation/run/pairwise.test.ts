import { describe, expect, test } from 'vitest'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { checkConfig } from '../config/check-config.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { checkNames } from './check-names.ts'
import { checkMetrics, readMetricCheck } from './record/metric-checks.ts'
import type { PairResult, RowRecord } from './record/run-record.ts'
import { remarksOf } from './record/summary-markdown.ts'
import { planRun, type RowStore, type RunOptions, runPairs } from './run-pairs.ts'

const model = (abbr: string): ModelConfig => ({ abbr, type: 'openai', path: abbr, format: 'plain' })
const base = model('base')
const better = model('better')
const judge_cfg = { ...model('judge'), path: 'judge' }

const dataset = (evaluator: object = {}, more: Partial<DatasetConfig> = {}): DatasetConfig => ({
  abbr: 'poems',
  rows: [
    { topic: 'rain', written: 'old rain' },
    { topic: 'snow', written: 'old snow' },
  ],
  reader_cfg: { input_columns: ['topic'] },
  infer_cfg: { prompt_template: { template: 'About {topic}.' } },
  eval_cfg: {
    evaluator: {
      type: 'PairwiseEvaluator',
      judge_cfg,
      prompt_template: { template: '{topic}: A={answer_a} B={answer_b}. Which is better?' },
      against: 'base',
      ...evaluator,
    },
  },
  ...more,
})

type Reply = (prompt: string, who: string) => string

/** Each model writes its name; the judge prefers `better`. */
const fair: Reply = (prompt, who) => (who === 'judge' ? (prompt.includes('A=better') ? 'A' : 'B') : `${who} on ${prompt}`)

async function run(datasets: DatasetConfig[], models: ModelConfig[], reply: Reply, options: RunOptions = {}) {
  const found: { records: Map<string, RowRecord[]>; results: PairResult[]; prompts: string[]; order: string[] } = {
    records: new Map(),
    results: [],
    prompts: [],
    order: [],
  }
  const environment = {
    ...nodeEnvironment('.'),
    openModel: async (config: ModelConfig) => ({
      name: config.abbr ?? '',
      generate: async (prompt: Parameters<typeof promptText>[0]) => {
        const text = promptText(prompt)
        found.order.push(config.abbr!)
        if (config.abbr === 'judge') found.prompts.push(text)
        return { text: reply(text, config.abbr!), finish: 'stop' as const, tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
      },
    }),
  }
  for await (const event of runPairs(planRun(models, datasets), environment, options)) {
    const { model: name, dataset: of } = event.pair.name
    const key = `${name} ${of}`
    if (event.kind === 'row')
      found.records.set(
        key,
        [...(found.records.get(key) ?? []), event.record].sort((a, b) => a.id - b.id),
      )
    if (event.kind === 'end') found.results.push(event.result)
  }
  return found
}

describe('two models that a judge compares', () => {
  test('are shown in both orders, and the row has both verdicts', async () => {
    const { records, results, prompts } = await run([dataset()], [base, better], fair)
    expect(prompts.slice(0, 2)).toEqual([
      'rain: A=better on About rain. B=base on About rain.. Which is better?',
      'rain: A=base on About rain. B=better on About rain.. Which is better?',
    ])
    expect(records.get('better poems')![0]).toMatchObject({
      prediction: 'better on About rain.',
      score: 1,
      details: {
        pred: 'better on About rain.',
        opponent: 'base on About rain.',
        judge_said: ['A', 'B'],
        grade: ['A', 'B'],
        preferred: ['this', 'this'],
        judge_tokens: { prompt: 6, reply: 2 },
      },
    })
    const result = results.find(({ model: name }) => name === 'better')!
    expect(result).toMatchObject({ metric: 'win_rate', value: 100, failed: 0 })
    expect(result.beside!.map(({ metric, value }) => [metric, value])).toEqual([
      ['consistency', 100],
      ['position_bias', 0],
    ])
  })

  test('the baseline has answers and no score, and none of its rows failed', async () => {
    const { records, results } = await run([dataset()], [base, better], fair)
    const result = results.find(({ model: name }) => name === 'base')!
    expect(result).toMatchObject({ metric: 'win_rate', rows: 2, failed: 0, answers: { answered: 2 }, baseline: true })
    expect(result.value).toBeUndefined()
    expect(remarksOf(result)).toEqual(['the answers of the other models are compared with these, which have no score of their own'])
    // A baseline has no metric by design, so it does not fail a check.
    expect(checkMetrics([readMetricCheck('win_rate=0.5')], { results }).map(({ model: name, passed }) => [name, passed])).toEqual([
      ['better', true],
    ])
    expect(records.get('base poems')![0]).toMatchObject({ prediction: 'base on About rain.', score: undefined, error: undefined })
  })

  test('a judge that follows the order decides nothing, and the metric shows its bias', async () => {
    const { records, results } = await run([dataset()], [base, better], (prompt, who) => (who === 'judge' ? 'A' : fair(prompt, who)))
    expect(records.get('better poems')!.map(({ score, outcome }) => [score, outcome])).toEqual([
      [undefined, 'not-decided'],
      [undefined, 'not-decided'],
    ])
    const result = results.find(({ model: name }) => name === 'better')!
    expect(result.value).toBeUndefined()
    expect(result).toMatchObject({ failed: 2, answers: { notDecided: 2 }, figures: { inconsistent_count: 2, first_preferred_count: 4 } })
    expect(result.beside!.map(({ metric, value }) => [metric, value])).toEqual([
      ['consistency', 0],
      ['position_bias', 100],
    ])
    expect(JSON.stringify(result)).not.toContain('null')
  })

  test('run first, wherever they are in the config, even if each dataset has another', async () => {
    const other = dataset({ against: 'better' }, { abbr: 'songs' })
    const { results } = await run([dataset(), other], [better, base], (prompt, who) =>
      who === 'judge' ? (prompt.includes('A=better') ? 'A' : 'B') : fair(prompt, who),
    )
    const values = results.map(({ model: name, dataset: of, value }) => [name, of, value])
    expect(values).toEqual(
      expect.arrayContaining([
        ['better', 'poems', 100],
        ['base', 'songs', 0],
        ['base', 'poems', undefined],
        ['better', 'songs', undefined],
      ]),
    )
  })

  test('the baseline may be a column', async () => {
    const { records, prompts } = await run([dataset({ against: undefined, against_column: 'written' })], [better], fair)
    expect(prompts[0]).toBe('rain: A=better on About rain. B=old rain. Which is better?')
    expect(records.get('better poems')![0]).toMatchObject({ score: 1, details: { opponent: 'old rain' } })
  })

  test("OpenCompass's names for the two answers are known", async () => {
    const { prompts } = await run([dataset({ prompt_template: { template: '{prediction}|{prediction2}' } })], [base, better], fair)
    expect(prompts[0]).toBe('better on About rain.|base on About rain.')
  })

  test('a row without a baseline answer is an error with the reason', async () => {
    const rows = [
      { topic: 'rain', written: null },
      { topic: 'snow', written: 'old snow' },
    ]
    const { records } = await run([dataset({ against: undefined, against_column: 'written' }, { rows })], [better], fair)
    expect(records.get('better poems')![0]!.error).toBe(
      'the judge: poems › eval_cfg.evaluator: the row has nothing in "written" to compare with. Give every row an answer in it.',
    )
    expect(records.get('better poems')![1]!.score).toBe(1)
  })

  test('are not judged again on resume, and rescored without requests', async () => {
    const kept = new Map<string, RowRecord>()
    const storeFor: RunOptions['storeFor'] = ({ name }): RowStore => ({
      find: (id) => kept.get(`${name.model} ${id}`),
      add: (record) => void kept.set(`${name.model} ${record.id}`, record),
    })
    await run([dataset()], [base, better], fair, { storeFor })
    const again = await run([dataset()], [base, better], fair, { storeFor, offline: true })
    expect(again.order).toEqual([])
    expect(again.results.find(({ model: name }) => name === 'better')).toMatchObject({ value: 100, failed: 0 })
    expect(again.records.get('better poems')![0]!.details).toMatchObject({ opponent: 'base on About rain.', grade: ['A', 'B'] })
  })
})

describe('mistakes are found before anything is sent', () => {
  test.each([
    [
      'a model that is not asked',
      dataset({ against: 'bsae' }),
      'poems › eval_cfg.evaluator.against: there is no model "bsae" among those that run (base, better). Did you mean "base"?',
    ],
    [
      'a template that shows one answer',
      dataset({ prompt_template: { template: 'Is {answer_a} good?' } }),
      'poems › eval_cfg.evaluator.prompt_template: it does not show {answer_b}, but the judge has to compare two answers',
    ],
    ['several answers for a row', dataset({}, { n: 3 }), 'poems › n: a row has 3 answers, but the judge compares one answer with one'],
  ])('%s', (_, wrong, problem) => {
    expect(() =>
      planRun(
        [
          { ...base, temperature: 1 },
          { ...better, temperature: 1 },
        ],
        [wrong],
      ),
    ).toThrow(problem)
  })

  test('a single model', () => {
    expect(() => planRun([base], [dataset()])).toThrow('"base" is the only model that runs: there is nothing to compare it with')
  })

  test('the name is looked up when the config is read, for every command', () => {
    const config = checkConfig({ models: [base, better], datasets: [dataset({ against: 'bettr' })] } as never, 'eval.yaml › ')
    expect(() => checkNames(config, 'eval.yaml › ')).toThrow(
      'eval.yaml › datasets[0].eval_cfg.evaluator.against: there is no model "bettr" among those that run (base, better). Did you mean "better"?',
    )
  })

  test('a column that no row has', async () => {
    await expect(run([dataset({ against: undefined, against_column: 'writen' })], [better], fair)).rejects.toThrow(
      'poems › eval_cfg.evaluator.against_column: no row has a column "writen" (they have: topic, written). Did you mean "written"?',
    )
  })

  test('both answers are template fields without a warning', () => {
    const { warnings } = checkConfig({ models: [base, better], datasets: [dataset()] } as never, '')
    expect(warnings).toEqual([])
  })
})
