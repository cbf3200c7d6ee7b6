import { describe, expect, test } from 'vitest'
import { runExample } from '../../../../../../proof/testing/run-example.ts'
import { evaluateAnswers } from '../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf, evaluators } from '../../../evaluation/score/evaluate/evaluators.ts'
import { evaluateReplicas } from '../../../evaluation/score/evaluate/replicas.ts'
import { pythonEvaluators } from '../../own-python/python-evaluator.ts'
import { registerOpenCompass } from '../register-opencompass.ts'
import { areaUnderCurve } from './labels.ts'

registerOpenCompass()

const figures = (config: Parameters<typeof evaluatorOf>[0], predictions: never[], references: never[]) =>
  evaluateAnswers(evaluatorOf(config, true, 'mine'), predictions, references)

describe("every evaluator's worked example from the docs", () => {
  // Words come from an optional package: src/node/jieba-words.test.ts runs these.
  // Users' own code: src/compat/own-python/worked-examples.test.ts. Tests that ran before in this process may have registered it.
  for (const definition of new Set(evaluators.values())) {
    if (!definition.needsWords && !pythonEvaluators.includes(definition)) test(definition.names[0]!, () => runExample(definition))
  }
})

describe('answers are judged as OpenCompass judges them', () => {
  const cases: [type: string, predictions: unknown[], references: unknown[], metric: string, value: number][] = [
    ['AccEvaluator', ['A', 'B'], ['A', 'C'], 'accuracy', 50],
    ['AccwithDetailsEvaluator', ['1', 1], [1, true], 'accuracy', 50],
    ['EMEvaluator', ['The cat.'], [['cat', 'dog']], 'score', 100],
    ['SquadEvaluator', ['a big red dog'], ['the red dog'], 'f1', 80],
    ['Gsm8kEvaluator', ['72.0'], ['72'], 'accuracy', 100],
    ['MATHEvaluator', [String.raw`\frac12`], [String.raw`\frac{1}{2}`], 'accuracy', 100],
    ['MccEvaluator', ['A', 'B'], ['B', 'A'], 'matthews_correlation', -100],
    ['BleuEvaluator', ['the cat sat on the mat'], ['the cat sat on a mat'], 'score', 53.7284965911771],
    ['EDAccEvaluator', ['kitten'], [{ candidates: ['sitting', 'mitten'], label: 1 }], 'accuracy', 100],
    ['MGSM_Evaluator', ['1', '2'], ['1', '3'], 'accuracy', 50],
    ['dropOpenAIEvaluator', ['He ran.\nAnswer: 3 yards', 'Answer: 9'], ['3|three', '4'], 'accuracy', 50],
    ['LambadaEvaluator', ['door, then', 'the'], ['door', 'hut'], 'accuracy', 50],
    ['NQEvaluator', ['The answer is Paris\nRome', 'Oslo'], [['paris'], ['Bern']], 'score', 50],
    ['TriviaQAEvaluator', ['It was the Beatles', 'Queen'], [['Beatles'], ['Abba']], 'score', 50],
    ['SQuAD20Evaluator', ['Paris\nx', 'It is Rome'], [['paris'], ['Rome']], 'score', 50],
    ['Math401Evaluator', ['3.1419', '3.2'], ['3.1415', '3.1415'], 'accuracy', 50],
    // The example of sklearn's roc_auc_score: scores 0.1, 0.4, 0.35, 0.8 for the classes 0, 0, 1, 1.
    [
      'AUCROCEvaluator',
      [
        [0.9, 0.1],
        [0.6, 0.4],
        [0.65, 0.35],
        [0.2, 0.8],
      ],
      [0, 0, 1, 1],
      'auc_score',
      75,
    ],
    ['CircularEvaluator', ['A', 'B', 'C', 'A'], ['0--A--ABCD', '0--B--BCDA', '0--C--CDAB', '0--D--DABC'], 'acc_4', 75],
    ['AveragePPLEvaluator', [1, 2], [null, null], 'average_ppl', 1.5],
    ['ChineseRougeEvaluator', ['今天天气'], ['今天天气'], 'rouge1', 99.9999995],
  ]
  for (const [type, predictions, references, metric, value] of cases) {
    test(type, () => {
      const judged = figures({ type }, predictions as never[], references as never[])
      expect(judged.figures[metric]).toBeCloseTo(value, 9)
      expect(judged.details).toHaveLength(predictions.length)
    })
  }
})

