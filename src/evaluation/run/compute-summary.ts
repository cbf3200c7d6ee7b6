import type { Interpreter } from '../../model/agent/interpreter.ts'
import { leaving, type Program, type ProgramSetup, passed } from '../score/evaluate/evaluator.ts'
import type { Computed } from './record/run-record.ts'
import { codeOf, runOverRows } from './run-code.ts'
import type { RowStore, RunEnvironment, RunOptions } from './run-types.ts'

type Context = {
  environment: Pick<RunEnvironment, 'hash'>
  options: Pick<RunOptions, 'offline' | 'signal'>
  store?: Pick<RowStore, 'computed'> | undefined
  setup?: ProgramSetup | undefined
  interpreter(): Promise<Interpreter>
}

/** Identifies a program over all rows and what it needs. */
export function summaryKey(program: Program, setup: ProgramSetup | undefined, hash: RunEnvironment['hash']): string {
  return hash([setup?.code ?? '', codeOf(program)].join('\u0000')).slice(0, 32)
}

/** Runs the program that computes metrics over all rows; if it has succeeded before, or offline, uses what it left then. */
export async function computeSummary(program: Program, context: Context): Promise<Computed | undefined> {
  const { environment, options, store, setup } = context
  const key = summaryKey(program, setup, environment.hash)
  const before = store?.computed?.()
  const isSame = before?.key === key
  if (options.offline) return isSame ? before : undefined
  if (isSame && (before.said === passed || before.said.startsWith(leaving))) return before
  const said = await runOverRows(await context.interpreter(), program, context)
  return options.signal?.aborted ? undefined : { key, said }
}
