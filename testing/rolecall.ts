import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const jiti = fileURLToPath(new URL('../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

// Vitest and CI ask for colours; a user's pipe does not.
const { FORCE_COLOR: _, NO_COLOR: __, ...environment } = process.env

export type CommandResult = { code: number; stdout: string; stderr: string }

/** Runs the command line from source, as a user would. */
export function rolecall(args: readonly string[], cwd = tmpdir(), env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [jiti, main, ...args],
      { cwd, env: { ...environment, ...(env.FORCE_COLOR ? {} : { NO_COLOR: '1' }), ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