test('a SQuAD answer is scored against its closest gold answer, and exact matches are a metric', () => {
  const { figures: found, details } = figures(
    { type: 'SquadEvaluator' },
    ['red car', 'a green truck'] as never[],
    [
      ['red car', 'blue truck'],
      ['red car', 'blue truck'],
    ] as never[],
  )
  expect(found).toEqual({ f1: 75, exact_match: 50 })
  expect(details[0]).toEqual({ pred: 'red car', answer: ['red car', 'blue truck'], f1: 1, exact_match: true })
  expect(figures({ type: 'SquadEvaluator' }, ['x'] as never[], [[]] as never[]).figures.f1).toBe(0)
})

test('a short sentence is not penalized for n-grams it cannot contain; a corpus is', () => {
  const evaluated = figures({ type: 'BleuEvaluator' }, ['Paris', 'the cat', 'a b'] as never[], ['Paris', 'the dog', 'x y'] as never[])
  // sacrebleu's sentence_bleu: in the second, one of two words matches, and no bigram (smoothed to 1/2 of one).
  expect(evaluated.scores).toEqual([1, expect.closeTo(Math.sqrt(0.5 * 0.5), 12), 0])
  expect(figures({ type: 'BleuEvaluator' }, ['Paris'] as never[], ['Paris'] as never[]).figures.score).toBe(0)
})

describe('the area under the curve', () => {
  const pair = [
    [0.2, 0.8],
    [0.7, 0.3],
  ]
  const auc = (predictions: unknown[], references: unknown[]) =>
    figures({ type: 'AUCROCEvaluator' }, predictions as never[], references as never[]).figures

  test('accepts gold answers as text, as in CSV files', () => {
    expect(auc(pair, ['1', '0'])).toEqual({ auc_score: 100, accuracy: 100 })
    expect(() => auc(pair, ['1', '1'])).toThrow('they are all the same')
    expect(() => auc(pair, ['yes', '0'])).toThrow("the gold answer: 'yes' is not a class. Write 0 or 1.")
  })

  test('rejects a probability that is not a number, early', () => {
    expect(() => auc([['nan', 0.8], ...pair], [1, 0, 1])).toThrow('needs the probability of each class')
    const rows = [Number.NaN, 0.5, Number.NaN].map((score, index) => ({ score, positive: index > 0 }))
    expect(areaUnderCurve(rows)).toEqual(expect.any(Number))
  })

  test('uses the choices if the model was asked to choose', () => {
    const { judge } = evaluatorOf({ type: 'AUCROCEvaluator' }, true, 'mine')
    const choices = [
      { label: 'no', logLikelihood: Math.log(0.1) },
      { label: 'yes', logLikelihood: Math.log(0.3) },
    ]
    const judged = (reference: string, labels = ['no', 'yes']) =>
      judge({ prediction: 'yes', reference, row: {}, choices: choices.map((one, index) => ({ ...one, label: labels[index]! })) })
    expect(judged('yes')).toMatchObject({ score: 1, keep: { score: expect.closeTo(0.75, 12), positive: true } })
    expect(judged('0')).toMatchObject({ score: 0, keep: { positive: false } })
    expect(judged('2', ['1', '2'])).toMatchObject({ keep: { positive: true } })
    expect(() => judged('0', ['1', '2'])).toThrow("'0' is not a class. Write one of the choices: 1, 2.")
  })
})

