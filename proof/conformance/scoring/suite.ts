import { dictHas } from '../../../packages/core/src/base/python/index.ts'
import { type Outcome, outcomeOf } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { identical } from '../verdict.ts'
import { evaluateOperations } from './evaluate.ts'
import { peers } from './peers.ts'
import { postprocessOperations } from './postprocess.ts'
import { retrieveOperations } from './retrieve.ts'
import { judgeByRule, rules } from './rules.ts'
import { asVector, near, plain, type ScoringVector } from './vector.ts'

const operations: Record<string, (args: never) => unknown> = { ...postprocessOperations, ...evaluateOperations, ...retrieveOperations }

/** Operations whose reference uses 32-bit floats. */
const single = /^(?:dpp_kernel|hf_|clp_choice)/

/** Retrieval, post-processing and evaluation as OpenCompass and its libraries implement them. */
export const scoring: Suite = {
  name: 'scoring',
  recognises: (vector) => ['op', 'args', 'source'].every((key) => dictHas(vector, key)),
  examine(json) {
    const vector = asVector(json)
    const operation = operations[vector.op]
    if (!operation) return { kind: 'unsupported', why: vector.op }
    // Word segmentation with jieba's dictionary is compared only if its package is installed.
    if (vector.flags.includes('needs-jieba') && !peers.words) return { kind: 'unsupported', why: 'jieba-wasm is not installed' }
    const run = (args: ScoringVector['args']) => plain(operation(args as never))
    return trial(
      outcomeOf(() => run(vector.args)),
      (ours) => (agrees(ours, vector) ? identical : judgeByRule(rules, vector, ours, run)),
    )
  },
}

function agrees(ours: Outcome, { op, expected }: ScoringVector): boolean {
  if ('error' in ours) {
    // Some evaluators return lists of unequal length as a result.
    const result = expected?.value
    return expected === undefined || (typeof result === 'object' && result !== null && Object.keys(result).join() === 'error')
  }
  if (expected === undefined) return false
  const tolerance = single.test(op) ? 1e-5 : 1e-9
  return acceptable(expected.value).some((one) => near(withKeysOf(ours.value, one), one, tolerance))
}

/** Documents with equal scores have no defined order: the order of a stable sort, if given, is also accepted. */
function acceptable(expected: unknown): unknown[] {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return [expected]
  const { topStable, idsStable, ...rest } = expected as Record<string, unknown>
  const stable = { ...rest, ...(topStable ? { top: topStable } : {}), ...(idsStable ? { ids: idsStable } : {}) }
  return [rest, stable]
}

/** Vectors may omit word weights. */
function withKeysOf(ours: unknown, expected: unknown): unknown {
  if (typeof ours !== 'object' || ours === null || !('idf' in ours) || Object.hasOwn(expected as object, 'idf')) return ours
  const { idf: _, ...rest } = ours
  return rest
}
