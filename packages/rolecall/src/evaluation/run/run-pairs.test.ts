import { beforeAll, describe, expect, test } from 'vitest'
import { replySeed, rowSeeds } from '../../model/language-model/draw-seed.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { Budget } from './budget.ts'
import type { PairResult, RowAnswer, RowRecord } from './record/run-record.ts'
import { planRun, type RunEnvironment, type RunOptions, runPairs } from './run-pairs.ts'

const tiny: ModelConfig = { abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 8 }
const ask = {
  prompt_template: {
    template: {
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt: '{answer}' },
      ],
    },
  },
}
const sums: DatasetConfig = {
  abbr: 'sums',
  rows: [
    { question: '12+30=?', answer: '42' },
    { question: '1+1=?', answer: '3' },
  ],
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { ...ask, inferencer: { type: 'GenInferencer' } },
}
const label = (answer: string) => ({
  round: [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: answer },
  ],
})
const labels = { '42': label('42'), '3': label('3') }

async function run(models: ModelConfig[], datasets: DatasetConfig[], options: RunOptions = {}, environment: Partial<RunEnvironment> = {}) {
  const records: RowRecord[] = []
  const results: PairResult[] = []
  for await (const event of runPairs(planRun(models, datasets), { ...nodeEnvironment('.'), ...environment }, options)) {
    if (event.kind === 'row') records.push(event.record)
    if (event.kind === 'end') results.push(event.result)
  }
  return { records, results }
}

const fake = (given: Partial<LanguageModel>): Partial<RunEnvironment> => ({
  openModel: async () => ({ name: 'fake', generate: () => Promise.reject(new Error('not asked')), ...given }),
})

beforeAll(async () => void (await loadEmbedded()), 60_000)

describe('generation', () => {
  test('produces an answer, a score and usage for each row', async () => {
    const { records, results } = await run([tiny], [sums], { keepPrompts: true })
    expect(records).toMatchObject([
      { id: 0, prediction: '42', gold: '42', score: 1, finish: 'stop', examples: { used: 0, dropped: 0 } },
      { id: 1, prediction: '2', gold: '3', score: 0, finish: 'stop' },
    ])
    expect(records[0]!.prompts).toEqual(['<s><|im_start|>user\n12+30=?<|im_end|>\n<|im_start|>assistant\n'])
    expect(records[0]!.prompt_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(results).toMatchObject([{ model: 'tiny', dataset: 'sums', metric: 'accuracy', value: 50, rows: 2, failed: 0, cut: 0 }])
  })

  test('sends no more rows than the limit', async () => {
    expect((await run([tiny], [sums], { limit: 1 })).results).toMatchObject([{ rows: 1, value: 100 }])
  })

  test('takes examples from the example pool, and notes if one equals the test row', async () => {
    const shown: DatasetConfig = {
      ...sums,
      infer_cfg: {
        ice_template: ask.prompt_template,
        prompt_template: { template: { begin: ['</E>'], ...ask.prompt_template.template }, ice_token: '</E>' },
        retriever: { type: 'FixKRetriever', fix_id_list: [1] },
      },
    }
    const { records, results } = await run([tiny], [shown])
    expect(records[0]!.examples).toEqual({ used: 1, dropped: 0 })
    expect(results[0]!.notes).toContainEqual({
      code: 'example-is-question',
      text: 'an example is the row being asked: the prompt shows its answer',
      rows: 1,
    })
  })

  test('drops examples that do not fit, as few as needed per row', async () => {
    const shown: DatasetConfig = {
      ...sums,
      train_rows: [
        { question: '2+2=?', answer: '4' },
        { question: '3+3=?', answer: '6' },
      ],
      infer_cfg: {
        ice_template: ask.prompt_template,
        prompt_template: { template: { begin: ['</E>'], ...ask.prompt_template.template }, ice_token: '</E>' },
        retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
      },
    }
    const { records, results } = await run([{ ...tiny, max_seq_len: 30 }], [shown])
    expect(records.map(({ examples }) => examples)).toEqual([
      { used: 1, dropped: 1 },
      { used: 1, dropped: 1 },
    ])
    expect(results[0]!.examplesDropped).toBe(2)
  })

  test('a row that fails is recorded, counted, not scored, and does not end the run', async () => {
    const long = { question: '1 '.repeat(3000), answer: '1' }
    const { records, results } = await run([tiny], [{ ...sums, rows: [long, { question: '12+30=?', answer: '42' }] }])
    expect(records[0]).toMatchObject({ prediction: null, error: expect.stringContaining("the model's context is 1024") })
    expect(records[0]!.score).toBeUndefined()
    expect(results).toMatchObject([{ rows: 2, failed: 1, value: 100, valueIfFailedAreWrong: 50 }])
  })

  test('unanswered rows come before recorded ones', async () => {
    const kept = new Map<string, RowRecord>()
    const storeFor = () => {
      const before = new Set([...kept.values()].map(({ id }) => id))
      return {
        known: () => (before.size > 0 ? (id: number) => (before.has(id) ? ('answered' as const) : undefined) : undefined),
        find: (id: number, key: string) => kept.get(`${id} ${key}`),
        add: (record: RowRecord) => void kept.set(`${record.id} ${record.key}`, record),
      }
    }
    await run([tiny], [sums], { limit: 1, storeFor })
    const { records, results } = await run([tiny], [sums], { storeFor })
    expect(records.map(({ id }) => id)).toEqual([1, 0])
    expect(results).toMatchObject([{ rows: 2, value: 50 }])
  })

  test('samples with the settings of the model’s config', async () => {
    const asked: unknown[] = []
    const model = fake({
      generate: async (_, { sampling, maxTokens, stopTexts }) => {
        asked.push({ sampling, maxTokens, stopTexts })
        return { text: '', finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 0 }, notes: [] }
      },
    })
    const dataset: DatasetConfig = { ...sums, infer_cfg: { ...ask, inferencer: { max_out_len: 3, stopping_criteria: ['\n'] } } }
    await run([{ ...tiny, temperature: 0.5, generation_kwargs: { top_p: 0.9, seed: 4 } }], [dataset], { limit: 1 }, model)
    await run([{ ...tiny, generation_kwargs: { do_sample: false, temperature: 1 } }], [sums], { limit: 1 }, model)
    const { format: _, max_out_len: __, ...bare } = tiny
    const mlc = { conv_template: 'vicuna_v1.1', temperature: 0.2, max_gen_len: 5 }
    await run([{ ...bare, mlc_config: mlc, top_p: 0.5 }], [sums], { limit: 1 }, model)
    const drawn = (seed: number) => replySeed(rowSeeds(seed, sums.abbr!)(0), 0)
    expect(asked).toEqual([
      { sampling: { temperature: 0.5, topP: 0.9, seed: drawn(4) }, maxTokens: 3, stopTexts: ['\n'] },
      { sampling: { temperature: 0 }, maxTokens: 8, stopTexts: [] },
      {
        sampling: { temperature: 0.2, topP: 0.5, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0, seed: drawn(0) },
        maxTokens: 5,
        stopTexts: [],
      },
    ])
  })
})

