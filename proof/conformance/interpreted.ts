import { fileURLToPath } from 'node:url'
import type { PyDict, PyValue } from '../../packages/core/src/base/python/index.ts'
import { PythonFailure } from '../../packages/rolecall/src/python/host/python-host.ts'
import { checkoutFolder } from '../testing/python-vectors/checkout.ts'
import { ReferenceCode } from '../testing/python-vectors/reference-code.ts'
import { type Outcome, outcomeLater } from './outcome.ts'
import { type Trial, trial } from './suite.ts'
import { failed, identical, type Verdict } from './verdict.ts'

const folder = fileURLToPath(new URL('../../../shared/opencompass', import.meta.url))

let code: ReferenceCode | undefined

/** OpenCompass's source (`--opencompass DIR`, `OPENCOMPASS_DIR`, or beside the vectors), whose classes the interpreter runs where none is written here. */
export function referenceCode(): ReferenceCode | undefined {
  const root = code === undefined ? checkoutFolder(folder) : undefined
  if (root !== undefined) code = new ReferenceCode(root)
  return code
}

/** The verdict on vectors of names that only OpenCompass's source has. */
export const sourceMissing: Verdict = { kind: 'unsupported', why: "OpenCompass's source is not installed" }

/** Compares what interpreted code gives with the reference's result; `same` gets what `run` gave. What the interpreter refuses is a gap of that name. */
export async function interpretedTrial(
  name: string,
  run: () => Promise<unknown>,
  same: (ours: Outcome) => boolean,
  expectsError: boolean,
): Promise<Trial | Verdict> {
  const ours = await outcomeLater(run)
  const isRefused = 'error' in ours && !(ours.error instanceof PythonFailure && ours.error.reason === 'raised')
  if (isRefused) return { kind: 'unsupported', why: name }
  return trial(ours, (result) => {
    const agrees = 'error' in result ? expectsError : !expectsError && same(result)
    return agrees ? identical : failed(`${name}, interpreted, gives ${shown(result)}`)
  })
}

function shown(result: Outcome): string {
  if ('error' in result) return result.error.message
  return JSON.stringify(result.value, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? 'undefined'
}

/** The part of `ReferenceCode` that runs an evaluator or a postprocessor. */
export function scoredBy(reference: ReferenceCode, json: PyDict, isEvaluator: boolean): Promise<PyValue> {
  return isEvaluator ? reference.evaluated(json) : reference.postprocessed(json)
}