test('bits per character are computed over all rows: total loss divided by total characters', () => {
  const evaluator = evaluatorOf({ type: 'BPCEvaluator', column: 'text' }, true, 'mine')
  const judged = [
    { prediction: 2 * Math.LN2, row: { text: 'ab' }, tokens: 3 },
    { prediction: Math.LN2, row: { text: '字𝐀𝐀𝐀' }, tokens: 4 },
  ].map((one) => evaluator.judge({ ...one, reference: null }))
  // 6 bits for two characters, 4 for four.
  expect(judged.map(({ score }) => score)).toEqual([3, 1])
  expect(evaluator.summarise!(judged.map(({ keep }) => keep)).bpc).toBeCloseTo(10 / 6, 12)
  expect(() => evaluator.judge({ prediction: 1, reference: null, row: { content: 'x' }, tokens: 1 })).toThrow('the row has no "text"')
  expect(() => evaluator.judge({ prediction: 'A', reference: null, row: { text: 'x' }, tokens: 1 })).toThrow('PPLOnlyInferencer')
})

test('questions in several orders count once per order, and once for all orders', () => {
  const rows = [
    { qid: 1, circular_pattern: ['A', 'B', 'C', 'D'] },
    { qid: 1, circular_pattern: ['B', 'C', 'D', 'A'] },
    { qid: 2, circular_pattern: ['A', 'B', 'C', 'D'] },
    { qid: 2, circular_pattern: ['B', 'C', 'D', 'A'] },
  ]
  // The second is how configs name it: circular.py has a class of the same name as another file.
  for (const config of [{ type: 'CircularDatasetEvaluator' }, { type: 'CircularEvaluator', circular_pattern: 'circular' }]) {
    const evaluator = evaluatorOf(config, true, 'mine')
    const { figures: found } = evaluateAnswers(evaluator, ['A', 'B', 'C', 'C'], ['A', 'A', 'C', 'C'], rows)
    expect(found).toMatchObject({ acc_origin: 100, acc_circular: 75, more_2_circular: 50, perf_circular: 0 })
  }
})

test('a function can be an evaluator, and its details are kept', () => {
  const judged = figures(
    ({ prediction }) => ({ score: prediction === 'x' ? 0.5 : 0, detail: { why: 'because' } }),
    ['x', 'y'] as never[],
    [null, null] as never[],
  )
  expect(judged.figures).toEqual({ score: 25 })
  expect(judged.details[0]).toEqual({ pred: 'x', answer: null, why: 'because' })
})

test('lists of unequal length and empty lists are rejected', () => {
  expect(() => figures({ type: 'AccEvaluator' }, ['a'] as never[], [])).toThrow(/1 answers and 0 gold answers/)
  expect(() => figures({ type: 'AccEvaluator' }, [], [])).toThrow(/at least one/)
})

test('a misspelt evaluator and a misspelt option are rejected; missing jieba is reported', () => {
  expect(() => evaluatorOf({ type: 'AccEvaluater' }, true, 'mine')).toThrow(/Did you mean "AccEvaluator"/)
  expect(() => evaluatorOf({ type: 'MATHEvaluator', versoin: 'v2' }, true, 'mine')).toThrow(/versoin/)
  expect(() => evaluatorOf({ type: 'JiebaRougeEvaluator' }, true, 'mine')).toThrow('Install it: npm install jieba-wasm')
})

describe('a mark', () => {
  const score = (said: string, more: object = {}) =>
    evaluatorOf({ type: 'LMEvaluator', prompt_template: {}, judge_cfg: {}, ...more }, true, 'mine').judge({
      prediction: said,
      reference: null,
      row: {},
    }).score

  test('is the number in double brackets, else the first number, in any digits', () => {
    expect(score('On a scale of 1 to 10 this is [[8]]')).toBe(0.8)
    expect(score('Rating: 7.5 of 10')).toBe(0.75)
    expect(score('评分：８')).toBe(0.8)
    expect(score('The mark is 3', { dict_postprocessor: { type: 'first_number_postprocess' }, highest: 4 })).toBe(0.75)
  })

  test('that is missing or outside the scale is an error', () => {
    expect(() => score('I cannot say')).toThrow('it has given no mark that can be read')
    expect(() => score('Rating: 85')).toThrow('its mark is 85, but marks go from 0 to 10')
    expect(() => score('[[-1]]')).toThrow('its mark is -1')
    expect(score('Rating: 85', { highest: 100 })).toBe(0.85)
  })
})

