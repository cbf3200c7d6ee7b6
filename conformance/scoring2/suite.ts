import { dictHas } from '../../src/base/python/index.ts'
import { PromptError } from '../../src/index.ts'
import { hasPython } from '../../testing/on-demand.ts'
import type { Verdict } from '../judge.ts'
import type { Outcome } from '../outcome.ts'
import { peers } from '../scoring/peers.ts'
import { asVector, near, plain, type ScoringVector } from '../scoring/vector.ts'
import type { Suite } from '../suite.ts'
import { evaluateOperations } from './evaluate.ts'
import { evaluateRules } from './evaluate-rules.ts'
import type { Operation } from './operation.ts'
import { postprocessOperations } from './postprocess.ts'
import { postprocessRules } from './postprocess-rules.ts'
import { closePrograms } from './run-programs.ts'

const operations: Record<string, Operation> = { ...postprocessOperations, ...evaluateOperations }
const rules = Object.entries({ ...postprocessRules, ...evaluateRules })

/** The evaluators and postprocessors that OpenCompass's dataset configs name, in addition to those of `scoring`. */
export const scoring2: Suite = {
  name: 'scoring2',
  recognises: (vector) => ['op', 'args', 'source', 'configs'].every((key) => dictHas(vector, key)),
  async judge(json): Promise<Verdict> {
    const vector = asVector(json)
    const operation = operations[vector.op]
    if (!operation) return { kind: 'later', why: `${vector.op} is not there` }
    if (vector.flags.includes('needs-jieba') && !peers.words) return { kind: 'later', why: 'jieba-wasm is not installed' }
    if (vector.flags.includes('runs-python') && !hasPython) return { kind: 'later', why: 'deno and pyodide are not installed' }
    const ours = await outcomeLater(async () => plain(await operation.run(vector.args)))
    if (agrees(operation, ours, vector)) return { kind: 'passed' }
    const rule = rules.find(([, explains]) => explains(vector, ours))?.[0]
    if (rule) return { kind: 'deviation', rule }
    const shown = 'error' in ours ? `${ours.error.code} (${ours.error.message})` : JSON.stringify(ours.value)
    const expected = vector.expected ? JSON.stringify(vector.expected.value) : 'an error'
    return { kind: 'failed', why: `${vector.op} ${JSON.stringify(plain(vector.args))}\n  ours ${shown}\n  expected ${expected}` }
  },
  close: closePrograms,
}

async function outcomeLater(produce: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await produce() }
  } catch (error) {
    if (error instanceof PromptError) return { error }
    throw error
  }
}

function agrees(
  { compared = (value) => value, detailsMayHaveMore, tolerance = 1e-9 }: Operation,
  ours: Outcome,
  { expected }: ScoringVector,
): boolean {
  if ('error' in ours) {
    // Some evaluators return lists of unequal length as a result.
    const result = expected?.value
    return expected === undefined || (typeof result === 'object' && result !== null && Object.keys(result).join() === 'error')
  }
  if (expected === undefined) return false
  const [mine, theirs] = [compared(ours.value), compared(expected.value)]
  return near(detailsMayHaveMore ? withDetailsOf(mine, theirs) : mine, theirs, tolerance)
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
