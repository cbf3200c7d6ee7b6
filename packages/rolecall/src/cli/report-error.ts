import { PromptError } from '@rolecall/core/internal/errors'
import { exitCodes, setExitCode } from './exit-codes.ts'
import { type JsonFailure, printJson } from './print-json.ts'
import { wrapLines } from './screen/fit-text.ts'
import { colors, printable, proseWidth } from './terminal.ts'

/**
 * Prints what ended a command, and sets the exit code: `refused` for a mistake in the input, `stopped` for Ctrl-C, `failed` otherwise. Under
 * `--json` also as an object on standard output.
 */
export function reportError(error: unknown, isJson: boolean): void {
  process.stderr.write(`${errorText(error)}\n`)
  const failure = failureOfError(error)
  setExitCode(failure)
  if (isJson) printJson({}, failure)
}

/** An error as an object, with the exit code. */
export function failureOfError(error: unknown): JsonFailure {
  const isStopped = error instanceof PromptError && error.code === 'stopped'
  const isRefused = error instanceof PromptError
  const { code: exitCode } = exitCodes[isStopped ? 'stopped' : isRefused ? 'refused' : 'failed']
  if (error instanceof PromptError) {
    const { code, where, problem, fix } = error
    return { code, where, problem, fix, exit_code: exitCode }
  }
  return { code: 'failed', problem: error instanceof Error ? error.message : String(error), exit_code: exitCode }
}

/** User errors with place, problem and fix; for other errors `DEBUG=1` shows the stack. */
export function errorText(error: unknown): string {
  if (error instanceof PromptError) {
    const width = proseWidth()
    const lines = (text: string, indent: number) => wrapLines(printable(text), width - indent)
    const [where, problem, fix] = [lines(error.where, 6), lines(error.problem, 2), lines(error.fix, 4)]
    return `${colors.red('error')} ${where.join('\n  ')}\n  ${problem.join('\n  ')}\n  ${colors.dim('→')} ${fix.join('\n    ')}`
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return `${colors.red('failed')} ${process.env.DEBUG ? stack : message}`
}