test('LMEvaluator reads letters as verdicts where dict_postprocessor does', () => {
  const config = { type: 'LMEvaluator', prompt_template: {}, judge_cfg: {}, dict_postprocessor: { type: 'generic_llmjudge_postprocess' } }
  const evaluator = evaluatorOf(config, true, 'mine')
  const given = ['A', 'B', 'unsure'].map((prediction) => evaluator.judge({ prediction, reference: null, row: {} }))
  expect(given.map(({ score }) => score)).toEqual([1, 0, 0])
  expect(evaluator.metric).toBe('accuracy')
  expect(evaluator.summarise?.(given.map(({ keep }) => keep))).toMatchObject({ accuracy: 50 })
})

test.each(['APPSEvaluator', 'TACOEvaluator', 'LCBCodeGenerationEvaluator'])('%s: a program without results fails', (type) => {
  const { judge } = evaluatorOf({ type }, true, 'mine')
  const score = (prediction: string) => judge({ prediction, reference: '1', row: {} }).score
  expect(score('left: [true, true]')).toBe(1)
  expect(score('left: [true, -1]')).toBe(0)
  expect(score('left: reached the end')).toBe(0)
  expect(score('failed: it was interrupted')).toBe(0)
})

test('replicas keep their details, and G-Pass@k counts them', () => {
  const dataset = [0, 1, 0, 1].map((idx) => ({ subdivision: 'main', idx }))
  const { figures: means, details } = evaluateReplicas({
    evaluator: evaluatorOf({ type: 'AccEvaluator' }, true, 'mine'),
    k: 2,
    n: 2,
    dataset,
    predictions: ['1', '2', '0', '2'],
    references: ['1', '2', '1', '2'],
  })
  expect(means['accuracy (2 runs average)']).toBe(75)
  expect(means['G-Pass@2_1.0']).toBe(50)
  expect(details[0]).toMatchObject({ example_abbr: 'main_0', correct: [true, false], 'G-Pass@2_0.5': 1, 'G-Pass@2_1.0': 0 })
})

test('QuALITY separates easy rows from others, and a group without rows is 0', () => {
  const { summarise } = evaluatorOf({ type: 'QuALITYEvaluator' }, true, 'mine')
  const row = (correct: boolean, isEasy: boolean) => ({ correct, isEasy })
  expect(summarise!([row(true, true), row(true, false), row(false, false)] as never)).toMatchObject({ easy_acc: 100, hard_acc: 50 })
  expect(summarise!([row(true, true)] as never)).toEqual({ all_acc: 100, easy_acc: 100, hard_acc: 0 })
})

test('GAOKAO-Bench is graded by question type; questions graded by people get no points', () => {
  const score = (type: string, answer: string, gold: unknown, options = {}) =>
    figures({ type, ...options } as never, [answer] as never[], [gold] as never[]).figures
  expect(score('GaokaoBenchEvaluator_single_choice', 'B，不，选 D', ['D'])).toMatchObject({ score: 100 })
  expect(score('GaokaoBenchEvaluator', 'B，不，选 D', ['D'], { question_type: 'single_choice' })).toMatchObject({ score: 100 })
  expect(score('GaokaoBenchEvaluator_five_out_of_seven', 'A B C', ['A', 'B', 'C', 'D', 'E'])).toMatchObject({ score: 0 })
  expect(score('GaokaoBenchEvaluator_subjective', 'x', 'x')).toMatchObject({ score: 0 })
})
