import { check, PromptError } from '@rolecall/core/internal/errors'
import type { CodeFile, CodeOptions, CodeOutput, CodeResult, Interpreter } from '../../../model/agent/interpreter.ts'
import { findRuntime } from './find-runtime.ts'
import { type PythonSandboxOptions, sandboxLimitsSchema } from './sandbox-limits.ts'
import { type Message, SandboxEnded, SandboxProcess } from './sandbox-process.ts'

export type { PythonSandboxOptions }

/** An interpreter isolated from the machine. */
export type PythonSandbox = Interpreter & {
  /** The pid of the Python process, if it runs. */
  readonly pid: number | undefined
}

const where = 'the Python sandbox'

/**
 * Python for a model's code, isolated from this machine: pyodide in a separate process, under Deno without permissions. Code cannot run
 * programs, access the machine's files or environment, or reach a network; memory, time and output are limited, and it runs only while a
 * result is awaited. A restart restores Python's initial memory, or starts a new process if code has changed more than memory. Only Python's
 * standard library is available. Needs the optional packages `deno` and `pyodide`.
 */
export function pythonSandbox(options: PythonSandboxOptions = {}): PythonSandbox {
  const limits = check(sandboxLimitsSchema, options, 'pythonSandbox › ')
  const attached = new Map<string, Uint8Array>()
  const processes = new Set<SandboxProcess>()
  let current: SandboxProcess | undefined
  let starting: Promise<SandboxProcess> | undefined
  /** The next process, started in advance once a second process was needed. */
  let spare: SandboxProcess | undefined
  let keepsSpare = false
  let isClosed = false
  /** Whether code has run or files were added since the start. */
  let isUsed = false
  let last: Promise<unknown> = Promise.resolve()
  // Fails immediately if a package is missing, not when the model has written its code.
  findRuntime()

  function launch(): SandboxProcess {
    const launched = new SandboxProcess(limits)
    processes.add(launched)
    launched.ended.then(() => processes.delete(launched))
    return launched
  }

  /** A ready process with the user's attached files. */
  function ready(): Promise<SandboxProcess> {
    if (isClosed) return Promise.reject(closed())
    if (current && starting && !current.isOver) return starting
    const next = spare && !spare.isOver ? spare : launch()
    current = next
    spare = undefined
    isUsed = attached.size > 0
    starting = next.ready
      .then(async () => {
        for (const [path, data] of attached) await next.request({ do: 'write', path, data: base64(data) }, fileCall)
        return next
      })
      .catch((error: unknown) => {
        throw isClosed ? closed() : asPromptError(error)
      })
    starting.catch(() => undefined)
    return starting
  }

  function use(): void {
    isUsed = true
    if (keepsSpare && (!spare || spare.isOver)) spare = launch()
  }

  const fileCall = { limit: limits.fileLimit, overdue: `a file call took more than ${seconds(limits.fileLimit)}` }

  async function askFiles(work: Message): Promise<Message> {
    const python = await ready()
    try {
      return await python.request(work, fileCall)
    } catch (error) {
      throw asPromptError(error)
    }
  }

  /** Tries to restore Python's initial state, which works if code has changed only Python's memory. */
  async function restored(python: SandboxProcess): Promise<boolean> {
    if (python.isOver) return false
    try {
      return (await python.request({ do: 'restore' }, fileCall)).restored === true
    } catch (error) {
      if (error instanceof SandboxEnded) return false
      throw error
    }
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }

  async function run(code: string, { signal, onOutput, limit: softLimit = limits.softLimit }: CodeOptions = {}): Promise<CodeResult> {
    const outputs: CodeOutput[] = []
    const add = (output: CodeOutput) => {
      outputs.push(output)
      onOutput?.(output)
    }
    const startedAnew = (why: string | undefined) => {
      const files = attached.size === 0 ? '' : '; the attached files are put back'
      add({ kind: 'note', text: `Python had to be started anew: ${why}. Variables and files are gone${files}` })
    }
    const lost = isUsed && current?.isOver ? current : undefined
    const python = await unlessAborted(ready(), signal)
    if (python === undefined || signal?.aborted) return { ok: false, outputs: [{ kind: 'note', text: 'not run: it was stopped before' }] }
    use()
    if (lost) startedAnew(lost.why)
    const restarted = lost ? { restarted: true as const } : {}
    const timers: ReturnType<typeof setTimeout>[] = []
    const stop = () => {
      python.interrupt()
      timers.push(setTimeout(() => python.kill('it was stopped, and did not stop by itself'), limits.grace))
    }
    signal?.addEventListener('abort', stop, { once: true })
    const printed = capped(limits.maxOutput)
    const limit = softLimit + limits.grace
    try {
      const done = await python.request(
        { do: 'run', code, softLimit },
        {
          limit,
          overdue: `it ran for ${seconds(limit)} and did not stop when it was interrupted`,
          onOutput({ stream, text }) {
            const kept = typeof text === 'string' ? printed.take(text) : ''
            if (kept !== '') add({ kind: 'text', stream: stream === 'stderr' ? 'stderr' : 'stdout', text: kept })
          },
        },
      )
      for (const output of outputsOf(done, limits.maxOutput, printed.cut)) add(output)
      if (done.interrupted === true)
        add({
          kind: 'note',
          text: `${signal?.aborted ? 'stopped by the user' : `interrupted after ${seconds(softLimit)}`}; variables are kept`,
        })
      return { ok: done.error === undefined && done.interrupted !== true, outputs, ...restarted }
    } catch (error) {
      if (!(error instanceof SandboxEnded)) throw error
      startedAnew(error.message)
      // Starts in the background, while the model continues.
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
        await askFiles({ do: 'write', path, data: base64(data) })
        use()
        attached.set(path, data)
      }),
    listFiles: () => inTurn(async () => filesOf((await askFiles({ do: 'list' })).files, limits.maxFiles)),
    readFile: (path) =>
      inTurn(async () => {
        const { data, failed } = await askFiles({ do: 'read', path, limit: limits.maxFile })
        const bytes = typeof data === 'string' ? new Uint8Array(Buffer.from(data, 'base64')) : undefined
        if (bytes && bytes.length <= limits.maxFile) return bytes
        throw new PromptError('no-file', {
          where: path,
          problem: String(failed ?? 'it could not be read'),
          fix: 'list the existing files first',
        })
      }),
    restart: () =>
      inTurn(async () => {
        const hadFiles = attached.size > 0
        attached.clear()
        if (isUsed && !hadFiles && current && (await restored(current))) {
          isUsed = false
          return
        }
        keepsSpare = true
        const used = isUsed ? current : undefined
        used?.kill('it was restarted')
        // The old process has ended before the new one is used.
        await Promise.all([used?.close(), ready()])
      }),
    async close() {
      isClosed = true
      await Promise.all([...processes].map((process) => process.close()))
    },
  }
}

