import { describe, expect, test } from 'vitest'
import { pyRepr } from '../../../../../core/src/base/python/index.ts'
import { f1Score } from '../metric/classification.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionHost } from './function-host.ts'
import { libraryNotes } from './library-notes.ts'

/** The result of `score` of a file, as Python writes it. Expected values are those of scikit-learn 1.2, numpy, and, for SQuAD and ROUGE, of their definitions. */
function scored(lines: string): string {
  const find = functionHost((path) => (path === 'utils.py' ? lines : undefined))
  return pyRepr(find(new FunctionMark('utils.score', 'task.yaml')).call([]) as Parameters<typeof pyRepr>[0])
}

describe('metrics of libraries', () => {
  test('precision, recall and F1 of each label, in the order of the labels', () => {
    const of = (call: string) => scored(`from sklearn.metrics import *\nfrom sklearn import metrics\ndef score(): return ${call}`)
    const sides = '[2, 0, 1, 1], [0, 0, 1, 2]'
    expect(of(`metrics.f1_score(${sides}, average=None)`)).toBe('[0.6666666666666666, 0.6666666666666666, 0.0]')
    expect(of(`metrics.precision_score(${sides}, labels=[0, 1], average=None)`)).toBe('[0.5, 1.0]')
    expect(of(`metrics.recall_score(${sides}, labels=[0, 1], average=None)`)).toBe('[1.0, 0.5]')
    expect(of('metrics.recall_score(["b", "a"], ["a", "a"], average="macro")')).toBe('0.5')
    expect(of('metrics.f1_score(["b", "a"], ["a", "a"], average=None)')).toBe('[0.6666666666666666, 0.0]')
    expect(of('metrics.f1_score([1.0, 0.0], [0.0, 0.0], average=None)')).toBe('[0.6666666666666666, 0.0]')
    expect(() => of('metrics.f1_score([1.0, 0.0], ["a", 0.0], average=None)')).toThrow('Mix of label input types')
  })

  test('f1 of load_metric and evaluate.load, over all labels or of some', () => {
    const of = (call: string) => scored(`from datasets import load_metric\nfrom evaluate import load\ndef score(): return ${call}`)
    const sides = 'references=(2, 0, 1, 1), predictions=(0, 0, 1, 2)'
    expect(of(`load_metric("f1").compute(${sides}, average="micro")["f1"]`)).toBe('0.5')
    expect(of(`load_metric("f1").compute(${sides}, labels=[0, 2], average=None)["f1"]`)).toBe('[0.6666666666666666, 0.0]')
    expect(of('load("wer").compute(references=["a b c"], predictions=["a c"])')).toBe('0.3333333333333333')
  })

  test('pearsonr and array_equal', () => {
    const of = (call: string) => scored(`import numpy as np\nfrom scipy.stats import pearsonr\ndef score(): return ${call}`)
    expect(of('round(pearsonr([1, 2, 3, 5], [2.0, 1.0, 4.0, 4.5])[0], 12)')).toBe('0.812256170947')
    expect(of('round(pearsonr(list(range(150000)), list(range(150000))).statistic, 9)')).toBe('1.0')
    for (const call of ['pearsonr([1, 2], [2, 1])[1]', 'list(pearsonr([1, 2], [2, 1]))', 'pearsonr([1, 2], [2, 1]).pvalue'])
      expect(() => of(call)).toThrow('pvalue of pearsonr is not understood')
    expect(of('[np.array_equal([1, 2], [1, 2]), np.array_equal([1, 2], [1]), np.array_equal(["a"], ["b"])]')).toBe('[True, False, False]')
  })

  test('reductions of numpy give floats of floats and ints of ints, and round as it does', () => {
    const floats = 'np.array([0.1 * n for n in range(1, 301)])'
    const of = (...calls: string[]) => scored(`import numpy as np\nnan = float("nan")\ndef score():\n  xs = ${floats}\n  return [${calls}]`)
    expect(of('np.sum(xs)', 'np.mean(xs)', 'np.std(xs)', 'xs.var()')).toBe('[4515.0, 15.05, 8.660205925188308, 74.99916666666667]')
    expect(of('np.nansum(list(xs) + [nan])', 'np.nanmean(list(xs) + [nan])')).toBe('[4515.0, 15.05]')
    expect(of('np.sum(list(xs)[:9])', 'np.mean(list(xs)[:20])', 'np.sum([])')).toBe('[4.5, 1.05, 0.0]')
    expect(of('np.sum([0.5, 1.5])', 'np.max([1.0, 0.5])', 'np.prod([2.0, 0.5])', 'np.nanmax([1.0, nan])')).toBe('[2.0, 1.0, 1.0, 1.0]')
    expect(of('np.sum([1, 2])', 'np.sum([True, True])', 'np.max([2, 1])', 'np.argmax([1, nan, 3])')).toBe('[3, 2, 2, 1]')
    expect(of('np.max([0.5] * 150000)', 'np.std([0.5] * 150000)')).toBe('[0.5, 0.0]')
    expect(() => of('np.max([])')).toThrow('ValueError')
  })

  test('macro and weighted F1 add in the order of the labels', () => {
    const items = [...'cbccbbca'].map((gold, place) => ({ gold, predicted: 'caacbaaa'[place]! }))
    expect([f1Score(items, 'macro'), f1Score(items, 'weighted')]).toEqual([0.5, 0.5625])
  })

  test('rouge of one reply', () => {
    const rouge = 'from evaluate import load\nrouge = load("rouge", keep_in_memory=True)\n'
    const of = (args: string) => scored(`${rouge}def score(): return rouge.compute(${args})`)
    expect(of('predictions=["an owl calls"], references=["the owl calls twice"]')).toBe(
      "{'rouge1': 0.5714285714285715, 'rouge2': 0.4, 'rougeL': 0.5714285714285715, 'rougeLsum': 0.5714285714285715}",
    )
    expect(of('predictions=["owl"], references=[["cat", "owl"]]')).toBe("{'rouge1': 1.0, 'rouge2': 0.0, 'rougeL': 1.0, 'rougeLsum': 1.0}")
    expect(() => of('predictions=["owl", "cat"], references=["owl"]')).toThrow('rouge of other than')
    expect(() => scored('import evaluate\ndef score(): return evaluate.load("meteor")')).toThrow('evaluate.load("meteor")')
  })

  test('bleu of evaluate gives the values of its implementation', () => {
    const of = (args: string) => scored(`import evaluate\nbleu = evaluate.load("bleu")\ndef score(): return bleu.compute(${args})`)
    expect(of('predictions=["the cat sat on the mat, all day"], references=["the cat sat on a mat all day."]')).toBe(
      "{'bleu': 0.3688939732334406, 'precisions': [0.7777777777777778, 0.5, 0.2857142857142857, 0.16666666666666666], 'brevity_penalty': 1.0, 'length_ratio': 1.0, 'translation_length': 9, 'reference_length': 9}",
    )
    const several =
      'predictions=["the cat sat on the mat", "an owl hoots at night in the wood"], references=[["the cat sat on a mat", "the cat sat on the big mat"], ["an owl hoots at night"]]'
    expect(of(several)).toBe(
      "{'bleu': 0.6296129633243314, 'precisions': [0.7857142857142857, 0.6666666666666666, 0.6, 0.5], 'brevity_penalty': 1.0, 'length_ratio': 1.2727272727272727, 'translation_length': 14, 'reference_length': 11}",
    )
    expect(of('predictions=["cat"], references=["the dog"]')).toBe(
      "{'bleu': 0.0, 'precisions': [0.0, 0.0, 0.0, 0.0], 'brevity_penalty': 0.36787944117144233, 'length_ratio': 0.5, 'translation_length': 1, 'reference_length': 2}",
    )
    expect(() => of('predictions=[""], references=["owl"]')).toThrow('ZeroDivisionError')
    expect(() => of('predictions=["owl", "cat"], references=["owl"]')).toThrow(
      'ValueError: Mismatch in the number of predictions (2) and references (1)',
    )
  })

  test('a metric that needs a network raises an exception when it is computed', () => {
    const source = `
import evaluate
bleurt = evaluate.load("bleurt", "bleurt-base-512", module_type="metric")
def score():
    try:
        return bleurt.compute(predictions=["a"], references=["a"])["scores"]
    except Exception as e:
        return str(e)
`
    expect(scored(source)).toBe("'bleurt needs a network, which is not here'")
    for (const file of [source, 'from evaluate import load\nb = load("bleurt")'])
      expect(libraryNotes({ 'owls.py': file }, new Map())).toMatchObject([
        { code: 'network-metric', text: expect.stringContaining('load bleurt') },
      ])
  })

  test('rouge of several replies is the median of means drawn with the seed of numpy', () => {
    const args =
      'predictions=["an owl calls", "two cats", "the owl sleeps"], references=["the owl calls twice", "two owls", "an owl sleeps"]'
    expect(scored(`import evaluate\nrouge = evaluate.load("rouge")\ndef score(): return rouge.compute(${args})`)).toBe(
      "{'rouge1': 0.5793650793650794, 'rouge2': 0.3, 'rougeL': 0.5793650793650794, 'rougeLsum': 0.5793650793650794}",
    )
  })

  test('squad_v2: questions with and without an answer, and the best threshold', () => {
    const said = [
      ['a', 'The owl', 0.1, ['owl']],
      ['b', 'two small owls', 0.3, ['two owls', 'two']],
      ['c', 'a nest', 0.6, []],
      ['d', '', 0.5, []],
    ] as const
    const predictions = said.map(([id, text, sure]) => `{"id": "${id}", "prediction_text": "${text}", "no_answer_probability": ${sure}}`)
    const references = said.map(
      ([id, , , answers]) => `{"id": "${id}", "answers": {"text": ${JSON.stringify(answers)}, "answer_start": []}}`,
    )
    const compute = `evaluate.load("squad_v2").compute(predictions=[${predictions}], references=[${references}])`
    expect(scored(`import evaluate\ndef score(): return ${compute}`)).toBe(
      "{'exact': 50.0, 'f1': 70.0, 'total': 4, 'HasAns_exact': 50.0, 'HasAns_f1': 90.0, 'HasAns_total': 2, 'NoAns_exact': 50.0, 'NoAns_f1': 50.0, 'NoAns_total': 2, 'best_exact': 75.0, 'best_exact_thresh': 0.1, 'best_f1': 95.0, 'best_f1_thresh': 0.3}",
    )
  })
})
