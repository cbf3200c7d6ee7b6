import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { rolecall as runCommandLine } from '../../packages/rolecall/src/cli/rolecall.ts'

/** The command line, bundled from source by `global-setup.ts` before the first test. */
export const main = fileURLToPath(new URL('../../packages/rolecall/dist/js/cli/main.js', import.meta.url))

// Vitest and CI force colours; a pipe of a user does not.
const { FORCE_COLOR: _, NO_COLOR: __, ...environment } = process.env

export type CommandResult = { code: number; stdout: string; stderr: string }

/**
 * Runs the command line in this process with piped streams: starting a process takes half a second of processor time, often more than the
 * command. Commands run one at a time, because they share the process's folder, environment, streams and exit code.
 */
export function rolecall(
  args: readonly string[],
  cwd = tmpdir(),
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<CommandResult> {
  const result = lastCommand.then(() => runHere(args, cwd, env, input))
  lastCommand = result.catch(() => undefined)
  return result
}

let lastCommand: Promise<unknown> = Promise.resolve()

async function runHere(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>, input: string): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' }
  const pipe = (name: keyof typeof written) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Uint8Array, _encoding, done) {
        written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
        done()
      },
    })
  const streams = { stdin: Readable.from(input === '' ? [] : [input]), stdout: pipe('stdout'), stderr: pipe('stderr') }
  const before = { cwd: process.cwd(), env: process.env, exitCode: process.exitCode }
  const own = Object.keys(streams).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const)
  for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value, configurable: true, enumerable: true })
  process.env = { ...before.env, LC_ALL: 'C.UTF-8', ...env }
  process.chdir(cwd)
  process.exitCode = 0
  try {
    await runCommandLine(args)
    return { code: Number(process.exitCode), ...written }
  } finally {
    process.exitCode = before.exitCode
    process.chdir(before.cwd)
    process.env = before.env
    for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor)
  }
}

/** Starts the command line as a process: for tests of streams, signals, exit, and configs that are programs. */
export function rolecallProcess(
  args: readonly string[],
  cwd = tmpdir(),
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { cwd, env: { ...environment, ...(env.FORCE_COLOR ? {} : { NO_COLOR: '1' }), ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
