import { type ExitCode, setExitCode } from './exit-codes.ts'

/** Why a command ends with an exit code other than 0, in the output of `--json`. */
export type JsonFailure = { code: string; where?: string; problem: string; fix?: string; exit_code: ExitCode }

/**
 * Prints the result of `--json`. A failure sets the exit code and is added as `error`: to an object as a key, to a list as its last
 * element.
 */
export function printJson(value: object, failure?: JsonFailure): void {
  const whole = failure === undefined ? value : Array.isArray(value) ? [...value, { error: failure }] : { ...value, error: failure }
  process.stdout.write(`${JSON.stringify(whole, null, 2)}\n`)
  setExitCode(failure)
}
