import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The command line, from source; `build-cli.ts` has written it before the first test. */
export const main = fileURLToPath(new URL('../.built/cli/main.js', import.meta.url))

// Vitest and CI ask for colours; a user's pipe does not.
const { FORCE_COLOR: _, NO_COLOR: __, ...environment } = process.env

export type CommandResult = { code: number; stdout: string; stderr: string }

/** Runs the command line from source, as a user would. */
export function rolecall(args: readonly string[], cwd = tmpdir(), env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { cwd, env: { ...environment, ...(env.FORCE_COLOR ? {} : { NO_COLOR: '1' }), ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
