import type { CodeFile, CodeOptions, CodeOutput, CodeResult, Interpreter } from '../../../agent/interpreter.ts'
import { PromptError } from '../../../prompt-error.ts'
import { findRuntime } from './find-runtime.ts'
import { SandboxEnded, type SandboxLimits, SandboxProcess } from './sandbox-process.ts'

export type PythonSandboxOptions = Partial<SandboxLimits> & {
  /** After so many milliseconds code is interrupted, and what it has made is kept; 20,000 by default. */
  softLimit?: number
  /** After so many more the process is ended, and what it has made is gone; 5,000 by default. */
  grace?: number
  /** The most bytes of a file that is put in or fetched; 32 MiB by default. */
  maxFile?: number
}

/** An interpreter that cannot reach the machine. */
export type PythonSandbox = Interpreter & {
  /** The process that Python runs in, while there is one. */
  readonly pid: number | undefined
}

const defaults = { memory: 512, maxOutput: 50_000, startLimit: 120_000, softLimit: 20_000, grace: 5_000, maxFile: 32 * 1024 * 1024 }

/**
 * Python for a model's code, kept away from this machine: pyodide in a process of its own, under Deno without permissions. Code
 * cannot run programs, read or write the machine's files, see its environment or reach a network; memory, time and output are
 * limited. Python's standard library is there, other packages are not. Needs the optional packages `deno` and `pyodide`.
 */
export function pythonSandbox(options: PythonSandboxOptions = {}): PythonSandbox {
  const limits = { ...defaults, ...options }
  const attached = new Map<string, Uint8Array>()
  let current: SandboxProcess | undefined
  let starting: Promise<SandboxProcess> | undefined
  let isClosed = false
  /** Whether code has run, or files were put in, since Python was started. */
  let isUsed = false
  let last: Promise<unknown> = Promise.resolve()
  // What is missing is said at once, not when the model has written its code.
  findRuntime()

  /** A process that is ready, with the files that the user has attached. */
  function ready(): Promise<SandboxProcess> {
    if (isClosed)
      return Promise.reject(new PromptError('closed', { where: 'the Python sandbox', problem: 'it is closed', fix: 'make a new one' }))
    if (current && starting && !current.isOver) return starting
    const started = new SandboxProcess(limits)
    current = started
    starting = started.ready.then(async () => {
      for (const [path, data] of attached) await started.request({ do: 'write', path, data: base64(data) })
      return started
    })
    starting.catch(() => undefined)
    return starting
  }

  /** A new Python in the same process takes a fraction of a second; where that fails, the process is started anew. */
  async function renewed(python: SandboxProcess): Promise<void> {
    const timer = setTimeout(() => python.kill('it did not start anew in time'), limits.startLimit)
    try {
      await python.request({ do: 'renew' })
    } catch (error) {
      if (!(error instanceof SandboxEnded)) throw error
      await ready()
    } finally {
      clearTimeout(timer)
    }
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }

  async function run(code: string, { signal, onOutput }: CodeOptions = {}): Promise<CodeResult> {
    const outputs: CodeOutput[] = []
    const add = (output: CodeOutput) => {
      outputs.push(output)
      onOutput?.(output)
    }
    const python = await unlessAborted(ready(), signal)
    isUsed = true
    if (python === undefined) return { ok: false, outputs: [{ kind: 'note', text: 'not run: it was stopped before' }] }
    const kill = (why: string) => () => python.kill(why)
    const limit = `${(limits.softLimit + limits.grace) / 1000} s`
    const timers = [setTimeout(kill(`it ran for ${limit} and did not stop when it was interrupted`), limits.softLimit + limits.grace)]
    const stop = () => {
      python.interrupt()
      timers.push(setTimeout(kill('it was stopped, and did not stop by itself'), limits.grace))
    }
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const done = await python.request({ do: 'run', code, softLimit: limits.softLimit }, ({ stream, text }) => {
        if (typeof text === 'string') add({ kind: 'text', stream: stream === 'stderr' ? 'stderr' : 'stdout', text })
      })
      for (const output of outputsOf(done)) add(output)
      if (done.interrupted === true)
        add({
          kind: 'note',
          text: `${signal?.aborted ? 'stopped by the user' : `interrupted after ${limits.softLimit / 1000} s`}; variables are kept`,
        })
      return { ok: done.error === undefined && done.interrupted !== true, outputs }
    } catch (error) {
      if (!(error instanceof SandboxEnded)) throw error
      const files = attached.size === 0 ? '' : '; the attached files are put back'
      add({ kind: 'note', text: `Python had to be started anew: ${error.message}. Variables and files are gone${files}` })
      // It takes seconds: what the model says meanwhile is not held up.
      if (!isClosed) ready().catch(() => undefined)
      return { ok: false, outputs, restarted: true }
    } finally {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    name: 'Python (sandbox)',
    isSandbox: true,
    get pid() {
      return current?.isOver ? undefined : current?.pid
    },
    start: () => inTurn(async () => void (await ready())),
    run: (code, given) => inTurn(() => run(code, given)),
    addFile: (path, data) =>
      inTurn(async () => {
        if (data.length > limits.maxFile) throw tooLarge(path, data.length, limits.maxFile)
        const python = await ready()
        isUsed = true
        await python.request({ do: 'write', path, data: base64(data) })
        attached.set(path, data)
      }),
    listFiles: () => inTurn(async () => filesOf((await (await ready()).request({ do: 'list' })).files)),
    readFile: (path) =>
      inTurn(async () => {
        const { data, failed } = await (await ready()).request({ do: 'read', path, limit: limits.maxFile })
        if (typeof data === 'string') return new Uint8Array(Buffer.from(data, 'base64'))
        throw new PromptError('no-file', {
          where: path,
          problem: String(failed ?? 'it could not be read'),
          fix: 'list the files there are',
        })
      }),
    restart: () =>
      inTurn(async () => {
        attached.clear()
        const python = await ready()
        if (isUsed) await renewed(python)
        isUsed = false
      }),
    async close() {
      isClosed = true
      await current?.close()
    },
  }
}

