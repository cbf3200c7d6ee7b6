import type { Interpreter } from '../../model/agent/interpreter.ts'
import type { Program, ProgramSetup } from '../score/evaluate/evaluator.ts'
import type { Computed } from './record/run-record.ts'
import { runOverRows } from './run-code.ts'
import type { RowStore, RunEnvironment, RunOptions } from './run-types.ts'

type Context = {
  environment: Pick<RunEnvironment, 'hash'>
  options: Pick<RunOptions, 'offline' | 'signal'>
  store?: Pick<RowStore, 'computed'> | undefined
  setup?: ProgramSetup | undefined
  interpreter(): Promise<Interpreter>
}

/** Runs the program that computes metrics over all rows; offline, or if it has run before, uses what it left then. */
export async function computeSummary(program: Program, context: Context): Promise<Computed | undefined> {
  const { environment, options, store, setup } = context
  const code = typeof program === 'string' ? program : program.code
  const key = environment.hash([setup?.code ?? '', code].join('\u0000')).slice(0, 32)
  const before = store?.computed?.()
  if (before?.key === key) return before
  if (options.offline) return undefined
  const said = await runOverRows(await context.interpreter(), program, context)
  return options.signal?.aborted ? undefined : { key, said }
}
