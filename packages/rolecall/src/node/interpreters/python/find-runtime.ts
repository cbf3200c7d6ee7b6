import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { findPeer } from '../../find-peer.ts'
import { programName } from '../../platform.ts'

export type PythonRuntime = { deno: string; pyodide: string }

/** The Deno executable and pyodide's folder, from optional packages. */
export function findRuntime(): PythonRuntime {
  const pyodide = findPeer('pyodide/package.json')
  const deno = denoProgram(findPeer('deno/package.json'))
  if (pyodide !== undefined && deno !== undefined) return { deno: realpathSync(deno), pyodide: realpathSync(dirname(pyodide)) }
  const missing = [deno === undefined ? 'deno' : '', pyodide === undefined ? 'pyodide' : ''].filter((name) => name !== '')
  throw new PromptError('missing-peer', {
    where: 'the Python sandbox',
    problem: `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not installed`,
    fix: `run npm install ${missing.join(' ')}`,
  })
}

/** The npm package copies its executable in an install script; without scripts, it is in the package of the platform. */
function denoProgram(packageFile: string | undefined): string | undefined {
  if (packageFile === undefined) return undefined
  const name = programName('deno')
  const own = join(dirname(packageFile), name)
  if (existsSync(own)) return own
  const target = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`
  try {
    const found = join(dirname(createRequire(packageFile).resolve(`@deno/${target}/package.json`)), name)
    return existsSync(found) ? found : undefined
  } catch {
    return undefined
  }
}
