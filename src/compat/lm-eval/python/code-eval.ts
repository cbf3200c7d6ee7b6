import { pyFloat } from '../../../base/python/index.ts'
import { itemsOf, newDict } from '../../../base/python/interpreter/containers.ts'
import { numberOf, textOf } from '../../../base/python/interpreter/modules/define-module.ts'
import type { Session } from '../../../base/python/interpreter/session.ts'
import { PythonError } from '../../../base/python/python-error.ts'
import { notUnderstood } from '../../../base/python/syntax/import-error.ts'
import { isInt, type Kwargs, Tuple, type Value } from '../../../base/python/values/value.ts'
import { passAtK } from '../../../evaluation/score/evaluate/pass-at-k.ts'

/** What `code_eval` does when it is called: it collects the programs, or uses their outcomes, one for each reply. */
type Mode = { programs: string[] } | { passed: readonly boolean[] }

let mode: Mode | undefined

function within<Result>(during: Mode, run: () => Result): Result {
  const before = mode
  mode = during
  try {
    return run()
  } finally {
    mode = before
  }
}

/** The programs that a metric of `code_eval` would run. */
export function programsOf(run: () => unknown): string[] {
  const programs: string[] = []
  within({ programs }, run)
  return programs
}

/** Computes a metric with the outcomes of the programs of a document's replies. */
export function withOutcomes<Result>(passed: readonly boolean[], run: () => Result): Result {
  return within({ passed }, run)
}

/** `compute` of Hugging Face's `code_eval`: pass@k of the replies to each problem. */
export function computeCodeEval(session: Session, kwargs: Kwargs): Value {
  const { references = [], predictions = [], k = [1, 10, 100] } = Object.fromEntries(kwargs ?? [])
  const tests = itemsOf(session, references)
  const candidates = itemsOf(session, predictions).map((list) => itemsOf(session, list))
  if (mode && 'programs' in mode)
    mode.programs.push(...candidates.flatMap((list, place) => list.map((one) => `${textOf(one)}\n${textOf(tests[place])}`)))
  const passed = mode && 'passed' in mode ? mode.passed : []
  if (passed.length > 0 && (candidates.length !== 1 || candidates[0]!.length !== passed.length))
    throw notUnderstood(session.at, 'code_eval of several problems at once, or of some replies only', 'give it all replies to one problem')
  const counts = (isInt(k) ? [k] : itemsOf(session, k)).map((one) => numberOf(one))
  const total = candidates[0]?.length ?? 0
  const right = passed.filter(Boolean).length
  const enough = counts.filter((count) => count <= total)
  if (enough.length === 0 && passed.length > 0)
    throw new PythonError('ValueError', `pass@${counts[0] ?? 0} needs more replies than the ${total} that there are`)
  return new Tuple([
    newDict(
      session,
      enough.map((count) => [`pass@${count}`, pyFloat(passAtK({ n: total, c: right, k: count }))] as const),
    ),
    newDict(session),
  ])
}
