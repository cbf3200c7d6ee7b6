import { attempt, PromptError } from '@rolecall/core/internal/errors'
import type { Kwargs, Value } from '@rolecall/core/internal/python'
import { makeDict, PythonError, plainText, pyFloat, repr, Sink } from '@rolecall/core/internal/python'
import type { TaskFunction } from '../task/task-function.ts'
import type { FunctionMark } from '../yaml/function-mark.ts'
import { FunctionError } from './function-host.ts'
import { Passes } from './passes.ts'

/** What a task calls a function for. */
export type FunctionRole = 'process_results' | 'metric' | 'filter' | 'aggregation'

/** A call of a function that Python itself runs, in the sandbox, with its arguments as Python writes them. */
export type SandboxedCall = {
  mark: FunctionMark
  args: string
  kwargs: string
  /** An exception is a result: a metric is then called in another way. */
  mayRaise: boolean
}

/** An exception that a call raised. */
export class RaisedInPython {
  constructor(
    readonly type: string,
    readonly message: string,
  ) {}
}

/** The results of the calls of one run, in order. A run may draw random numbers, so arguments can differ each time. */
export type CallResults = readonly { mark: FunctionMark; result: Value | RaisedInPython }[]

/** A pass over a run: the results of its first calls, the number of calls so far, and the first call without a result. */
type CallPass = { results: CallResults; made: number; needed?: SandboxedCall }

/** What a call of such a function does: it returns a known result or is collected, or returns a value of the right kind where nothing runs. */
type Mode = CallPass | 'stand-in'

const passes = new Passes<Mode>()

/** A call whose result is not known. */
class CallNeeded extends PromptError {
  constructor({ path, file }: FunctionMark) {
    super('not-run', {
      where: file,
      problem: `${path} runs in the Python sandbox, and this call has not run`,
      fix: 'score the run with `rolecall run -r`',
    })
  }
}

/**
 * The next call that each of these runs needs beyond those with a known result. A run that fails needs none: the error is reported where its
 * results are used.
 */
export function neededCalls(results: readonly CallResults[], runs: readonly (() => unknown)[]): { run: number; call: SandboxedCall }[] {
  return runs.flatMap((run, index) => {
    const pass: CallPass = { results: results[index]!, made: 0 }
    attempt(() => passes.during(pass, run))
    return pass.needed ? [{ run: index, call: pass.needed }] : []
  })
}

/** Runs something with the results of its calls; with `'stand-in'`, calls return a value of the right kind. */
export function withResults<Result>(results: CallResults | 'stand-in', run: () => Result): Result {
  return passes.during(results === 'stand-in' ? results : { results, made: 0 }, run)
}

/** A function that Python runs between passes: each collects calls, and the next one uses their results. */
export function pythonFunction(mark: FunctionMark, role: FunctionRole): TaskFunction {
  const call = (args: readonly Value[], kwargs: NonNullable<Kwargs> = new Map()): Value => {
    const { current: mode } = passes
    if (mode === 'stand-in') return standIns[role](args)
    const known = mode?.results[mode.made]
    if (mode === undefined || known === undefined) {
      const needed = { mark, args: written(mark, [...args]), kwargs: written(mark, makeDict(kwargs)), mayRaise: role === 'metric' }
      if (mode) mode.needed ??= needed
      throw new CallNeeded(mark)
    }
    if (known.mark.path !== mark.path || known.mark.file !== mark.file) throw new CallNeeded(mark)
    mode.made++
    const { result: found } = known
    if (found instanceof RaisedInPython)
      throw new FunctionError(
        {
          where: mark.file,
          problem: `${mark.path} fails in the Python sandbox (${found.type}: ${found.message})`,
          fix: 'correct the function or the rows',
        },
        found.type,
      )
    return found
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

/** What the sandbox takes in one call. */
const mostCharacters = 1 << 26

/** Arguments as Python writes them. */
function written({ path, file }: FunctionMark, value: Value): string {
  try {
    return plainText(repr(value, new Sink(mostCharacters)))
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    throw new PromptError('too-large', {
      where: file,
      problem: `${path} runs in the Python sandbox, and its arguments are too large for it (${error.message})`,
      fix: 'run fewer rows (--limit)',
    })
  }
}

/** What stands for a result in checks before the first request. */
const standIns: Readonly<Record<FunctionRole, (args: readonly Value[]) => Value>> = {
  process_results: () => makeDict([]),
  metric: () => pyFloat(0),
  filter: ([replies]) => replies!,
  aggregation: () => pyFloat(0),
}