describe('perplexity', () => {
  const byPerplexity: DatasetConfig = {
    ...sums,
    infer_cfg: { prompt_template: { template: labels }, inferencer: { type: 'PPLInferencer' } },
  }

  test('chooses the label with the most likely prompt, and keeps the values of all tokens', async () => {
    const { records } = await run([tiny], [byPerplexity], { limit: 1 })
    expect(records[0]).toMatchObject({ prediction: '42', score: 1 })
    const [wrong, right] = records[0]!.scores!
    // JavaScript objects list integer-like labels in numeric order.
    expect([wrong!.label, right!.label]).toEqual(['3', '42'])
    expect(right!.value).toBeLessThan(wrong!.value!)
    expect(right!.log_probabilities![0]).toBeNull()
    expect(right!.log_probabilities!.length).toBeGreaterThan(10)
  })

  test('keeps the requested log-probabilities', async () => {
    const [all, labelled, none] = [
      await run([tiny], [byPerplexity]),
      await run([tiny], [byPerplexity], { logProbabilities: 'labels' }),
      await run([tiny], [byPerplexity], { logProbabilities: 'none' }),
    ]
    const values = all.records.map(({ scores }) => scores!.map(({ label, value }) => ({ label, value })))
    expect(labelled.records.map(({ scores }) => scores)).toEqual(values)
    expect(none.records.map(({ scores }) => scores)).toEqual([undefined, undefined])
    for (const { records, results } of [labelled, none]) {
      expect(records.map(({ prediction, score }) => [prediction, score])).toEqual(
        all.records.map(({ prediction, score }) => [prediction, score]),
      )
      expect(results[0]!.notes).toEqual([])
    }
  })

  test('takes no more than requested from a cache, and notes if it has less', async () => {
    const kept = new Map<string, RowAnswer>()
    const cacheFor = () => ({ find: (key: string) => kept.get(key), add: (key: string, answer: RowAnswer) => void kept.set(key, answer) })
    await run([tiny], [byPerplexity], { cacheFor })
    const fewer = await run([tiny], [byPerplexity], { cacheFor, logProbabilities: 'labels' })
    expect(fewer.records.every(({ cached, scores }) => cached && scores!.every((one) => one.log_probabilities === undefined))).toBe(true)
    kept.clear()
    await run([tiny], [byPerplexity], { cacheFor, logProbabilities: 'labels' })
    const { results } = await run([tiny], [byPerplexity], { cacheFor })
    const text = 'the run that scored these rows did not record the log-probability of every token'
    expect(results[0]!.notes).toEqual([{ code: 'log-probabilities', text, rows: 2, ofPair: true }])
  })

  test('can be normalized by the perplexity of the answer alone', async () => {
    const separated = (answer: string) => ({
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt: `<SEP>${answer}` },
      ],
    })
    const dataset: DatasetConfig = {
      ...sums,
      infer_cfg: {
        prompt_template: { template: { a: separated('42'), b: separated('7') }, sep_token: '<SEP>' },
        inferencer: { type: 'PPLInferencer', normalizing_str: 'Answer:' },
      },
      eval_cfg: { allow_unscorable: true },
    }
    const { records } = await run([tiny], [dataset], { limit: 1 })
    expect(records[0]!.prediction).toBe('a')
  })

  test('of rows without labels is averaged', async () => {
    const { records, results } = await run(
      [tiny],
      [{ ...sums, reader_cfg: {}, infer_cfg: { ...ask, inferencer: { type: 'PPLOnlyInferencer' } } }],
    )
    expect(results).toMatchObject([{ metric: 'average_ppl', kind: 'quantity', unit: 'nats per token', direction: 'lower' }])
    expect(results[0]!.value).toBeCloseTo((records[0]!.score! + records[1]!.score!) / 2)
  })

  test('of prompts whose row is lost has been paid for', async () => {
    const budget = new Budget({ maxTokensTotal: 1000 }, () => 0)
    const token = { id: 0, span: [0, 1] } as const
    // One of two prompts is missing.
    const score = async () => [{ tokens: [token, token, token], logProbabilities: [null, -1, -1], reused: 0, notes: [] }]
    await expect(run([tiny], [byPerplexity], { limit: 1, budget }, fake({ score }))).rejects.toThrow()
    expect(budget.spent.tokens).toBe(3)
  })

  test('needs labels, a text format, and a model that returns likelihoods', async () => {
    expect(() => planRun([tiny], [{ ...sums, infer_cfg: { ...ask, inferencer: { type: 'PPLInferencer' } } }])).toThrow(
      'there are no labels to compare',
    )
    expect(() => planRun([{ abbr: 'chat', format: 'messages' }], [byPerplexity])).toThrow(
      'chat takes messages and does not return their likelihood',
    )
    await expect(run([tiny], [byPerplexity], {}, fake({}))).rejects.toThrow('tiny does not report how likely a text is')
  })
})

