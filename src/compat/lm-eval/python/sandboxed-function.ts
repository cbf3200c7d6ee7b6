import { PromptError } from '../../../base/errors/prompt-error.ts'
import { pyFloat } from '../../../base/python/index.ts'
import { makeDict } from '../../../base/python/values/dict.ts'
import { repr } from '../../../base/python/values/repr.ts'
import { plainText } from '../../../base/python/values/text.ts'
import type { Kwargs, Value } from '../../../base/python/values/value.ts'
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

/** The results of calls, by what was called with what. */
export type CallResults = ReadonlyMap<string, Value | RaisedInPython>

export function callKey({ mark, args, kwargs }: SandboxedCall): string {
  return [mark.file, mark.path, args, kwargs].join('\u0000')
}

/** What a call of such a function does: it returns a known result or is collected, or returns a value of the right kind where nothing runs. */
type Mode = { results: CallResults; calls?: SandboxedCall[] } | 'stand-in'

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

/** The next call that each of these runs needs beyond those with a known result. */
export function neededCalls(results: CallResults, runs: readonly (() => unknown)[]): SandboxedCall[] {
  const calls: SandboxedCall[] = []
  for (const run of runs)
    passes.during({ results, calls }, () => {
      try {
        run()
      } catch (error) {
        if (!(error instanceof CallNeeded)) throw error
      }
    })
  return calls
}

/** Runs something with the results of its calls; with `'stand-in'`, calls return a value of the right kind. */
export function withResults<Result>(results: CallResults | 'stand-in', run: () => Result): Result {
  return passes.during(results === 'stand-in' ? results : { results }, run)
}

/** A function that Python runs between passes: each collects calls, and the next one uses their results. */
export function pythonFunction(mark: FunctionMark, role: FunctionRole): TaskFunction {
  const call = (args: readonly Value[], kwargs: NonNullable<Kwargs> = new Map()): Value => {
    const { current: mode } = passes
    if (mode === 'stand-in') return standIns[role](args)
    const made = {
      mark,
      args: plainText(repr([...args])),
      kwargs: plainText(repr(makeDict(kwargs))),
      mayRaise: role === 'metric',
    }
    const found = mode?.results.get(callKey(made))
    if (found instanceof RaisedInPython)
      throw new FunctionError(
        {
          where: mark.file,
          problem: `${mark.path} fails in the Python sandbox (${found.type}: ${found.message})`,
          fix: 'correct the function or the rows',
        },
        found.type,
      )
    if (found !== undefined) return found
    mode?.calls?.push(made)
    throw new CallNeeded(mark)
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

/** What stands for a result in checks before the first request. */
const standIns: Readonly<Record<FunctionRole, (args: readonly Value[]) => Value>> = {
  process_results: () => makeDict([]),
  metric: () => pyFloat(0),
  filter: ([replies]) => replies!,
  aggregation: () => pyFloat(0),
}
