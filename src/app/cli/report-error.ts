import { PromptError } from '../../base/errors/prompt-error.ts'
import { colors, printable } from './terminal.ts'

/** Prints what ended a command, and sets the exit code: 2 for a mistake in the input, 130 for Ctrl-C as shells do, 1 otherwise. */
export function reportError(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`)
  const isStopped = error instanceof PromptError && error.code === 'stopped'
  process.exitCode = isStopped ? 130 : error instanceof PromptError ? 2 : 1
}

/** User errors with place, problem and fix; for other errors `DEBUG=1` shows the stack. */
function explain(error: unknown): string {
  if (error instanceof PromptError) {
    const [where, problem, fix] = [error.where, error.problem, error.fix].map(printable)
    return `${colors.red('error')} ${where}\n  ${problem}\n  ${colors.dim('→')} ${fix}`
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return `${colors.red('failed')} ${process.env.DEBUG ? stack : message}`
}
