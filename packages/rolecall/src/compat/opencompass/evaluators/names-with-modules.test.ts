import { expect, test } from 'vitest'
import { evaluatorNamed, evaluatorOf } from '../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../register-opencompass.ts'

registerOpenCompass()

test.each([
  ['opencompass.datasets.gpqa.GPQAEvaluator', 'GPQAEvaluator'],
  ['GPQAEvaluator', 'GPQAEvaluator'],
  ['opencompass.datasets.needlebench.origin.NeedleBenchOriginEvaluator', 'NeedleBenchOriginEvaluator'],
  ['opencompass.datasets.needlebench_v2.origin.NeedleBenchOriginEvaluator', 'NeedleBenchOriginEvaluator_v2'],
])('%s is %s', (written, name) => expect(evaluatorNamed(written)?.names[0]).toBe(name))

test('an unknown evaluator is rejected by name', () => {
  expect(() => evaluatorOf({ type: 'opencompass.datasets.x.SRbenchDatasetEvaluator' }, true, 'mine')).toThrow(
    /"SRbenchDatasetEvaluator" is not available/,
  )
})
