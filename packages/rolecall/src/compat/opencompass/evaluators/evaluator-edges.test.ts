import { describe, expect, test } from 'vitest'
import type { PyValue } from '../../../../../core/src/base/python/index.ts'
import { bleuCounts, corpusBleu, sentenceBleu } from '../../../evaluation/score/evaluate/bleu.ts'
import { commonLength, commonPlaces } from '../../../evaluation/score/evaluate/common-subsequence.ts'
import { evaluateAnswers } from '../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../evaluation/score/evaluate/evaluators.ts'
import { bitsPerCharacter, perplexityPerToken } from '../../../evaluation/score/evaluate/likelihood.ts'
import { judgeResults } from '../../../evaluation/score/evaluate/model-judge.ts'
import { gPassAtK, mgPassAtK, passAtK } from '../../../evaluation/score/evaluate/pass-at-k.ts'
import { rougeScore, rougeTokenize } from '../../../evaluation/score/evaluate/rouge.ts'
import { registerOpenCompass } from '../register-opencompass.ts'
import { chineseRouge } from './chinese-rouge.ts'
import { circularPatterns } from './choice/circular-evaluators.ts'
import { humanEvalCheck } from './code/humaneval-program.ts'
import { levenshtein } from './edit-distance.ts'
import { areaUnderCurve, matthews } from './labels.ts'

registerOpenCompass()

// Both sides of each evaluator rule.

describe('right and wrong', () => {
  test.each<[type: string, prediction: PyValue, reference: PyValue, isRight: boolean]>([
    ['AccEvaluator', 'A', 'A', true],
    ['AccEvaluator', '1', 1, true],
    ['AccEvaluator', 'a', 'A', false],
    ['EMEvaluator', 'a cat', ['the cat'], true],
    ['EMEvaluator', 'cat', ['a cat'], true],
    ['EMEvaluator', 'cats', ['cat'], false],
    ['TriviaQAEvaluator', 'Answer: A: it is the Paris\nRome', 'paris', true],
    ['TriviaQAEvaluator', 'Answer is Paris answer is Rome', 'paris', false],
    ['TriviaQAEvaluator', 'x\nParis', 'Paris', false],
    ['NQEvaluator', '\n The answer is PARIS', 'Paris', true],
    ['NQEvaluator', 'Paris. The answer is Rome', 'Paris', false],
    ['SQuAD20Evaluator', 'The answer is the Paris', ['x', 'Paris'], true],
    ['SQuAD20Evaluator', 'in Paris', 'Paris', false],
    ['SQuAD20Evaluator', '\nParis', 'Paris', false],
    ['LambadaEvaluator', ' door-bell rings', 'door', true],
    ['LambadaEvaluator', 'the door', 'door', false],
    ['LambadaEvaluator', 'door\\x', 'door', false],
    ['DropOpenAIEvaluator', 'answer : 3 yards\n4', '3|4', true],
    ['DropOpenAIEvaluator', 'Answer: yards', '30 yards', true],
    ['DropOpenAIEvaluator', 'Answer: the', '30', false],
    ['DropOpenAIEvaluator', 'Answer: a', 'the', true],
    ['DropOpenAIEvaluator', 'Answer: 5', '|', false],
    ['DropOpenAIEvaluator', '12', '12', true],
    ['BBHEvaluator', 'So the answer is YES.', 'yes', true],
    ['BBHEvaluator', 'STRASSE', 'straße', true],
    ['BBHEvaluator', 'x', 'y', false],
    ['BBHEvaluator_mcq', 1, '1', true],
    ['BBHEvaluator_mcq', 'a', 'A', false],
    ['Gsm8kEvaluator', '7', '7', true],
    ['Gsm8kEvaluator', '7.0000009', '7', true],
    ['Gsm8kEvaluator', '7.0000011', '7', false],
    ['Gsm8kEvaluator', '6.9999991', '7', true],
    ['Gsm8kEvaluator', '7.5', '7.5', true],
    ['Gsm8kEvaluator', '7.50', '7.5', false],
    ['Gsm8kEvaluator', 'seven', '7', false],
    ['Math401Evaluator', '3.0009', '3', true],
    ['Math401Evaluator', '3.0011', '3', false],
    ['Math401Evaluator', '2.9991', '3', true],
    ['Math401Evaluator', 'x', '3', false],
    ['Math401Evaluator', '3', 'x', false],
    ['MATHEvaluator', null, null, true],
    ['MATHEvaluator', null, 'None', false],
    ['EDAccEvaluator', 'blu', { candidates: ['red', ['x', 'blue']], label: 1 }, true],
    ['EDAccEvaluator', 'blu', { candidates: ['blue', 'blue'], label: 1 }, false],
    ['EDAccEvaluator', 'x', { candidates: ['x'], label: 0 }, true],
    ['ELBenchMathEvaluator', 'so \\boxed{1,000}', '1000', true],
    ['ELBenchMathEvaluator', '', '', false],
    ['TydiQAEvaluator', 'The Red House\nx', ['blue', 'red house'], true],
    ['MGSM_Evaluator', '1', '1', true],
    ['MGSM_Evaluator', '1', '2', false],
  ])('%s: %j for %j is %s', (type, prediction, reference, isRight) => {
    const judged = evaluatorOf({ type }, true, 'mine').judge({ prediction, reference, row: {} })
    expect(judged.score).toBe(Number(isRight))
    expect(judged.detail).toHaveProperty('correct', isRight)
  })

  test.each([
    ['', '', 0],
    ['', 'ab', 2],
    ['ab', '', 2],
    ['abc', 'abd', 1],
    ['abc', 'ac', 1],
    ['ac', 'abc', 1],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['😀a', 'a', 1],
  ])('%j is %j after so many changes', (a, b, distance) => expect(levenshtein(a, b)).toBe(distance))
})