describe('likelihood', () => {
  test('of the answer chooses the label (LLInferencer)', async () => {
    const dataset: DatasetConfig = { ...sums, infer_cfg: { prompt_template: { template: labels }, inferencer: { type: 'LLInferencer' } } }
    const { records } = await run([tiny], [dataset], { limit: 1 })
    expect(records[0]).toMatchObject({ prediction: '42', score: 1 })
  })

  test('of the next token chooses the choice (CLPInferencer)', async () => {
    const dataset: DatasetConfig = {
      ...sums,
      rows: [{ question: 'Which number is the largest?\nA. 3\nB. 190\nC. 7\nD. 12\nAnswer: ', answer: 'B' }],
      infer_cfg: { ...ask, inferencer: { type: 'CLPInferencer', choices: ['A', 'B', 'C', 'D'] } },
    }
    expect((await run([tiny], [dataset])).records).toMatchObject([{ prediction: 'B', score: 1 }])
    const words = { ...dataset, infer_cfg: { ...ask, inferencer: { type: 'CLPInferencer', choices: ['A', 'extraordinary'] } } }
    await expect(run([tiny], [words])).rejects.toThrow('"extraordinary" is')
  })

  test('of the next token gives the probability of each choice (AUCROCEvaluator)', async () => {
    const dataset: DatasetConfig = {
      ...sums,
      rows: [
        { question: 'Which number is the largest?\nA. 3\nB. 190\nC. 7\nD. 12\nAnswer: ', answer: 'B' },
        { question: 'Which number is the largest?\nA. 190\nB. 3\nC. 7\nD. 12\nAnswer: ', answer: 'A' },
      ],
      infer_cfg: { ...ask, inferencer: { type: 'CLPInferencer', choices: ['A', 'B'] } },
      eval_cfg: { evaluator: { type: 'AUCROCEvaluator' } },
    }
    const { records, results } = await run([tiny], [dataset])
    expect(records[0]).toMatchObject({ prediction: 'B', details: { pred: [expect.any(Number), expect.any(Number)], correct: true } })
    expect(results[0]).toMatchObject({ metric: 'auc_score', value: 100, figures: { accuracy: 100 } })
    // The likelihoods of the choices are the answer, and stay even if nothing else is kept.
    const small = (await run([tiny], [dataset], { logProbabilities: 'none' })).records.map(({ scores }) => scores)
    expect(small).toEqual(records.map(({ scores }) => scores!.map(({ label, value }) => ({ label, value }))))
    // One row has a single class, which must not fail the run.
    const [alone] = (await run([tiny], [dataset], { limit: 1 })).results
    expect(alone!.value).toBeUndefined()
    expect(alone!.notes).toMatchObject([{ code: 'no-metric', text: expect.stringContaining('they are all the same') }])
  })
})

