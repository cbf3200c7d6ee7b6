import type { Expression } from '@rolecall/core/internal/python'
import { isInt, type Kwargs, notUnderstood, PythonError, pyFloat, Tuple, type Value } from '@rolecall/core/internal/python'
import { passAtK } from '../../../evaluation/score/evaluate/pass-at-k.ts'
import { itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { defineModule, native, numberOf, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { UserFunction } from '../../../python/interpreter/values.ts'
import { FixedObject } from './fixed-object.ts'
import { partsOf } from './parts-of.ts'
import { Passes } from './passes.ts'

/** What code that runs programs does: it collects them, or uses their outcomes, one for each reply. */
type Mode = { programs: TestedCode[] } | { passed: readonly boolean[]; used: number }

/** Code and its tests; without tests, a program that passes if it runs to its end. */
export type TestedCode = { code: string; tests?: string }

const passes = new Passes<Mode>()

/** The programs that a metric of `code_eval` would run. */
export function programsOf(run: () => unknown): TestedCode[] {
  const programs: TestedCode[] = []
  passes.during({ programs }, run)
  return programs
}

/** Computes a metric with the outcomes of the programs of a document's replies. */
export function withOutcomes<Result>(passed: readonly boolean[], run: () => Result): Result {
  return passes.during({ passed, used: 0 }, run)
}

/** `compute` of Hugging Face's `code_eval`: pass@k of the replies to each problem. */
export function computeCodeEval(session: Session, kwargs: Kwargs): Value {
  const { references = [], predictions = [], k = [1, 10, 100] } = Object.fromEntries(kwargs ?? [])
  const tests = itemsOf(session, references)
  const candidates = itemsOf(session, predictions).map((list) => itemsOf(session, list))
  const { current: mode } = passes
  if (mode && 'programs' in mode)
    mode.programs.push(...candidates.flatMap((list, place) => list.map((code) => ({ code: textOf(code), tests: textOf(tests[place]) }))))
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

/** The outcome of the next program; false while programs are collected. */
function runProgram(program: string): boolean {
  const { current: mode } = passes
  if (mode && 'programs' in mode) mode.programs.push({ code: program })
  return mode !== undefined && 'passed' in mode && mode.passed[mode.used++ % mode.passed.length] === true
}

/**
 * `multiprocessing`, as HumanEval's `check_correctness` uses it, which tasks copy: a process executes its first argument and adds "passed" to
 * a list.
 */
export const multiprocessing = defineModule('multiprocessing', {
  Manager: native('Manager()', () => new FixedObject('SyncManager', { list: native('list()', () => []) })),
  Process: native('Process(group=None, target=None, name=None, args=())', (session, given) => {
    const [, target = null, , args = []] = given
    const [program, outcome] = args instanceof Tuple ? args.items : itemsOf(session, args)
    if (!(target instanceof UserFunction) || !executesFirst(target) || typeof program !== 'string' || !Array.isArray(outcome))
      throw notUnderstood(session.at, 'a process that does not execute a program and report its outcome', 'use code_eval')
    const start = native('start()', () => {
      ;(outcome as Value[]).push(runProgram(program) ? 'passed' : 'failed')
      return null
    })
    const [join, kill] = ['join(timeout=None)', 'kill()'].map((signature) => native(signature, () => null))
    return new FixedObject('Process', { start, join: join!, kill: kill!, is_alive: native('is_alive()', () => false) })
  }),
})

/** Whether a function calls `exec` with its first parameter, and says "passed" if it returns. */
function executesFirst({ parameters: [first], body }: UserFunction): boolean {
  const calls = partsOf(body).filter((part): part is Expression & { kind: 'call' } => part.kind === 'call')
  const named = (callee: string, isArgument: (argument: Expression) => boolean) =>
    calls.some(
      ({ callee: called, args }) => 'name' in called && called.name === callee && args[0] !== undefined && isArgument(args[0].value),
    )
  return (
    named('exec', (argument) => argument.kind === 'name' && argument.name === first?.name) &&
    named('append', (argument) => argument.kind === 'constant' && argument.value === 'passed')
  )
}
