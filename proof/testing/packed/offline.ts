import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundleOffline } from '../../../scripts/release/bundle-offline.ts'
import { programTimeout } from '../run-program.ts'
import type { Outcome } from './smoke.ts'

/** Whether one archive of an installed Rolecall installs and runs where there is no registry and npm's cache is empty. Uses the project up. */
export function installsOffline(project: string, folder: string): Outcome {
  const name = 'one archive installs without a registry, and runs'
  const [prefix, cache] = [join(folder, 'prefix'), join(folder, 'empty-cache')]
  mkdirSync(prefix)
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 5 * programTimeout,
      env: { ...process.env, npm_config_cache: cache, npm_config_registry: 'http://127.0.0.1:9' },
    })
  try {
    const archive = bundleOffline(project, folder)
    run('npm', 'install', '--global', '--offline', '--prefix', prefix, '--loglevel=error', archive)
    const printed = run(join(prefix, 'bin', 'rolecall'), 'run', '--limit', '2')
    return printed.includes('internlm2') ? { name } : { name, problem: printed }
  } catch (error) {
    return { name, problem: (error as Error).message }
  }
}
