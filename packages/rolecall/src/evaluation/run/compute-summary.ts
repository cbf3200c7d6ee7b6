import type { Interpreter } from '../../model/agent/interpreter.ts'
import { type Evaluator, leaving, type Program, type ProgramSetup, passed } from '../score/evaluate/evaluator.ts'
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

/** What the program over these kept values left; undefined if what is recorded was computed from others. */
export function saidOf(
  kept: readonly unknown[],
  { summaryRuns, setup }: Pick<Evaluator<unknown>, 'summaryRuns' | 'setup'>,
  computed: Computed | undefined,
  hash: RunEnvironment['hash'],
): string | undefined {
  const program = computed && summaryRuns?.(kept)
  return program && summaryKey(program, setup, hash) === computed.key ? computed.said : undefined
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