test('texts without gold answers and an evaluator have no score, which is reported: they are not perplexities', async () => {
  const { records, results } = await run([tiny], [{ ...sums, reader_cfg: {}, infer_cfg: ask, eval_cfg: {} }])
  expect(results).toMatchObject([{ metric: 'score', unit: 'not scored', notes: [{ code: 'not-scored', rows: records.length }] }])
  expect(results[0]!.value).toBeUndefined()
  expect(records.length).toBeGreaterThan(0)
})

describe('a plan finds mistakes before anything is sent', () => {
  const refused = (dataset: Partial<DatasetConfig>) => () => planRun([tiny], [{ ...sums, ...dataset }])
  test('in names', () => {
    expect(refused({ infer_cfg: { ...ask, inferencer: { type: 'GenInferencr' } } })).toThrow('Did you mean "GenInferencer"')
    expect(refused({ eval_cfg: { evaluator: { type: 'AccEvaluatr' } } })).toThrow('Did you mean "AccEvaluator"')
    expect(refused({ eval_cfg: { pred_postprocessor: { type: 'generl' } } })).toThrow('Did you mean "general"')
  })

  test('in missing settings', () => {
    expect(refused({ reader_cfg: {}, eval_cfg: { evaluator: { type: 'AccEvaluator' } } })).toThrow(
      'answers are compared with a column, but none is named',
    )
  })
})

test('models that serve concurrent requests receive them concurrently from the start', async () => {
  let [running, most] = [0, 0]
  const model = fake({
    concurrency: 3,
    async generate(prompt) {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, JSON.stringify(prompt).includes('row 0') ? 30 : 1))
      running--
      return { text: 'x', finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
    },
  })
  const rows = Array.from({ length: 10 }, (_, index) => ({ question: `row ${index}`, answer: 'x' }))
  const { records } = await run([tiny], [{ ...sums, rows }], {}, model)
  expect(records.map(({ id }) => id).sort((one, other) => one - other)).toEqual(rows.map((_, index) => index))
  // The first one is the slowest, and does not block the others.
  expect(records[0]!.id).not.toBe(0)
  expect(most).toBe(3)
})

test('EMEvaluator compares cleaned texts with every accepted answer', async () => {
  const model = fake({
    generate: async () => ({ text: 'The cat, of course.', finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }),
  })
  const dataset: DatasetConfig = {
    ...sums,
    rows: [
      { question: 'a', answer: ['dog', 'cat'] },
      { question: 'b', answer: 'dog' },
    ],
    eval_cfg: { evaluator: { type: 'EMEvaluator' } },
  }
  expect((await run([tiny], [dataset], {}, model)).results).toMatchObject([{ metric: 'score', value: 50 }])
})

test('an abort cancels scoring, and nothing is recorded for the row', async () => {
  const controller = new AbortController()
  const asked: (AbortSignal | undefined)[] = []
  const score: LanguageModel['score'] = (_, { signal } = {}) => {
    asked.push(signal)
    controller.abort()
    return Promise.reject(signal?.reason)
  }
  const compared = { ...sums, infer_cfg: { prompt_template: { template: labels }, inferencer: { type: 'PPLInferencer' } } }
  const { records, results } = await run([tiny], [compared], { signal: controller.signal }, fake({ score }))
  expect(asked).toEqual([controller.signal])
  expect([records, results]).toEqual([[], []])
})