test('without answers there is no figure; with compat 0 where the reference reports it', () => {
  const none = (type: string, compat?: 'opencompass') => evaluateAnswers(evaluatorOf({ type }, true, 'mine', {}, { compat }), [], [])
  expect(() => none('korbenchEvaluator')).toThrow('there are 0 answers')
  expect(none('korbenchEvaluator', 'opencompass')).toEqual({ figures: { accuracy: 0 }, scores: [], details: [] })
  expect(none('RMBEvaluator', 'opencompass').figures).toMatchObject({ total_accuracy: 0, bon_average: 0 })
  // Most evaluators of the reference fail.
  expect(() => none('GPQAEvaluator', 'opencompass')).toThrow('there are 0 answers')
  const uneven = () => evaluateAnswers(evaluatorOf({ type: 'korbenchEvaluator' }, true, 'mine', {}, { compat: 'opencompass' }), ['a'], [])
  expect(uneven).toThrow('there are 1 answers and 0 gold answers')
})

describe('judges', () => {
  const marking = (said: string, more: object = {}) =>
    evaluatorOf({ type: 'LMEvaluator', judge_cfg: {}, prompt_template: {}, ...more }, true, 'mine').judge({
      prediction: said,
      reference: 'gold',
      row: {},
    })
  test.each([
    ['[[0]]', 0],
    ['[[10]]', 1],
    ['3 of [[ 4.5 ]]', 0.45],
    ['-0', -0],
    ['2.5 or 3', 0.25],
  ])('%s is a mark of %d', (said, score) => {
    expect(marking(said).score).toBe(score)
    expect(marking(said).detail).toEqual({ answer: 'gold', judge: said, mark: 10 * score })
  })
  test('the best mark is the top of the scale, and no more', () => {
    expect(marking('[[5]]', { highest: 5 }).score).toBe(1)
    expect(() => marking('[[5.1]]', { highest: 5 })).toThrow('marks go from 0 to 5')
    expect(() => evaluatorOf({ type: 'LMEvaluator', judge_cfg: {}, prompt_template: {}, highest: 0 }, true, 'mine')).toThrow('highest')
  })

  test("the judge's prompt and the metrics of its verdicts", () => {
    const options = { type: 'GenericLLMEvaluator', judge_cfg: { type: 'openai' }, prompt_template: { a: 1 } }
    const evaluator = evaluatorOf(options, true, 'mine')
    expect(evaluator.asks).toEqual({ model: { type: 'openai' }, prompt_template: { a: 1 } })
    expect(evaluatorOf({ ...options, pred_postprocessor: 'general' }, true, 'mine').asks).toHaveProperty('pred_postprocessor', 'general')
    const judged = ['A', 'B', 'I do not know'].map((prediction) => evaluator.judge({ prediction, reference: 'x', row: {} }))
    expect(judged.map(({ score, keep }) => [score, keep])).toEqual([
      [1, 'A'],
      [0, 'B'],
      [0, 'unknown'],
    ])
    expect(judged[0]!.detail).toEqual({ answer: 'x', judge: 'A', grade: 'A', correct: true })
    expect(judged[1]!.detail).toEqual({ answer: 'x', judge: 'B', grade: 'B', correct: false })
    expect(evaluator.summarise!(['A', 'A', 'B', 'unknown'])).toEqual({
      accuracy: expect.closeTo(200 / 3, 9),
      accuracy_given_attempted: expect.closeTo(200 / 3, 9),
      f1: expect.closeTo((2 * (2 / 3) * 0.5) / (2 / 3 + 0.5), 12),
      attempted_ratio: 75,
      correct_count: 2,
      incorrect_count: 1,
      not_attempted_count: 1,
    })
  })

  test('custom tags map to right and wrong', () => {
    const read = { type: 'generic_llmjudge_postprocess', true_tag: 'CORRECT', false_tag: 'WRONG' }
    const evaluator = evaluatorOf({ type: 'LLMEvaluator', judge_cfg: {}, prompt_template: {}, dict_postprocessor: read }, true, 'mine')
    const keep = (prediction: string) => evaluator.judge({ prediction, reference: null, row: {} }).keep
    expect(['it is CORRECT', 'it is WRONG', 'A'].map(keep)).toEqual(['A', 'B', 'unknown'])
  })

  test('details contain the answer and the gold answer, or null', () => {
    const { details, ...figures } = judgeResults(['A', 'C'], ['gold'], ['said'])
    expect(details).toEqual([
      { pred: 'said', ref: 'gold', origin_grade_response: 'A', grade_letter: 'A', correct: true },
      { pred: null, ref: null, origin_grade_response: 'C', grade_letter: 'C', correct: false },
    ])
    expect(figures).toMatchObject({ accuracy: 50, accuracy_given_attempted: 100, attempted_ratio: 50, not_attempted_count: 1 })
    expect(judgeResults(['C'], [], [])).toMatchObject({ accuracy: 0, accuracy_given_attempted: 0, f1: 0, attempted_ratio: 0 })
  })
})

