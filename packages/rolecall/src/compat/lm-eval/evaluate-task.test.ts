import { describe, expect, test } from 'vitest'
import { repr } from '../../../../core/src/base/python/values/repr.ts'
import { plainText } from '../../../../core/src/base/python/values/text.ts'
import type { Value } from '../../../../core/src/base/python/values/value.ts'
import { repliesOf } from './dataset/task-evaluator.ts'
import { evaluateTask, metricValues } from './evaluate-task.ts'
import { aggregations } from './metric/aggregations.ts'
import { f1Score, matthewsCorrelation } from './metric/classification.ts'
import { standardError } from './metric/standard-error.ts'
import { translationEdits } from './metric/ter.ts'
import type { Doc } from './task/field.ts'
import { taskFromYaml } from './task/task-from-yaml.ts'

function figures(yaml: string, docs: Doc[], replies: readonly (readonly Value[])[]) {
  const task = taskFromYaml(yaml, docs)
  const perDoc = replies.length / docs.length
  return evaluateTask(
    task,
    replies.map((given, index) => ({ doc: Math.floor(index / perDoc), replies: given })),
    100,
  )
}

const choice = 'output_type: multiple_choice\ndoc_to_text: q\ndoc_to_choice: [aa, bbbb]\ndoc_to_target: label\n'
const docs: Doc[] = [
  { q: 'x', label: 1 },
  { q: 'y', label: 0 },
]
const likelihoods: Value[][] = [[[-2, true]], [[-3, false]], [[-1, false]], [[-1, true]]]

describe('choices', () => {
  test('are scored by likelihood, and by likelihood per character', () => {
    const { figures: found, higherIsBetter } = figures(choice, docs, likelihoods)
    expect(found).toMatchObject({ sample_len: 2, 'acc,none': 0.5, 'acc_norm,none': 0.5 })
    expect(found['acc_stderr,none']).toBeCloseTo(0.5, 12)
    expect(higherIsBetter).toEqual({ acc: true, acc_norm: true })
  })

  test('a right answer that is not a choice never matches', () => {
    const { figures: found, samples } = figures(
      `${choice}metric_list: [{metric: acc}, {metric: exact_match}]`,
      [docs[1]!, { q: 'x', label: 7 }],
      likelihoods,
    )
    expect(found).toMatchObject({ sample_len: 2, 'acc,none': 0.5, 'exact_match,none': 0.5 })
    expect(samples[1]!.target).toBe(7)
    expect(() => figures(choice, [{ q: 'x', label: 7 }], likelihoods)).toThrow('there is no choice 7')
  })

  test('the length of the sample is that of the last metric, which a function may give to some documents only', () => {
    const sample = (doc: number, measures: [string, Value][]) => ({
      doc,
      filter: 'none',
      target: 0,
      filtered: [],
      measures: new Map(measures),
    })
    const samples = [
      sample(0, [
        ['acc', 1],
        ['swapped', 1],
      ]),
      sample(1, [['acc', 0]]),
    ]
    expect(metricValues(samples, [], 10)).toMatchObject({ sample_len: 1, 'acc,none': 0.5, 'swapped,none': 1 })
  })

  test('metrics of a choice are in the order of lm-evaluation-harness, whatever the order of the list', () => {
    const { samples } = figures(
      `${choice}metric_list: [{metric: acc_norm}, {metric: f1}, {metric: brier_score}, {metric: acc}]`,
      docs,
      likelihoods,
    )
    expect([...samples[0]!.measures.keys()]).toEqual(['acc', 'f1', 'acc_norm', 'brier_score'])
  })

  test('a single document has no standard error', () => {
    expect(figures(choice, docs.slice(0, 1), likelihoods.slice(0, 2)).figures).toMatchObject({ 'acc_stderr,none': 'N/A' })
  })

  test('probabilities and labels are kept for corpus-level metrics', () => {
    const { figures: found } = figures(`${choice}metric_list: [{metric: brier_score}, {metric: f1}, {metric: mcc}]`, docs, likelihoods)
    const share = Math.exp(-1) / (1 + Math.exp(-1))
    expect(found['brier_score,none']).toBeCloseTo((2 * (1 - share) ** 2 + 0.5) / 2, 12)
    expect(found).toMatchObject({ 'f1,none': 0, 'mcc,none': 0, 'brier_score_stderr,none': 'N/A' })
  })
})

describe('as in the harness', () => {
  test('the likelihood of an empty document is an int, that of others a float', () => {
    const task = taskFromYaml('output_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: a\n', [{ a: '' }, { a: 'b' }])
    const shown = (a: string) => plainText(repr(repliesOf(task, { a }, null, [{ label: '', logLikelihood: 0, isGreedy: true }])))
    expect([shown(''), shown('b')]).toEqual(['[[0]]', '[[0.0]]'])
  })
})

