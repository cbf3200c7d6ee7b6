import { isList, type PyValue, pyRepr, pyStr } from '../../base/python/index.ts'
import { readLiteral } from '../../base/python/literal.ts'
import type { Interpreter } from '../../model/agent/interpreter.ts'
import type { Row } from '../../prompt/conversation/row.ts'
import { leaving, type Program, passed } from '../score/evaluate/evaluator.ts'
import type { JudgeVerdict } from './ask-judge.ts'
import type { AnswerToJudge } from './judge-prompts.ts'
import type { RowRecord } from './record/run-record.ts'
import type { RunEnvironment, RunOptions } from './run-types.ts'

export type CodeContext = {
  /** The program that checks an answer. */
  program: (row: Row, answer: string, reference: PyValue) => Program
  environment: Pick<RunEnvironment, 'hash'>
  options: Pick<RunOptions, 'signal'>
  interpreter(): Promise<Interpreter>
}

/** Runs the program that tests an answer, or each of several; reuses earlier results of the same program. */
export async function runCode(
  context: CodeContext,
  { row, prediction, reference }: AnswerToJudge,
  before: RowRecord | undefined,
): Promise<JudgeVerdict> {
  const answers = isList(prediction) ? prediction : [prediction]
  const programs = answers.map((answer) => context.program(row, pyStr(answer), reference ?? null))
  const key = context.environment.hash(programs.map(codeOf).join('\u0000')).slice(0, 32)
  const { judge_key: known, judge_said: said } = before?.details ?? {}
  if (known === key && said !== undefined) return { said, key }
  const results: string[] = []
  for (const program of programs) {
    if (context.options.signal?.aborted) return { said: undefined, key }
    const interpreter = await context.interpreter()
    results.push(await inTurn(interpreter, () => resultOf(interpreter, program, context.options.signal)))
  }
  // A program that was interrupted externally has neither passed nor failed.
  if (context.options.signal?.aborted) return { said: undefined, key }
  return { said: isList(prediction) ? results : results[0]!, key }
}

const last = new WeakMap<Interpreter, Promise<unknown>>()

/** Rows are answered concurrently, but programs run one at a time, each in a fresh interpreter. */
function inTurn<Result>(interpreter: Interpreter, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(interpreter) ?? Promise.resolve()
  const mine = before.then(work, work)
  last.set(interpreter, mine)
  return mine
}

/** Every program gets a fresh interpreter, so that no state leaks into the next. */
async function resultOf(interpreter: Interpreter, program: Program, signal: AbortSignal | undefined): Promise<string> {
  await interpreter.restart()
  const said = await programResult(interpreter, program, signal)
  // Prepares the next interpreter while the model writes its next answer; a failure shows when it is needed.
  interpreter.restart().catch(() => undefined)
  return said
}

function codeOf(program: Program): string {
  return typeof program === 'string' ? program : program.code
}

/** Runs a program in an open interpreter and returns its result: passed, how it failed, or the variable it leaves. */
export async function programResult(interpreter: Interpreter, program: Program, signal?: AbortSignal): Promise<string> {
  const end = typeof program === 'string' ? "'reached the end'" : `names[${pyRepr(program.leaves)}]`
  const code = `names = {'__name__': '__main__'}\nexec(${pyRepr(codeOf(program))}, names)\n${end}`
  const { ok, outputs } = await interpreter.run(code, signal ? { signal } : {})
  const value = outputs.find((output) => output.kind === 'value')
  // A program that exits early has not passed its tests.
  if (ok && value?.kind === 'value') {
    if (typeof program !== 'string') return `${leaving}${pyStr(readLiteral(value.text) ?? '')}`
    if (value.text === "'reached the end'") return passed
  }
  const error = outputs.find((output) => output.kind === 'error')
  if (error?.kind === 'error') return `failed: ${error.name}${error.message === '' ? '' : `: ${error.message}`}`
  const note = outputs.find((output) => output.kind === 'note')
  return `failed: ${note?.kind === 'note' ? note.text : 'it was interrupted'}`
}
