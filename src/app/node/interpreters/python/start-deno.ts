import { realpathSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codeFile } from '../../own-files.ts'
import { findRuntime } from './find-runtime.ts'
import { GuardedProcess } from './guarded-process.ts'
import type { SandboxLimits } from './limits.ts'

/** The program of the thread that code runs in. */
export const workerScript = () => script('worker')

/**
 * Starts the runner under Deno with no permission but to read pyodide's files and its own scripts, an empty environment, no files but
 * its pipes, and limits on memory.
 */
export function startDeno({ memory, heap, overhead }: Pick<SandboxLimits, 'memory' | 'heap' | 'overhead'>): GuardedProcess {
  const { deno, pyodide } = findRuntime()
  const [runner, worker] = [script('runner'), workerScript()]
  const scripts = realpathSync(fileURLToPath(new URL('.', pathToFileURL(runner))))
  return new GuardedProcess(
    [
      ...[deno, 'run'],
      ...[
        '--quiet',
        '--no-prompt',
        '--no-remote',
        '--no-npm',
        '--no-config',
        '--no-lock',
        '--cached-only',
        '--no-code-cache',
        '--no-check',
      ],
      '--unstable-worker-options',
      ...['write', 'net', 'env', 'run', 'ffi', 'sys', 'import'].map((name) => `--deny-${name}`),
      `--allow-read=${[pyodide, scripts].join(',')}`,
      // WebAssembly has pages of 64 KiB.
      `--v8-flags=--max-old-space-size=${heap},--wasm-max-mem-pages=${memory * 16}`,
      ...[runner, pyodide, pathToFileURL(worker).href],
    ] as [string, ...string[]],
    {
      cwd: pyodide,
      // Deno's cache cannot be made there, so that it is kept in memory.
      env: { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: process.platform === 'win32' ? 'NUL\\deno' : '/dev/null/deno' },
      // No core dumps, no files, and little more memory than is watched for: V8 sets some aside that it does not use.
      ulimits: ['-c 0', '-f 0', '-n 64', `-d ${(memory + overhead + 512) * 1024}`],
    },
  )
}

function script(name: string): string {
  return realpathSync(fileURLToPath(codeFile(`app/node/interpreters/python/sandbox/${name}`)))
}
