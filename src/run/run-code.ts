import type { Interpreter } from '../agent/interpreter.ts'
import type { Row } from '../dataset/row.ts'
import { isList, pyRepr, pyStr } from '../python/index.ts'
import type { RowRecord } from '../record/run-record.ts'
import { passed } from '../score/evaluate/code-tests.ts'
import type { Judged, ToJudge } from './ask-judge.ts'
import type { RunEnvironment, RunOptions } from './run-environment.ts'

export type CodeContext = {
  /** The program that tells whether an answer is right. */
  program: (row: Row, answer: string) => string
  environment: Pick<RunEnvironment, 'hash'>
  options: Pick<RunOptions, 'signal'>
  interpreter(): Promise<Interpreter>
}

/** Runs what tests an answer, or each of several; what became of the same program before is used again. */
export async function runCode(
  context: CodeContext,
  { row, prediction }: Omit<ToJudge, 'reference'>,
  before: RowRecord | undefined,
): Promise<Judged> {
  const answers = isList(prediction) ? prediction : [prediction]
  const programs = answers.map((answer) => context.program(row, pyStr(answer)))
  const key = context.environment.hash(programs.join('\u0000')).slice(0, 32)
  const { judge_key: known, judge_said: said } = before?.details ?? {}
  if (known === key && said !== undefined) return { said, key }
  const results: string[] = []
  for (const program of programs) {
    if (context.options.signal?.aborted) return { said: undefined, key }
    const interpreter = await context.interpreter()
    results.push(await inTurn(interpreter, () => resultOf(interpreter, program, context.options.signal)))
  }
  // A program that was interrupted from outside has neither passed nor failed.
  if (context.options.signal?.aborted) return { said: undefined, key }
  return { said: isList(prediction) ? results : results[0]!, key }
}

const last = new WeakMap<Interpreter, Promise<unknown>>()

/** Rows are answered at once, and programs run one after the other, each with its own start. */
function inTurn<Result>(interpreter: Interpreter, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(interpreter) ?? Promise.resolve()
  const mine = before.then(work, work)
  last.set(interpreter, mine)
  return mine
}

/** Every program has a Python of its own: whatever one has changed, the next does not find. */
async function resultOf(interpreter: Interpreter, program: string, signal: AbortSignal | undefined): Promise<string> {
  await interpreter.restart()
  const code = `exec(${pyRepr(program)}, {'__name__': '__main__'})\n'reached the end'`
  const { ok, outputs } = await interpreter.run(code, signal ? { signal } : {})
  // The next one is made ready while the model writes its next answer; whether that failed is seen when it is needed.
  interpreter.restart().catch(() => undefined)
  // A program that leaves early has not passed its tests.
  if (ok && outputs.some((output) => output.kind === 'value' && output.text === "'reached the end'")) return passed
  const error = outputs.find((output) => output.kind === 'error')
  if (error?.kind === 'error') return `failed: ${error.name}${error.message === '' ? '' : `: ${error.message}`}`
  const note = outputs.find((output) => output.kind === 'note')
  return `failed: ${note?.kind === 'note' ? note.text : 'it was interrupted'}`
}
