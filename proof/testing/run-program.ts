import { spawnSync } from 'node:child_process'

/** The longest that a test waits for a program; vitest's own timeout cannot interrupt a synchronous call. */
export const programTimeout = 120_000

/** Whether a program is installed and exits with 0: `succeeds('python3', '-c', 'import jinja2')`. */
export function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
}
