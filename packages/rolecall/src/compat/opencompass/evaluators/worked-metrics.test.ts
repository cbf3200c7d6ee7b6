import { describe, expect, test } from 'vitest'
import { type BleuTokenizer, bleuTokenize } from '../../../evaluation/score/evaluate/bleu.ts'
import { evaluateAnswers } from '../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../evaluation/score/evaluate/evaluators.ts'
import { overSamples } from '../../../evaluation/score/evaluate/over-samples.ts'
import { passAtK } from '../../../evaluation/score/evaluate/pass-at-k.ts'
import { evaluateReplicas } from '../../../evaluation/score/evaluate/replicas.ts'
import { figureInterval, meanInterval, wilsonInterval } from '../../../evaluation/score/statistics/interval.ts'
import { compareFigures, comparePaired, mcnemarTest } from '../../../evaluation/score/statistics/paired.ts'
import { registerOpenCompass } from '../register-opencompass.ts'
import { humanEvalCheck } from './code/humaneval-program.ts'

registerOpenCompass()

// Metrics computed by hand from the definition of each.

const near = (figures: Record<string, number>) =>
  Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, expect.closeTo(value, 9)]))
const accuracy = evaluatorOf({ type: 'AccEvaluator' }, true, 'mine')

describe('rows with three replicas', () => {
  const rows = [
    ['4', '5', '6'], // one of three is right
    ['7', '7', '7'], // all are
  ]
  const judged = (k: number[], n = 3) => {
    const sampled = overSamples(accuracy, { n, k })
    const kept = rows.map((prediction, row) => sampled.judge({ prediction: prediction.slice(0, n), reference: ['4', '7'][row]!, row: {} }))
    return { sampled, kept, figures: sampled.summarise(kept.map(({ keep }) => keep)) }
  }

  test('have the mean of the runs, pass@k and G-Pass@k', () => {
    const { sampled, kept, figures } = judged([1, 2, 3])
    expect(sampled).toMatchObject({ metric: 'accuracy (3 runs average)', unit: 'percent', interval: 'scores' })
    expect(kept.map(({ score }) => score)).toEqual([expect.closeTo(1 / 3, 12), 1])
    expect(kept[0]!.detail).toEqual({
      samples: ['4', '5', '6'].map((pred) => ({ pred, answer: '4', correct: pred === '4' })),
      majority: { answers: ['4', '5', '6'], votes: 1, score: expect.closeTo(1 / 3, 12) },
    })
    const third = 100 / 3
    expect(figures).toEqual(
      near({
        'accuracy (3 runs average)': 2 * third,
        'pass@1': 2 * third,
        'pass@2': (100 * (2 / 3 + 1)) / 2,
        'pass@3': 100,
        'G-Pass@1_0.0': 2 * third,
        'G-Pass@1_0.25': 2 * third,
        'G-Pass@1_0.5': 2 * third,
        'G-Pass@1_0.75': 2 * third,
        'G-Pass@1_1.0': 2 * third,
        'mG-Pass@1': 0,
        'G-Pass@2_0.0': 2.5 * third,
        'G-Pass@2_0.25': 2.5 * third,
        'G-Pass@2_0.5': 2.5 * third,
        'G-Pass@2_0.75': 50,
        'G-Pass@2_1.0': 50,
        'mG-Pass@2': 50,
        'G-Pass@3_0.0': 100,
        'G-Pass@3_0.25': 100,
        'G-Pass@3_0.5': 50,
        'G-Pass@3_0.75': 50,
        'G-Pass@3_1.0': 50,
        'mG-Pass@3': third,
        'majority@2': 2 * third,
        'majority@3': 2 * third,
      }),
    )
  })

  test('have no pass@k beyond their number, and G-Pass@k only for k greater than one', () => {
    expect(Object.keys(judged([1]).figures)).toEqual(['accuracy (3 runs average)', 'pass@1'])
    expect(Object.keys(judged([4]).figures)).not.toContain('pass@4')
    expect(Object.keys(judged([1, 2], 1).figures)).toEqual(['accuracy (1 runs average)', 'pass@1'])
  })

  test('a single answer counts as a list', () => {
    const sampled = overSamples(accuracy, { n: 1, k: [1] })
    expect(sampled.judge({ prediction: '4', reference: '4', row: {} }).score).toBe(1)
  })

  test('a replica of one run has its plain name', () => {
    const given = { evaluator: accuracy, k: [1, 2], n: 1, dataset: [{ subdivision: 'a_b', idx: 0 }], predictions: ['x'], references: ['x'] }
    expect(evaluateReplicas(given).figures).toEqual({ accuracy: 100 })
  })

  test('replicas have metrics for each subdivision', () => {
    const dataset = [0, 1, 0, 1].map((idx) => ({ subdivision: idx === 0 ? 'b' : 'a', idx }))
    const { figures } = evaluateReplicas({
      evaluator: accuracy,
      k: 2,
      n: 2,
      dataset,
      predictions: ['x', 'y', 'x', 'z'],
      references: ['x', 'y', 'x', 'y'],
    })
    expect(figures).toMatchObject({
      'b/G-Pass@2_1.0': 100,
      'a/G-Pass@2_1.0': 0,
      'a/G-Pass@2_0.5': 100,
      'G-Pass@2_1.0': 50,
      'mG-Pass@2': 50,
    })
    expect(Object.keys(figures).indexOf('a/G-Pass@2_0.0')).toBeLessThan(Object.keys(figures).indexOf('b/G-Pass@2_0.0'))
  })
})

