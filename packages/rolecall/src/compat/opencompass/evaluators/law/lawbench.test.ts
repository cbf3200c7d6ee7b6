import { expect, test } from 'vitest'
import { evaluateAnswers } from '../../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'

registerOpenCompass()

const lawBench = (index: string) => evaluatorOf({ type: `LawBenchEvaluator_${index}` }, true, 'mine')

test.each([
  ['1_2', '正确答案:A。'],
  ['1_2', '正确答案：E。'],
  ['2_2', '争议焦点类别：天气。'],
  ['2_3', '类别:天气。'],
  ['2_3', '类别:法定离婚'],
  ['2_4', '天气'],
  ['2_6', '地点 北京'],
  ['3_3', '放火'],
  ['3_7', '上文涉及到的犯罪金额:3万元。'],
])('%s refuses the gold answer %s', (index, reference) => {
  expect(() => lawBench(index).judge({ prediction: 'A', reference, row: {} })).toThrow('the gold answer')
})

test('rows without a class of the task are left out', () => {
  const evaluator = lawBench('2_2')
  const golds = ['争议焦点类别：利息。', '争议焦点类别：赔偿。']
  expect(evaluateAnswers(evaluator, ['利息', '无'], golds).figures).toEqual({ score: 100, abstention_rate: 0 })
  expect(() => evaluateAnswers(evaluator, ['无'], golds.slice(1))).toThrow('no row of this dataset counts')
})

test('entities: the last mention counts, "none" is no entity', () => {
  const judge = (prediction: string) => lawBench('2_6').judge({ prediction, reference: '地点:北京市', row: {} }).score
  expect(judge('地点:上海市\n地点：北京市 东')).toBeCloseTo(1)
  expect(judge('地点:未提及')).toBe(0)
  expect(judge('地点')).toBe(0)
  expect(judge('地点:\t北京市\n地点:无\n')).toBeCloseTo(1)
  expect(judge('地点:'.repeat(100_000))).toBe(0)
})
