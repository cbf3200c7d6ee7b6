import { dictHas, type PyDict } from '../../../packages/core/src/base/python/index.ts'
import { hasPython } from '../../testing/on-demand.ts'
import { interpretedTrial, referenceCode, scoredBy, sourceMissing } from '../interpreted.ts'
import { type Outcome, outcomeLater } from '../outcome.ts'
import { peers } from '../scoring/peers.ts'
import { judgeByRule } from '../scoring/rules.ts'
import { asVector, near, plain, type ScoringVector } from '../scoring/vector.ts'
import { type Suite, type Trial, trial } from '../suite.ts'
import { identical, type Verdict } from '../verdict.ts'
import { evaluateOperations } from './evaluate.ts'
import { evaluateRules } from './evaluate-rules.ts'
import type { Operation } from './operation.ts'
import { postprocessOperations } from './postprocess.ts'
import { postprocessRules } from './postprocess-rules.ts'
import { closePrograms } from './run-programs.ts'

const operations: Record<string, Operation> = { ...postprocessOperations, ...evaluateOperations }
const rules = { ...postprocessRules, ...evaluateRules }

/** The evaluators and postprocessors that OpenCompass's dataset configs name, in addition to those of `scoring`. */
export const scoring2: Suite = {
  name: 'scoring2',
  recognises: (vector) => ['op', 'args', 'source', 'configs'].every((key) => dictHas(vector, key)),
  async examine(json) {
    const vector = asVector(json)
    const operation = operations[vector.op]
    if (!operation) return interpreted(json as PyDict, vector)
    if (vector.flags.includes('needs-jieba') && !peers.words) return { kind: 'unsupported', why: 'jieba-wasm is not installed' }
    if (vector.flags.includes('runs-python') && !hasPython) return { kind: 'unsupported', why: 'deno and pyodide are not installed' }
    const ours = await outcomeLater(async () => comparedPart(operation, plain(await operation.run(vector.args)), vector))
    return trial(ours, (result) => (agrees(operation, result, vector) ? identical : judgeByRule(rules, vector, result, operation.run)))
  },
  close: closePrograms,
}

/** A name that is not written here is run from OpenCompass's own source. */
async function interpreted(json: PyDict, vector: ScoringVector): Promise<Trial | Verdict> {
  const reference = referenceCode()
  if (reference === undefined) return sourceMissing
  const { op, args, expected } = vector
  const run = async () => plain(await scoredBy(reference, json, 'predictions' in args))
  return interpretedTrial(op, run, (ours) => agrees({ run }, ours, vector), expected === undefined)
}

/** What is compared with the reference: without its own messages, and with no more details than it has. */
function comparedPart(
  { compared = (value) => value, detailsMayHaveMore }: Operation,
  value: unknown,
  { expected }: ScoringVector,
): unknown {
  if (expected === undefined) return value
  return detailsMayHaveMore ? withDetailsOf(compared(value), compared(expected.value)) : compared(value)
}

function agrees(operation: Operation, ours: Outcome, { expected }: ScoringVector): boolean {
  const { compared = (value) => value, tolerance = 1e-9 } = operation
  if ('error' in ours) {
    if (expected === undefined) return true
    const { details: _, ...result } = isObject(expected.value) ? expected.value : { result: expected.value }
    // Some evaluators return lists of unequal length as a result.
    if (Object.keys(result).join() === 'error') return true
    // A judge that said nothing readable: empty texts, NaN or a warning are no figures either.
    return ours.error.code === 'not-decided' && !Object.values(result).some(Number.isFinite)
  }
  return expected !== undefined && near(ours.value, withoutWarning(compared(expected.value)), tolerance)
}

/** A warning beside figures is a message of the reference. */
function withoutWarning(result: unknown): unknown {
  if (!isObject(result) || Array.isArray(result) || !('warning' in result)) return result
  const { warning: _, ...rest } = result
  return rest
}

type Dict = Record<string, unknown>

/** Our result, with row details limited to those that the reference also has. */
function withDetailsOf(ours: unknown, expected: unknown): unknown {
  if (!isObject(ours) || !isObject(expected) || !isObject(ours.details) || !isObject(expected.details)) return ours
  const theirs = expected.details
  const details = Object.entries(ours.details).map(([row, detail]) => {
    const wanted = theirs[row]
    if (!isObject(detail) || !isObject(wanted)) return [row, detail] as const
    return [row, Object.fromEntries(Object.entries(detail).filter(([key]) => Object.hasOwn(wanted, key)))] as const
  })
  return { ...ours, details: Array.isArray(ours.details) ? details.map(([, detail]) => detail) : Object.fromEntries(details) }
}

function isObject(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null
}