test('pass@k is one minus the share of draws without a right answer', () => {
  expect(passAtK({ n: 5, c: 2, k: 3 })).toBeCloseTo(1 - 1 / 10, 12)
  expect(passAtK({ n: 10, c: 1, k: 4 })).toBeCloseTo(0.4, 12)
  expect(passAtK({ n: 5, c: 0, k: 5 })).toBe(0)
  expect(passAtK({ n: 5, c: 1, k: 5 })).toBe(1)
})

test('questions in four orders have all their metrics', () => {
  const gold = ['0--A--ABCD', '0--D--BCDA', '0--C--CDAB', '0--B--DABC', '1--B--ABCD', '1--A--BCDA', '1--D--CDAB', '1--C--DABC']
  // The first question is right three times and D the fourth time; the second is right twice and has no choice twice.
  const { figures, scores } = evaluateAnswers(
    evaluatorOf({ type: 'CircularEvaluator' }, true, 'mine'),
    ['A', 'D', 'C', 'A', 'B', 'A', 'x', ''],
    gold,
  )
  expect(scores).toEqual([1, 1, 1, 0, 1, 1, 0, 0])
  expect(figures).toEqual({
    ...{ acc_4: 62.5, acc_1: 100, more_1_0: 100, more_1_1: 100, perf_1: 100, vote_1: 100 },
    ...{ more_4_0: 100, more_4_1: 100, more_4_2: 100, more_4_3: 50, more_4_4: 0, perf_4: 0, vote_4: 100 },
    ...{ prior_A: 37.5, prior_B: 12.5, prior_C: 12.5, prior_D: 12.5, 'prior_-': 25 },
  })
  expect(() => evaluateAnswers(evaluatorOf({ type: 'CircularEvaluator' }, true, 'mine'), ['A'], ['0--A--BCDA'])).toThrow(
    'no row has its options in the written order',
  )
})

test('the orders of a circular dataset may be all permutations', () => {
  const orders = ['ABC', 'BCA', 'CAB', 'ACB', 'BAC', 'CBA'].map((order) => [...order])
  const rows = orders.map((circular_pattern) => ({ qid: 1, circular_pattern }))
  const evaluator = evaluatorOf({ type: 'CircularDatasetEvaluator', circular_pattern: 'all_possible' }, true, 'mine')
  const { figures } = evaluateAnswers(evaluator, ['A', 'A', 'x', 'A', 'x', 'x'], new Array(6).fill('A'), rows)
  expect(figures).toEqual({
    ...{ acc_origin: 100, perf_origin: 100 },
    ...{ acc_circular: expect.closeTo(200 / 3, 9), more_1_circular: 100, more_2_circular: 100, perf_circular: 0 },
    ...{ acc_all_possible: 50, more_1_all_possible: 100, more_2_all_possible: 100, more_3_all_possible: 100 },
    ...{ more_4_all_possible: 0, more_5_all_possible: 0, perf_all_possible: 0 },
  })
  expect(() => evaluateAnswers(evaluator, ['A'], ['A'], [{ qid: 1 }])).toThrow('it has no circular_pattern')
})

