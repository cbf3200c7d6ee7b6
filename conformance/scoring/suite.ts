import { dictHas } from '../../src/python/index.ts'
import type { Verdict } from '../judge.ts'
import { outcomeOf } from '../outcome.ts'
import type { Suite } from '../suites.ts'
import { postprocessOperations } from './postprocess.ts'
import { asVector, near, plain } from './vector.ts'

const operations: Record<string, (args: never) => unknown> = { ...postprocessOperations }

/** Retrieval, post-processing and evaluation as OpenCompass and the libraries behind it do them. */
export const scoring: Suite = {
  name: 'scoring',
  recognises: (vector) => ['op', 'args', 'source'].every((key) => dictHas(vector, key)),
  judge(json): Verdict {
    const vector = asVector(json)
    const operation = operations[vector.op]
    if (!operation) return { kind: 'later' }
    const ours = outcomeOf(() => plain(operation(vector.args as never)))
    const agrees =
      'error' in ours ? vector.expected === undefined : vector.expected !== undefined && near(ours.value, vector.expected.value, 1e-9)
    if (agrees) return { kind: 'passed' }
    const shown = 'error' in ours ? `${ours.error.code} (${ours.error.message})` : JSON.stringify(ours.value)
    return {
      kind: 'failed',
      why: `${vector.op} ${JSON.stringify(plain(vector.args))}\n  ours ${shown}\n  expected ${JSON.stringify(vector.expected?.value ?? 'an error')}`,
    }
  },
}