/** Python takes seconds to start: whoever stops it meanwhile does not wait for it. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result | undefined> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** What the process says, if it has the shape it should have: it comes from where the code ran. */
function outputsOf({ value, error, cut, missing }: { [key: string]: unknown }): CodeOutput[] {
  const outputs: CodeOutput[] = []
  if (typeof value === 'string') outputs.push({ kind: 'value', text: value })
  if (typeof error === 'object' && error !== null) {
    const { name, message, text } = error as Record<string, unknown>
    outputs.push({ kind: 'error', name: String(name), message: String(message), text: String(text).replace(/\n$/, '') })
  }
  if (typeof missing === 'string') outputs.push({ kind: 'note', text: missingModule(missing) })
  if (typeof cut === 'number' && cut > 0) outputs.push({ kind: 'note', text: `the output was too long: ${cut} characters were left out` })
  return outputs
}

function missingModule(name: string): string {
  return `this Python has its standard library only, and ${name.slice(0, 80)} cannot be installed here; a Jupyter server (--jupyter URL) has what is installed there`
}

function filesOf(files: unknown): CodeFile[] {
  if (!Array.isArray(files)) return []
  return files.flatMap((file: unknown) => {
    const { path, size } = (file ?? {}) as Record<string, unknown>
    return typeof path === 'string' && typeof size === 'number' ? [{ path, size }] : []
  })
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
}

function tooLarge(path: string, size: number, limit: number): PromptError {
  return new PromptError('too-large', {
    where: path,
    problem: `the file has ${size} bytes, and at most ${limit} fit`,
    fix: 'attach a smaller file, or raise maxFile',
  })
}
