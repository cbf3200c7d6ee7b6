import { expect, test } from 'vitest'
import { inferencerOf, inferencers } from '../../evaluation/run/ask/inferencers.ts'
import { evaluatorOf, evaluators } from '../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from './register-opencompass.ts'
import { unavailableNames } from './unavailable-names.ts'

registerOpenCompass()

test('a name is refused with the reason, and no name that is here is listed', () => {
  expect(() => evaluatorOf({ type: 'ToxicEvaluator' }, true, 'mine')).toThrow(
    '"ToxicEvaluator" is not available: it queries Google’s Perspective API',
  )
  expect(() => inferencerOf({ type: 'AgentInferencer' }, 'mine')).toThrow(
    '"AgentInferencer" is not available: it runs an agent of the Python package lagent',
  )
  expect(() => inferencerOf({ type: 'ToTInferencer' }, 'mine')).toThrow('"ToTInferencer" is not available: it searches a tree of thoughts')
  expect(() => inferencerOf({ type: 'GenInferencr' }, 'mine')).toThrow('"GenInferencr" is not available. Did you mean')
  expect(Object.keys(unavailableNames).filter((name) => evaluators.has(name) || Object.hasOwn(inferencers, name))).toEqual([])
})
