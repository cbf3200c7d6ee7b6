import type { Row } from '@rolecall/core/internal/conversation'
import { isList, type PyValue, pyRepr, pyStr } from '@rolecall/core/internal/python'
import type { CodeOptions, CodeOutput, Interpreter } from '../../model/agent/interpreter.ts'
import { readLiteral } from '../../python/syntax/literal.ts'
import { leaving, type Program, type ProgramSetup, passed, standInText } from '../score/evaluate/evaluator.ts'
import type { JudgeVerdict } from './ask-judge.ts'
import type { AnswerToJudge } from './judge-prompts.ts'
import type { RowRecord } from './record/run-record.ts'
import type { RunEnvironment, RunOptions } from './run-types.ts'

export type CodeContext = {
  /** The program that checks an answer. */
  program: (row: Row, answer: string, reference: PyValue) => Program
  environment: Pick<RunEnvironment, 'hash'>
  options: Pick<RunOptions, 'signal'>
  setup?: ProgramSetup | undefined
  interpreter(): Promise<Interpreter>
  /** How long a program may take, in milliseconds; the interpreter decides by default. */
  limit?: number
}

type ProgramContext = Pick<CodeContext, 'setup' | 'options' | 'limit'>

/** Runs the program that tests an answer, or each of several; reuses earlier results of the same program. */
export async function runCode(
  context: CodeContext,
  { row, prediction, reference }: AnswerToJudge,
  before: RowRecord | undefined,
): Promise<JudgeVerdict> {
  const answers = isList(prediction) ? prediction : [prediction]
  const programs = answers.map((answer) => context.program(row, pyStr(answer), reference ?? null))
  const key = context.environment
    .hash([...(context.setup ? [context.setup.code] : []), ...programs.map(codeOf)].join('\u0000'))
    .slice(0, 32)
  const { judge_key: known, judge_said: said } = before?.details ?? {}
  if (known === key && said !== undefined) return { said, key }
  const results: string[] = []
  for (const program of programs) {
    if (context.options.signal?.aborted) return { said: undefined, key }
    const interpreter = await context.interpreter()
    results.push(await inTurn(interpreter, () => resultOfAll(interpreter, program, context)))
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

/** The result of a program and of those that follow it. */
function resultOfAll(interpreter: Interpreter, first: Program, context: ProgramContext): Promise<string> {
  return followPrograms(first, (program) => resultOf(interpreter, program, context), context.options.signal)
}

/** Runs a program and those that follow it: a line of what each left, what they decide, or how the first of them failed. */
export async function followPrograms(first: Program, run: (program: Program) => Promise<string>, signal?: AbortSignal): Promise<string> {
  const lines: string[] = []
  for (let program: Program | undefined = first; program !== undefined; ) {
    const said = await run(program)
    if (typeof program === 'string' || !said.startsWith(leaving)) return said
    const left = said.slice(leaving.length)
    const decided: Program | { said: string } | undefined = program.decide?.(left)
    if (typeof decided === 'object' && 'said' in decided) return decided.said
    if (!decided) lines.push(left)
    program = signal?.aborted ? undefined : (decided ?? program.next?.(left))
  }
  return leaving + lines.join('\n')
}

/** A program over all rows may take as long as importing its packages. */
export function runOverRows(interpreter: Interpreter, program: Program, context: ProgramContext): Promise<string> {
  return inTurn(interpreter, () => resultOfAll(interpreter, program, { ...context, limit: setupLimit }))
}

/** Every program gets a fresh interpreter, so that no state leaks into the next, unless the evaluator has set one up. */
async function resultOf(interpreter: Interpreter, program: Program, context: ProgramContext): Promise<string> {
  const { setup, options, limit } = context
  const { signal } = options
  if (setup) return resultAfter(setup, interpreter, program, { ...(signal ? { signal } : {}), ...(limit === undefined ? {} : { limit }) })
  await interpreter.restart()
  const said = await programResult(interpreter, program, signal)
  // Prepares the next interpreter while the model writes its next answer; a failure shows when it is needed.
  interpreter.restart().catch(() => undefined)
  return said
}

/** Importing large packages takes a minute on a busy machine. */
const setupLimit = 600_000

const setUp = new WeakMap<Interpreter, Set<string>>()

/** Packages load parts of themselves in the first call, which may take longer than the others. */
const firstLimit = 60_000

/** Interpreters in which a program has run since this code set them up. */
const warm = new WeakMap<Interpreter, Set<string>>()

/** Runs the code that programs need, unless it has run in this interpreter; returns why that failed. */
export async function setUpInterpreter(interpreter: Interpreter, { code }: ProgramSetup): Promise<string | undefined> {
  const done = setUp.get(interpreter) ?? new Set()
  if (done.has(code)) return undefined
  const { said } = await runProgram(interpreter, code, { limit: setupLimit })
  if (said !== passed) return said
  setUp.set(interpreter, done.add(code))
  return undefined
}

/** Runs a program in an interpreter that is set up; if Python was restarted meanwhile, sets it up again and repeats the program once. */
async function resultAfter(setup: ProgramSetup, interpreter: Interpreter, program: Program, options: CodeOptions): Promise<string> {
  const attempt = async () => {
    const failed = await setUpInterpreter(interpreter, setup)
    if (failed !== undefined) return { said: failed, restarted: false }
    const known = warm.get(interpreter) ?? new Set()
    const isFirst = !known.has(setup.code) && options.limit === undefined
    const result = await runProgram(interpreter, program, isFirst ? { ...options, limit: firstLimit } : options)
    warm.set(interpreter, known.add(setup.code))
    if (result.restarted) {
      setUp.delete(interpreter)
      warm.delete(interpreter)
    }
    return result
  }
  const first = await attempt()
  return first.restarted ? (await attempt()).said : first.said
}

export function codeOf(program: Program): string {
  return typeof program === 'string' ? program : program.code
}

/** Runs a program in an open interpreter and returns its result: passed, how it failed, or the variable it leaves. */
export async function programResult(interpreter: Interpreter, program: Program, signal?: AbortSignal): Promise<string> {
  return (await runProgram(interpreter, program, signal ? { signal } : {})).said
}

/** What an interpreter shows of a value is limited: a long text is read in pieces. */
const pieceLength = 20_000
const longestLeft = 64 << 20

async function runProgram(interpreter: Interpreter, program: Program, options: CodeOptions): Promise<{ said: string; restarted: boolean }> {
  const run = `names = {'__name__': '__main__'}\nexec(${pyRepr(codeOf(program))}, names)\n`
  if (typeof program === 'string') {
    const { ok, outputs, restarted = false } = await interpreter.run(`${run}'${standInText}'`, options)
    return { said: resultIn(outputs, ok, program), restarted }
  }
  const left = `names[${pyRepr(program.leaves)}]`
  const {
    ok,
    outputs,
    restarted = false,
  } = await interpreter.run(`${run}${left}[:${pieceLength}] if type(${left}) is str else ${left}`, options)
  let said = resultIn(outputs, ok, program)
  for (let end = pieceLength; said.length === leaving.length + end && end < longestLeft; end += pieceLength) {
    const more = await interpreter.run(`${left}[${end}:${end + pieceLength}]`, options)
    const piece = resultIn(more.outputs, more.ok, program)
    if (!piece.startsWith(leaving)) return { said: piece, restarted }
    said += piece.slice(leaving.length)
  }
  return { said, restarted }
}

function resultIn(outputs: readonly CodeOutput[], ok: boolean, program: Program): string {
  const value = outputs.find((output) => output.kind === 'value')
  // A program that exits early has not passed its tests.
  if (ok && value?.kind === 'value') {
    if (typeof program !== 'string') {
      const left = readLiteral(value.text)
      return left === undefined
        ? `failed: what it returns is too long (${value.text.length} characters were read)`
        : `${leaving}${pyStr(left ?? '')}`
    }
    if (value.text === `'${standInText}'`) return passed
  }
  const error = outputs.find((output) => output.kind === 'error')
  if (error?.kind === 'error') return `failed: ${error.name}${error.message === '' ? '' : `: ${error.message}`}`
  const note = outputs.find((output) => output.kind === 'note')
  return `failed: ${note?.kind === 'note' ? note.text : 'it was interrupted'}`
}
