import { PromptError } from '../../../base/errors/prompt-error.ts'
import { makeDict } from '../../../base/python/values/dict.ts'
import type { Value } from '../../../base/python/values/value.ts'
import type { TaskFunction } from '../task/task-function.ts'
import type { FunctionMark } from '../yaml/function-mark.ts'
import { Passes } from './passes.ts'

/** A call of a function that Python itself runs, in the sandbox. */
export type SandboxedCall = { mark: FunctionMark; args: readonly Value[]; kwargs: ReadonlyMap<string, Value> }

/** What a call of such a function does: it is collected, or returns a result. */
type Mode = { calls: SandboxedCall[] } | { results: readonly Value[]; used: number }

const passes = new Passes<Mode>()

/** The calls that `run` makes. `run` may fail on the placeholder results. */
export function callsOf(run: () => unknown): SandboxedCall[] {
  const calls: SandboxedCall[] = []
  passes.during({ calls }, () => {
    try {
      run()
    } catch (error) {
      if (!(error instanceof PromptError) || calls.length === 0) throw error
    }
  })
  return calls
}

/** Runs the same with the results of these calls. */
export function withResults<Result>(results: readonly Value[], run: () => Result): Result {
  return passes.during({ results, used: 0 }, run)
}

/** A function that Python runs between two passes: the first collects its calls, the second uses their results. */
export function pythonFunction(mark: FunctionMark): TaskFunction {
  const call = (args: readonly Value[], kwargs: ReadonlyMap<string, Value> = new Map()): Value => {
    const { current: mode } = passes
    if (mode && 'results' in mode && mode.used < mode.results.length) return mode.results[mode.used++]!
    if (mode && 'calls' in mode) {
      mode.calls.push({ mark, args, kwargs })
      return makeDict([])
    }
    throw new PromptError('not-run', {
      where: mark.file,
      problem: `${mark.path} runs in the Python sandbox, and this call has not run`,
      fix: 'score the run with `rolecall run -r`',
    })
  }
  return {
    name: mark.path.slice(mark.path.lastIndexOf('.') + 1),
    draws: () => ({ shared: 0, own: 0 }),
    unsupported: () => [],
    loads: () => new Map(),
    callOnce: call,
    callEntry: (_, args) => call(args),
    call,
    callForRow: call,
  }
}