function closed(): PromptError {
  return new PromptError('closed', { where, problem: 'it is closed', fix: 'make a new one' })
}

/** Converts the end of the process into an error for file calls. */
function asPromptError(error: unknown): unknown {
  if (!(error instanceof SandboxEnded)) return error
  const fix = 'try again: Python restarts, and what code had created is gone'
  return new PromptError('python-ended', { where, problem: `Python was ended: ${error.message}`, fix })
}

/** Resolves to undefined on abort, so that aborting does not wait for Python to start. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result | undefined> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Keeps output up to a limit and counts the rest. Python limits it too, but code can change Python. */
function capped(limit: number) {
  let left = limit
  return {
    cut: 0,
    take(text: string): string {
      const kept = text.slice(0, left)
      left -= kept.length
      this.cut += text.length - kept.length
      return kept
    },
  }
}

/** The outputs in a reply, after checks, because the reply comes from where the code ran. */
function outputsOf({ value, error, cut, missing }: Message, limit: number, alreadyCut: number): CodeOutput[] {
  const outputs: CodeOutput[] = []
  if (typeof value === 'string') outputs.push({ kind: 'value', text: value.slice(0, limit) })
  if (typeof error === 'object' && error !== null) {
    const [name, message, text] = ['name', 'message', 'text'].map((key) => String((error as Message)[key]).slice(0, limit))
    outputs.push({ kind: 'error', name: name!, message: message!, text: text!.replace(/\n$/, '') })
  }
  if (typeof missing === 'string') outputs.push({ kind: 'note', text: missingModule(missing) })
  const leftOut = alreadyCut + (typeof cut === 'number' && Number.isSafeInteger(cut) && cut > 0 ? cut : 0)
  if (leftOut > 0) outputs.push({ kind: 'note', text: `the output was too long: ${leftOut} characters were left out` })
  return outputs
}

function missingModule(name: string): string {
  return `this Python has its standard library only, and ${name.slice(0, 80)} cannot be installed here; a Jupyter server (--jupyter URL) has what is installed there`
}

function filesOf(files: unknown, most: number): CodeFile[] {
  if (!Array.isArray(files)) return []
  return files.slice(0, most).flatMap((file: unknown) => {
    const { path, size } = (file ?? {}) as Record<string, unknown>
    return typeof path === 'string' && typeof size === 'number' ? [{ path, size }] : []
  })
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`
}

function tooLarge(path: string, size: number, limit: number): PromptError {
  return new PromptError('too-large', {
    where: path,
    problem: `the file has ${size} bytes; the limit is ${limit}`,
    fix: 'attach a smaller file, or raise maxFile',
  })
}
