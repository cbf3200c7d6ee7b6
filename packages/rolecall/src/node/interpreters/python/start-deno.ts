import { realpathSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codeFile } from '../../own-files.ts'
import { impossibleFolder } from '../../platform.ts'
import { findRuntime } from './find-runtime.ts'
import { GuardedProcess } from './guarded-process.ts'
import { dataLimit, type SandboxLimits } from './sandbox-limits.ts'

/** The script of the thread that runs the code. */
export const workerScript = () => script('worker')

/**
 * Starts the runner under Deno. Its only permission is to read pyodide's files and its own scripts; its environment is empty, its only
 * open files are pipes, and its memory is limited.
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
      // Deno cannot create its cache there, so it keeps it in memory.
      env: { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: impossibleFolder() },
      // No core dumps and no files. The memory limit is a backstop: resident memory is watched (`watchMemory`).
      ulimits: ['-c 0', '-f 0', '-n 64', `-d ${dataLimit({ memory, overhead }, process.arch) * 1024}`],
    },
  )
}

function script(name: string): string {
  return realpathSync(fileURLToPath(codeFile(`node/interpreters/python/sandbox/${name}`)))
}