test("a judge's metrics are shares of the decided verdicts, and with compat of all verdicts", () => {
  const config = { type: 'GenericLLMEvaluator', judge_cfg: { type: 'embedded' }, prompt_template: { template: '{prediction}' } }
  const judge = evaluatorOf(config, true, 'mine')
  const verdicts = ['A', 'I say A', 'A? No.\nB', 'cannot tell']
  const { figures, scores } = evaluateAnswers(judge, verdicts, ['1', '2', '3', '4'])
  expect(scores).toEqual([1, 1, 0, Number.NaN])
  const shares = { accuracy_given_attempted: 200 / 3, f1: 4 / 7, attempted_ratio: 75 }
  const counts = { correct_count: 2, incorrect_count: 1, not_attempted_count: 1 }
  expect(figures).toEqual(near({ accuracy: 200 / 3, ...shares, ...counts }))
  expect(() => evaluateAnswers(judge, ['?'], ['1'])).toThrow('it gave no verdict on any answer')
  const reference = evaluatorOf(config, true, 'mine', {}, { compat: 'opencompass' })
  const asThere = evaluateAnswers(reference, verdicts, ['1', '2', '3', '4'])
  expect(asThere.scores).toEqual([1, 1, 1, 0])
  expect(asThere.figures.accuracy).toBe(75)
  expect(evaluateAnswers(reference, ['?'], ['1']).figures).toMatchObject({ accuracy: 0, accuracy_given_attempted: 0, f1: 0 })
  const named = evaluatorOf({ ...config, dict_postprocessor: 'generic_llmjudge_postprocess' }, true, 'mine')
  expect(evaluateAnswers(named, verdicts, ['1', '2', '3', '4']).scores).toEqual([1, 1, 1, Number.NaN])
  for (const type of ['GenericLLMEvaluator', 'LMEvaluator']) {
    expect(evaluatorOf({ ...config, type }, true, 'mine').asks).toEqual({
      model: config.judge_cfg,
      prompt_template: config.prompt_template,
    })
    expect(evaluatorOf({ ...config, type, pred_postprocessor: 'general' }, true, 'mine').asks).toMatchObject({
      pred_postprocessor: 'general',
    })
  }
})

test('a column missing in a row is empty in its program', () => {
  expect(humanEvalCheck({}, '    return 1')).toMatchObject({ code: '    return 1', tests: "\n\ncheck(_answer(''))\n" })
})

describe('sacrebleu tokenizes a line', () => {
  test.each<[BleuTokenizer, string, string]>([
    ['13a', 'co-\noperate\nnow', 'cooperate now'],
    ['13a', 'a<skipped>b', 'ab'],
    ['13a', '&quot;a&quot; &amp; &lt;b&gt;', '" a " & < b >'],
    ['13a', 'x.y, 1,000.5 3-4 a-b', 'x . y , 1,000.5 3 - 4 a-b'],
    ['13a', "it's {a}[b]`c`~|!#$%&()*+/:;<=>?@\\^_", "it's { a } [ b ] ` c ` ~ | ! # $ % & ( ) * + / : ; < = > ? @ \\ ^ _"],
    ['char', 'ab 字', 'a b   字'],
    ['none', ' a  b. ', ' a  b. '],
    ['zh', ' 我a，b。 ', '我 a ， b 。'],
  ])('%s: %s', (tokenizer, line, expected) => expect(bleuTokenize(line, tokenizer)).toBe(expected))

  test('zh: the bounds of its ranges are separate tokens, their neighbours are not', () => {
    const inside = [
      ...[0x3400, 0x4db5, 0x4e00, 0x9fbb, 0xf900, 0xfa2d, 0xfa30, 0xfa6a, 0xfa70, 0xfad9, 0xff00, 0xffef, 0x2e80, 0x2eff, 0x3001, 0x303f],
      ...[0x31c0, 0x31ef, 0x2f00, 0x2fdf, 0x2ff0, 0x2fff, 0x3100, 0x312f, 0x31a0, 0x31bf, 0xfe10, 0xfe1f, 0xfe30, 0xfe4f, 0x2600, 0x26ff],
      ...[0x2700, 0x27bf, 0x3200, 0x33ff, 0x2010, 0x2a6d],
    ]
    const outside = [
      ...[0x4db6, 0x4dff, 0x9fbc, 0xf8ff, 0xfa2e, 0xfa2f, 0xfa6b, 0xfa6f, 0xfada, 0xfeff, 0xfff0, 0x2a6e, 0x2e7f, 0x2fe0, 0x2fef],
      ...[0x3040, 0x30ff, 0x3130, 0x319f, 0x31f0, 0x31ff, 0xfe0f, 0xfe20, 0xfe2f, 0xfe50, 0x1fff, 0x20000],
    ]
    const isAlone = (code: number) => bleuTokenize(`x${String.fromCodePoint(code)}y`, 'zh') === `x ${String.fromCodePoint(code)} y`
    expect(inside.filter((code) => !isAlone(code))).toEqual([])
    expect(outside.filter(isAlone)).toEqual([])
  })
})