describe('replies', () => {
  const yaml = 'doc_to_text: q\ndoc_to_target: a\n'
  const asked: Doc[] = [
    { q: '1', a: 7 },
    { q: '2', a: 8 },
  ]

  test('are compared as text, without ignored parts', () => {
    const list = 'metric_list: [{metric: exact_match, ignore_case: true, ignore_punctuation: true, regexes_to_ignore: ["the "]}]'
    expect(figures(yaml + list, asked, [['the 7.'], ['9']]).figures).toMatchObject({ 'exact_match,none': 0.5 })
  })

  test('each filter pipeline has separate metrics', () => {
    const filters =
      'filter_list: [{name: last, filter: [{function: regex, regex_pattern: "[0-9]", group_select: -1}, {function: take_first}]}, {name: none, filter: [{function: take_first}]}]'
    expect(figures(yaml + filters, asked, [['1 7'], ['8']]).figures).toMatchObject({ 'exact_match,last': 1, 'exact_match,none': 0.5 })
  })

  test('any of several answers is right', () => {
    expect(figures(yaml, [{ q: '1', a: ['x', 'y'] }], [['y']]).figures).toMatchObject({ 'exact_match,none': 1 })
  })

  test('with choices, the answer is the choice at that index', () => {
    const found = figures(`${yaml.replace('a\n', '"{{a}}"\n')}doc_to_choice: ["no", "yes"]`, [{ q: '1', a: 1 }], [['yes']])
    expect(found.figures).toMatchObject({ 'exact_match,none': 1 })
  })
})

test('perplexity per word and per byte', () => {
  const { figures: found } = figures('output_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: t', [{ t: 'ä b' }], [[-4]])
  expect(found['word_perplexity,none']).toBeCloseTo(Math.exp(2), 12)
  expect(found['bits_per_byte,none']).toBeCloseTo(1 / Math.LN2, 12)
  expect(found['byte_perplexity_stderr,none']).toBe('N/A')
})

describe('corpus-level metrics', () => {
  const labelled = (pairs: readonly (readonly [number, number])[]) => pairs.map(([gold, predicted]) => ({ gold, predicted }))

  test('the Brier score is added as by numpy', () => {
    const documents = Array.from(
      { length: 40 },
      (_, id): Value => [id % 4, [0, 1, 2, 3].map((choice) => ((7 * id + 3 * choice) % 10) / 10)],
    )
    expect(aggregations.brier_score!.over(documents).figure()).toBe(1.34)
  })

  test('F1 and the Matthews correlation of labels', () => {
    const pairs = labelled([
      [0, 0],
      [1, 1],
      [2, 1],
      [2, 2],
    ])
    // Computed by hand: F1 of the labels is 1, 2/3 and 2/3.
    expect(f1Score(pairs, 'macro')).toBeCloseTo(7 / 9, 12)
    expect(f1Score(pairs, 'weighted')).toBeCloseTo((1 + 2 / 3 + 4 / 3) / 4, 12)
    expect(f1Score(pairs, 'micro')).toBe(0.75)
    expect(
      matthewsCorrelation(
        labelled([
          [1, 1],
          [0, 0],
          [1, 0],
        ]),
      ),
    ).toBeCloseTo(0.5, 12)
    expect(() =>
      aggregations
        .f1!.over([
          [0, 1],
          [2, 1],
        ])
        .figure(),
    ).toThrow('labels other than 0 and 1')
  })

  test('translations', () => {
    const corpus = [{ reply: 'on the mat sat the cat', references: ['the cat sat on the mat'] }]
    expect(translationEdits(corpus[0]!.reply, corpus[0]!.references)).toEqual({ edits: 2, words: 6 })
    const figure = (name: string, reply: string, right: string) => aggregations[name]!.over([[right, reply]]).figure()
    // The last digits are those of sacrebleu, which multiplies the share by 100.
    expect(figure('ter', corpus[0]!.reply, corpus[0]!.references[0]!)).toBe(33.33333333333333)
    expect(figure('ter', 'A b', 'a B')).toBe(0)
    expect(figure('bleu', 'the cat sat on the mat', 'the cat sat on the mat')).toBeCloseTo(100, 10)
    expect(figure('chrf', 'abcdefg', 'abcdefg')).toBe(100)
    expect(figure('chrf', 'cb acaaa ', 'adbda bdd')).toBe(6.41025641025641)
    // One of four letters differs: computed by hand over n-grams of one to four letters.
    expect(figure('chrf', 'abcd', 'abce')).toBeCloseTo(((3 / 4 + 2 / 3 + 1 / 2 + 0) / 4) * 100, 10)
    expect(figure('chrf++', 'ab.', 'ab .')).toBe(100)
  })

  test("standard errors are resampled with Python's random numbers", () => {
    // python3 -c "import random,math; xs=[-1,-2,-4]; r=random.Random(0); d=[math.exp(-sum(r.choices(xs,k=3))/3) for _ in range(100)]; m=sum(d)/100; print(math.sqrt(sum((x-m)**2 for x in d)/99))"
    expect(standardError('perplexity', [-1, -2, -4], aggregations.perplexity!, 100)).toBeCloseTo(10.497125776091638, 10)
  })

  test('metrics named bleu, chrf and ter are drawn 100 times, whatever aggregates them; others as often as asked', () => {
    const error = (metric: string, resamples: number, by = 'nanmean') => standardError(metric, [0.5, 0.25, 1], aggregations[by]!, resamples)
    for (const metric of ['bleu', 'chrf', 'ter']) expect(error(metric, 1000)).toBe(error('rouge1', 100))
    expect(error('rouge1', 1000)).not.toBe(error('rouge1', 100))
    expect(error('bleu', 1000, 'mean')).toBe(error('rouge1', 1000, 'mean'))
  })
})