describe('labels', () => {
  test("Matthews' correlation, by its formula", () => {
    // Two classes: (tp·tn − fp·fn) / √((tp+fp)(tp+fn)(tn+fp)(tn+fn)), with 3, 2, 1, 1.
    const pairs = [...'aaaa'].map((said, row) => [said, row < 3 ? 'a' : 'b'] as const)
    const others = [...'bbb'].map((said, row) => [said, row < 2 ? 'b' : 'a'] as const)
    expect(matthews([...pairs, ...others])).toBeCloseTo((3 * 2 - 1 * 1) / Math.sqrt(4 * 4 * 3 * 3), 12)
    expect(
      matthews([
        ['a', 'a'],
        ['a', 'b'],
      ]),
    ).toBe(0)
    expect(
      matthews([
        ['a', 'b'],
        ['b', 'b'],
      ]),
    ).toBe(0)
    expect(
      matthews([
        ['a', 'a'],
        ['b', 'b'],
        ['c', 'c'],
      ]),
    ).toBe(1)
    expect(
      matthews([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toBe(-1)
  })

  test('the area under the curve is the share of correctly ordered pairs', () => {
    const area = (positives: number[], negatives: number[]) =>
      areaUnderCurve([...positives.map((score) => ({ score, positive: true })), ...negatives.map((score) => ({ score, positive: false }))])
    expect(area([2], [1])).toBe(1)
    expect(area([1], [2])).toBe(0)
    expect(area([1], [1])).toBe(0.5)
    expect(area([3, 1], [2])).toBe(0.5)
    expect(area([3, 2, 2], [2, 1])).toBeCloseTo((1 + 1 + 0.5 + 1 + 0.5 + 1) / 6, 12)
    expect(() => area([1], [])).toThrow('all the same')
    expect(() => area([], [1])).toThrow('all the same')
  })

  test('two probabilities are required, and the likelier one is the answer', () => {
    const judge = (prediction: PyValue, reference: PyValue) =>
      evaluatorOf({ type: 'AUCROCEvaluator' }, true, 'mine').judge({ prediction, reference, row: {} })
    expect(judge([0.4, 0.6], 1)).toMatchObject({ score: 1, keep: { score: 0.6, positive: true, correct: true } })
    expect(judge([0.5, 0.5], 1)).toMatchObject({ score: 0, keep: { correct: false } })
    expect(judge(['0.7', '0.3'], 0)).toMatchObject({ score: 1, keep: { score: 0.3, positive: false, correct: true } })
    expect(judge([0.1, 0.2, 0.7], 2)).toMatchObject({ score: 1, keep: { score: 0.2, positive: false } })
    expect(() => judge('0.5', 0)).toThrow('probability of each class')
    expect(() => judge([0.1, 0.9], 0.5)).toThrow('is not a class')
  })
})

describe('overlaps', () => {
  test.each<[string, string, Partial<Record<'rouge1' | 'rouge2' | 'rougeL' | 'rougeLsum', [precision: number, recall: number]>>]>([
    ['a b', 'a b', { rouge1: [1, 1], rouge2: [1, 1], rougeL: [1, 1], rougeLsum: [1, 1] }],
    ['a b', 'b a', { rouge1: [1, 1], rouge2: [0, 0], rougeL: [0.5, 0.5] }],
    ['a a', 'a', { rouge1: [0.5, 1], rouge2: [0, 0], rougeL: [0.5, 1] }],
    ['a b c d', 'a c', { rouge1: [0.5, 1], rouge2: [0, 0], rougeL: [0.5, 1] }],
    ['', 'a', { rouge1: [0, 0], rougeL: [0, 0], rougeLsum: [0, 0] }],
    ['a', '', { rouge1: [0, 0], rougeL: [0, 0], rougeLsum: [0, 0] }],
    ['c d\na b', 'a b\nc d', { rougeL: [0.5, 0.5], rougeLsum: [1, 1] }],
    ['a b\n\nc', 'a b c', { rougeLsum: [1, 1] }],
    ['a x\na y', 'a', { rougeLsum: [0.25, 1] }],
    ['a', 'a x\na y', { rougeLsum: [1, 0.25] }],
  ])('ROUGE of %j for %j', (said, right, expected) => {
    const scores = rougeScore(said, right)
    for (const [type, [precision, recall]] of Object.entries(expected)) {
      const f = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
      expect(scores[type as 'rouge1'], type).toEqual({ precision, recall, f: expect.closeTo(f, 12) })
    }
  })
  test('words are runs of letters and digits', () => {
    expect(rougeTokenize("It's 3.5 CATS_dogs 上海")).toEqual(['it', 's', '3', '5', 'cats', 'dogs'])
    expect(rougeTokenize('上海')).toEqual([])
  })
  test('the closest of several gold answers counts', () => {
    const judge = (reference: PyValue) =>
      evaluatorOf({ type: 'RougeEvaluator' }, true, 'mine').judge({ prediction: 'a b', reference, row: {} })
    expect(judge(['x', 'a b']).score).toBe(1)
    expect(judge([]).score).toBe(0)
    expect(judge('a c').score).toBe(0.5)
  })

  const almost = (value: number) => expect.closeTo(value, 6)
  test.each<[string, string, [p1: number, r1: number], [p2: number, r2: number], [pl: number, rl: number]]>([
    ['a b c', 'a b d', [2 / 3, 2 / 3], [0.5, 0.5], [2 / 3, 2 / 3]],
    ['a a b', 'a b', [1, 1], [0.5, 1], [2 / 3, 1]],
    ['a', 'a b', [1, 0.5], [0, 0], [1, 0.5]],
    ['b a', 'a b', [1, 1], [0, 0], [0.5, 0.5]],
  ])('Chinese ROUGE of %j for %j counts each n-gram once', (said, right, one, two, longest) => {
    const overlap = ([p, r]: readonly [number, number]) => ({
      p: almost(p),
      r: almost(r),
      f: almost(p + r === 0 ? 0 : (2 * p * r) / (p + r)),
    })
    expect(chineseRouge(said, right)).toEqual({ 'rouge-1': overlap(one), 'rouge-2': overlap(two), 'rouge-l': overlap(longest) })
  })
  test('Chinese ROUGE uses characters, or words', () => {
    const characters = evaluatorOf({ type: 'ChineseRougeEvaluator' }, true, 'mine')
    expect(evaluateAnswers(characters, ['天 气\n好', '不'], ['天气好', '是']).figures).toEqual({
      rouge1: almost(50),
      rouge2: almost(50),
      rougeL: almost(50),
    })
    const words = (text: string) => text.split(/(?<=\s)|(?=\s)|(?<=天气)/)
    const jieba = evaluatorOf({ type: 'JiebaRougeEvaluator' }, true, 'mine', { words })
    expect(evaluateAnswers(jieba, ['天气 很好，不'], ['天气 不好']).figures).toMatchObject({ rouge1: almost(50), rouge2: almost(0) })
    expect(evaluateAnswers(jieba, ['。'], ['。']).figures).toMatchObject({ rouge1: 0 })
    expect(evaluateAnswers(jieba, ['。'], ['，']).details[0]).toMatchObject({ pred: '。', answer: '，', rouge1: 0, rougeL: 0 })
  })

  test('the longest common subsequence and its position', () => {
    const common = (a: string, b: string) => [commonLength([...a], [...b]), commonPlaces([...a], [...b]).sort((x, y) => x - y)]
    expect(common('abcde', 'ace')).toEqual([3, [0, 2, 4]])
    expect(common('ace', 'abcde')).toEqual([3, [0, 1, 2]])
    expect(common('abc', 'xyz')).toEqual([0, []])
    expect(common('', 'a')).toEqual([0, []])
    expect(common('xa', 'a')).toEqual([1, [1]])
  })
})

describe('BLEU', () => {
  test('n-gram counts are clipped to the reference, and the closest reference length counts', () => {
    expect(bleuCounts('a a a b', ['a a c', 'b x x x x'], 'none')).toEqual({
      correct: [3, 1, 0, 0],
      total: [4, 3, 2, 1],
      length: 4,
      referenceLength: 3,
    })
    expect(bleuCounts('a b', ['a', 'a b c'], 'none')).toMatchObject({ referenceLength: 1 })
    expect(bleuCounts('a b', ['a b c', 'a'], 'none')).toMatchObject({ referenceLength: 1 })
    expect(bleuCounts('a b', ['a b c d', 'a b c'], 'none')).toMatchObject({ referenceLength: 3 })
    expect(bleuCounts('a', [], 'none')).toEqual({ correct: [0, 0, 0, 0], total: [1, 0, 0, 0], length: 1, referenceLength: 0 })
    expect(bleuCounts('a. \n', ['a.'])).toMatchObject({ length: 2, correct: [2, 1, 0, 0] })
  })
  test('the brevity penalty applies to short answers only; missing n-grams are smoothed', () => {
    const counts = (said: string, right: string) => bleuCounts(said, [right], 'none')
    expect(corpusBleu([counts('a b c d', 'a b c d')]).score).toBeCloseTo(100, 9)
    expect(corpusBleu([counts('a b c d', 'a b c d e')])).toMatchObject({ bp: Math.exp(1 - 5 / 4), sys_len: 4, ref_len: 5 })
    expect(corpusBleu([counts('a b c d e', 'a b c d')])).toMatchObject({ bp: 1, precisions: [80, 75, expect.closeTo(200 / 3, 9), 50] })
    expect(corpusBleu([counts('a b x y', 'a b c d')])).toMatchObject({ precisions: [50, expect.closeTo(100 / 3, 9), 25, 25] })
    expect(corpusBleu([counts('', 'a')])).toMatchObject({ score: 0, bp: 0, precisions: [0, 0, 0, 0] })
    expect(corpusBleu([counts('', '')])).toMatchObject({ score: 0, bp: 1 })
    expect(corpusBleu([counts('x', 'a')]).score).toBe(0)
    expect(sentenceBleu(counts('', 'a')).score).toBe(0)
    expect(sentenceBleu(counts('a b', 'a b')).score).toBeCloseTo(100, 9)
    expect(corpusBleu([counts('a b', 'a b')]).score).toBe(0)
  })
})

describe('how often one of several is right', () => {
  test('pass@k at its bounds', () => {
    expect(passAtK({ n: 4, c: 2, k: 2 })).toBeCloseTo(1 - 1 / 6, 12)
    expect(passAtK({ n: 4, c: 2, k: 3 })).toBe(1)
    expect(passAtK({ n: 1, c: 0, k: 1 })).toBe(0)
    expect(passAtK({ n: 1, c: 1, k: 1 })).toBe(1)
  })
  test('G-Pass@k, by counting draws', () => {
    // 2 of 4 answers are right; of the 6 draws of 2, one has both and four have one.
    expect(gPassAtK({ n: 4, c: 2, k: 2, t: 0 })).toBeCloseTo(5 / 6, 12)
    expect(gPassAtK({ n: 4, c: 2, k: 2, t: 0.5 })).toBeCloseTo(5 / 6, 12)
    expect(gPassAtK({ n: 4, c: 2, k: 2, t: 0.51 })).toBeCloseTo(1 / 6, 12)
    expect(gPassAtK({ n: 4, c: 2, k: 2, t: 1 })).toBeCloseTo(1 / 6, 12)
    expect(gPassAtK({ n: 4, c: 0, k: 2, t: 0 })).toBe(0)
    expect(gPassAtK({ n: 4, c: 4, k: 4, t: 1 })).toBe(1)
    expect(gPassAtK({ n: 4, c: 4, k: 5, t: 0.5 })).toBe(0)
    expect(gPassAtK({ n: 200, c: 100, k: 100, t: 0.5 })).toBeCloseTo(0.556, 3)
    expect(mgPassAtK({ n: 4, c: 2, k: 2 })).toBeCloseTo(1 / 6, 12)
    expect(mgPassAtK({ n: 4, c: 3, k: 4 })).toBe(0.5)
    expect(mgPassAtK({ n: 4, c: 3, k: 3 })).toBeCloseTo((2 * (1 / 4)) / 3, 12)
    expect(mgPassAtK({ n: 4, c: 4, k: 4 })).toBe(1)
  })
})

test('likelihoods', () => {
  expect(perplexityPerToken([1, 3], [2, 6])).toBe(0.5)
  expect(bitsPerCharacter([Math.LN2, 3 * Math.LN2], 2)).toBeCloseTo(2, 12)
  const judge = (prediction: PyValue) =>
    evaluatorOf({ type: 'AveragePPLEvaluator' }, true, 'mine').judge({ prediction, reference: null, row: {} })
  expect(judge('2.5')).toEqual({ score: 2.5, detail: { ppl: 2.5 } })
  expect(judge('x').score).toBeNaN()
})

describe('questions in several orders', () => {
  test('the orders of options', () => {
    expect(circularPatterns(['A', 'B', 'C'])).toEqual({
      origin: [['A', 'B', 'C']],
      circular: [
        ['A', 'B', 'C'],
        ['B', 'C', 'A'],
        ['C', 'A', 'B'],
      ],
      all_possible: [
        ['A', 'B', 'C'],
        ['A', 'C', 'B'],
        ['B', 'A', 'C'],
        ['B', 'C', 'A'],
        ['C', 'A', 'B'],
        ['C', 'B', 'A'],
      ],
    })
  })

  test('votes count for the option behind the letter; letters and invalid answers are counted', () => {
    const { figures } = evaluateAnswers(
      evaluatorOf({ type: 'CircularEvaluator' }, true, 'mine'),
      // The answer to the first question is C in every order; the second is never right.
      ['C', 'B', 'A', 'D', 'A', 'x', 'B', 'D'],
      ['1--C--ABCD', '1--B--BCDA', '1--A--CDAB', '1--D--DABC', '2--B--ABCD', '2--A--BCDA', '2--D--CDAB', '2--C--DABC'],
    )
    expect(figures).toEqual({
      acc_4: 50,
      acc_1: 50,
      more_1_0: 100,
      more_1_1: 50,
      perf_1: 50,
      vote_1: 50,
      more_4_0: 100,
      more_4_1: 50,
      more_4_2: 50,
      more_4_3: 50,
      more_4_4: 50,
      perf_4: 50,
      vote_4: 50,
      prior_A: 25,
      prior_B: 25,
      prior_C: 12.5,
      prior_D: 25,
      'prior_-': 12.5,
    })
  })

  test('rows in all permutations have separate metrics', () => {
    const orders = ['AB', 'BA'].map((order) => [...order])
    const rows = orders.flatMap((circular_pattern) => [1, 2].map((qid) => ({ qid, circular_pattern })))
    const judge = (kind: 'circular' | 'all_possible') =>
      evaluateAnswers(
        evaluatorOf({ type: 'CircularDatasetEvaluator', circular_pattern: kind }, true, 'mine'),
        ['A', 'A', 'A', 'B'],
        ['A', 'B', 'A', 'B'],
        rows,
      ).figures
    const usual = { acc_origin: 50, perf_origin: 50, acc_circular: 75, more_1_circular: 100, perf_circular: 50 }
    expect(judge('circular')).toEqual(usual)
    expect(judge('all_possible')).toEqual({ ...usual, acc_all_possible: 75, more_1_all_possible: 100, perf_all_possible: 50 })
  })
})

describe('the program that tests an answer', () => {
  const row = { prompt: 'def f(x):\n', test: 'T', entry_point: 'f' }
  const completion = (answer: string) => {
    const { code, tests } = humanEvalCheck(row, answer)
    expect(code.startsWith(row.prompt) && tests === "T\n\ncheck(_answer('f'))\n").toBe(true)
    return code.slice(row.prompt.length)
  }
  test.each([
    ['    return x', '    return x'],
    ['return x', '    return x'],
    ['\n\n    return x', '\n\n    return x'],
    ['return x\nreturn y', '    return x\n    return y'],
    ['return x\n\n    return y', '    return x\n\n    return y'],
    ['if x:\n    return y', '    if x:\n        return y'],
    ['if x:\n        return y', '    if x:\n        return y'],
    ['if x: # why\n    return y', '    if x: # why\n        return y'],
    ['y = [\n    1]', '    y = [\n        1]'],
    ['y = 1\n    return y', '    y = 1\n    return y'],
    ['\r\nreturn x\r\n', '    return x\n'],
    ['def f(x):\n    return x', 'def f(x):\n    return x'],
    ['async def f(x):\n    return x', 'async def f(x):\n    return x'],
    ['f = lambda x: x', 'f = lambda x: x'],
    ['f == 1', '    f == 1'],
    ['def g(x):\n    return x', '    def g(x):\n        return x'],
    ['Here:\n```python\ndef f(x):\n    return x\n```\nDone.', 'def f(x):\n    return x\n'],
    ['```\nx = 1\n```\n```py\ndef f(x): return 2\n```', 'def f(x): return 2\n'],
    ['```\nreturn 1\n```\n```\nreturn 2\n```', '    return 1\n'],
    ['```python\ndef f(x):\n    return x', 'def f(x):\n    return x'],
    ['```\nreturn 3', '    return 3'],
    ['    return 4\n```\nSo it is', '    return 4\n'],
    ['    return 5\n```python\nprint(1)', 'print(1)'.replace(/^/, '    ')],
    ['', ''],
  ])('%j', (answer, expected) => expect(completion(answer)).toBe(expected))
})

describe('evaluators of OpenCompass without published vectors, computed by hand from its source', () => {
  const figures = (type: string, predictions: PyValue[], references: PyValue[]) =>
    evaluateAnswers(evaluatorOf({ type }, true, 'test'), predictions, references, []).figures

  test('CrowS-Pairs: shares have four places; without a valid answer there is no valid accuracy', () => {
    expect(figures('CrowspairsEvaluator', ['A', 'A', 'invalid'], ['A', 'B', 'A'])).toEqual({
      accuracy: 33.33,
      valid_accuracy: 50,
      valid_frac: 66.67,
    })
    expect(figures('CrowspairsEvaluator', ['invalid'], ['A'])).toEqual({ accuracy: 0, valid_accuracy: Number.NaN, valid_frac: 0 })
  })

  test('SciReasoner 1.5, GO terms: labels are compared as sets, without their case', () => {
    const found = figures('SciReasoner15GOEvaluator', ['<think>x;y</think>Binding；growth', ''], ['{"value": "growth; BINDING"}', 'decay'])
    expect(found).toMatchObject({ total: 2, Precision: 0.5, Recall: 0.5, score: 50, exact_match: 50, empty_prediction_rate: 50 })
    expect(found).toMatchObject({ avg_correct_attributes: 1, avg_pred_labels: 1, avg_gold_labels: 1.5 })
  })

  test('AccScoreStr: contained, whatever the case and spaces around', () => {
    expect(figures('AccScoreStr_Evaluator', ['the ROOT hair', 'leaf'], [' root ', 'stem'])).toEqual({ ACCStrScore: 50 })
  })

  test('InfiniteBench, calculations: numbers count up to the first that differs', () => {
    expect(figures('InfiniteBenchmathcalcEvaluator', ['[1, 2, 9, 4]', 'none'], [[1, 2, 3, 4], [5]])).toEqual({ score: 100 })
  })

  test('SciReasoner 1.5, TM-score: reasoning is removed once', () => {
    expect(figures('SciReasoner15TMScoreEvaluator', ['<thi<think>1</think>nk>0.5</think>0.9'], [0.5])).toMatchObject({ MAE: 0 })
  })
})