describe('intervals and comparisons', () => {
  test("Wilson's interval, by its formula", () => {
    // For 1 of 3, with z = 1.959964: (1/3 + z²/6 ± z·√(2/27 + z²/36)) / (1 + z²/3).
    expect(wilsonInterval(1, 3)).toEqual({ low: expect.closeTo(0.0614919, 6), high: expect.closeTo(0.7923404, 6), method: 'wilson' })
    expect(wilsonInterval(0, 10)).toEqual({ low: 0, high: expect.closeTo(0.2775328, 6), method: 'wilson' })
  })

  test('4,000 rows are resampled, 4,001 use the normal approximation', () => {
    const values = (total: number) => Float64Array.from({ length: total }, (_, row) => row % 2)
    expect(meanInterval(values(4000)).method).toBe('bootstrap')
    const { low, high, method } = meanInterval(values(10_000))
    // Variance 10,000 / 4 / 9,999, so half the width is 1.959964 · √(0.25 / 9,999).
    expect({ low, high, method }).toEqual({ low: expect.closeTo(0.4901997, 6), high: expect.closeTo(0.5098003, 6), method: 'normal' })
    expect(meanInterval(values(4001)).method).toBe('normal')
  })

  test('constant values give a zero-width interval', () => {
    expect(meanInterval([2, 2, 2])).toEqual({ low: 2, high: 2, method: 'bootstrap', draws: 1000, seed: 0 })
    expect(figureInterval([5], ([one]) => one)).toEqual({ low: 5, high: 5, method: 'bootstrap', draws: 1000, seed: 0 })
    expect(figureInterval([5], () => undefined)).toBeUndefined()
    expect(figureInterval([5], () => Number.NaN)).toBeUndefined()
  })

  test('metrics of the same rows are compared', () => {
    const rows = [0, 1, 2, 3]
    const compared = compareFigures(
      rows,
      (drawn) => drawn.length,
      (drawn) => 2 * drawn.length,
    )
    expect(compared).toEqual({
      rows: 4,
      difference: 4,
      interval: { low: 4, high: 4, method: 'bootstrap', draws: 1000, seed: 0 },
      p: 2 / 1001,
      test: 'bootstrap',
    })
    expect(
      compareFigures(
        rows,
        () => undefined,
        () => 1,
      ),
    ).toBeUndefined()
    expect(
      compareFigures(
        rows,
        () => 1,
        () => undefined,
      ),
    ).toBeUndefined()
  })

  test('right and wrong are tested, fractional scores are not', () => {
    const compared = comparePaired([1, 1, 0, 1], [0, 1, 0, 1], { kind: 'verdict' })
    expect(compared).toMatchObject({ rows: 4, difference: -0.25, mcnemar: { onlyFirst: 1, onlySecond: 0, p: 1 } })
    expect(comparePaired([1, 0.5], [0, 1], { kind: 'graded' }).mcnemar).toBeUndefined()
    // A top mark is not a verdict, and a perplexity of 1 is not right.
    for (const kind of ['graded', 'quantity'] as const) expect(comparePaired([1, 0], [0, 1], { kind }).mcnemar).toBeUndefined()
    // Three of three on one side: 2 · (1/2)³; one of five on the other: 2 · (1 + 5) / 2⁵.
    expect(mcnemarTest([1, 1, 1], [0, 0, 0]).p).toBeCloseTo(0.25, 12)
    expect(mcnemarTest([1, 0, 0, 0, 0], [0, 1, 1, 1, 1]).p).toBeCloseTo(0.375, 12)
    expect(() => comparePaired([], [])).toThrow('there are 0 and 0')
  })
})

test('a misspelt evaluator is reported with its location', () => {
  expect(() => evaluatorOf({ type: 'Nothing' }, true, 'datasets[0]')).toThrow('datasets[0] › eval_cfg.evaluator.type')
  expect(evaluatorOf(undefined, true, 'mine').metric).toBe('accuracy')
  expect(evaluatorOf(undefined, false, 'mine').metric).toBe('average_ppl')
})
