/** The thread that holds Python, inside Deno. Once Python is loaded, the one permission there was, reading its files, is given up. */
import { fromBase64, toBase64 } from './base64.ts'

type Stream = { write(bytes: Uint8Array): number; isatty: boolean }
type Python = {
  setStdout(stream: Stream): void
  setStderr(stream: Stream): void
  setStdin(source: { stdin(): null; isatty: boolean }): void
  setInterruptBuffer(buffer: Uint8Array): void
  runPython(code: string): unknown
  /** Where it was loaded to make one. */
  makeMemorySnapshot?(): Uint8Array
  globals: { set(name: string, value: unknown): void }
  FS: {
    writeFile(path: string, data: Uint8Array): void
    readFile(path: string): Uint8Array
    mkdirTree(path: string): void
    readdir(path: string): string[]
    stat(path: string): { mode: number; size: number }
    lstat(path: string): { mode: number; size: number }
    isDir(mode: number): boolean
    isFile(mode: number): boolean
    isLink(mode: number): boolean
  }
}
type PythonResult = { toJs(): unknown[]; destroy(): void } | undefined
declare const Deno: { permissions: { revoke(permission: { name: string }): Promise<unknown> } }
declare const self: {
  postMessage(message: unknown): void
  addEventListener(type: 'unhandledrejection', listener: (event: { preventDefault(): void }) => void): void
  onmessage: (event: { data: Work }) => void
}

/** The token of a request goes back with its answer. */
type Work = { token?: string } & (
  | { do: 'load'; folder: string; makesSnapshot: true }
  | {
      do: 'load'
      folder: string
      makesSnapshot?: never
      interrupt: SharedArrayBuffer
      maxOutput: number
      maxFiles: number
      snapshot?: Uint8Array
    }
  | { do: 'run'; code: string }
  | { do: 'write'; path: string; data: string }
  | { do: 'read'; path: string; limit: number }
  | { do: 'list' }
)

const home = '/home/pyodide'
const flushAfter = 50
const flushAbove = 4096

/** How a notebook runs a cell: the value of the last expression, tracebacks that start in the cell, and `_` for the last value. */
const cellRunner = `
def _make_cell_runner():
    import ast, builtins, inspect, linecache, time, traceback
    from pyodide.code import CodeRunner
    names = {'__name__': '__main__', '__builtins__': builtins}
    count = 0
    rest = time.sleep

    def sleep(seconds):
        # In one go it could not be interrupted.
        if not seconds > 0:
            return rest(seconds)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            rest(min(left, 0.02))

    time.sleep = sleep

    def show(value):
        if value is None:
            return []
        names['_'] = value
        return ['value', repr(value)]

    def describe(error, cell):
        kind = type(error).__name__
        try:
            place = error.__traceback__
            while place is not None and place.tb_frame.f_code.co_filename != cell:
                place = place.tb_next
            missing = error.name if isinstance(error, ModuleNotFoundError) else None
            if missing:
                error.msg = f'No module named {missing!r}'
                error.args = (error.msg,)
            text = ''.join(traceback.format_exception(type(error), error, place))
            return ['error', kind, str(error), text, missing]
        except BaseException as other:
            return ['error', kind, '', f'{kind} (its description failed: {type(other).__name__})', None]

    async def run_async(code, cell):
        try:
            return show(await code.run_async(names))
        except BaseException as error:
            return describe(error, cell)

    def run(code):
        nonlocal count
        count += 1
        cell = f'<cell {count}>'
        linecache.cache[cell] = (len(code), None, code.splitlines(True), cell)
        try:
            compiled = CodeRunner(code, filename=cell, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT).compile()
            # What does not wait runs outside of the event loop, where an interruption goes to the code and nowhere else.
            if compiled.code and compiled.code.co_flags & inspect.CO_COROUTINE:
                return run_async(compiled, cell)
            return show(compiled.run(names))
        except BaseException as error:
            return describe(error, cell)

    return run

_run_cell = _make_cell_runner()
`

let python: Python
let maxOutput = 0
let maxFiles = 0
let left = 0
let cut = 0

self.onmessage = async ({ data }) => {
  try {
    if (data.do === 'load') await load(data)
    else self.postMessage({ done: await work(data), token: data.token })
  } catch (error) {
    // Python has died, or was never there: only a new process helps.
    self.postMessage({ fatal: String(error).slice(0, 2000) })
  }
}

/** A promise that nobody waits for may fail: that is the code's own affair, unless Python has died of it. */
self.addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  try {
    python.runPython('0')
  } catch (error) {
    self.postMessage({ fatal: String(error).slice(0, 2000) })
  }
})

async function load(options: Work & { do: 'load' }): Promise<void> {
  const { folder } = options
  const { loadPyodide } = (await import(`file://${folder}/pyodide.mjs`)) as { loadPyodide(options: object): Promise<Python> }
  const snapshot = options.makesSnapshot ? undefined : options.snapshot
  const how = snapshot ? { _loadSnapshot: snapshot } : options.makesSnapshot ? { _makeSnapshot: true } : {}
  python = await loadPyodide({ indexURL: `${folder}/`, ...how })
  for (const name of ['read', 'write', 'net', 'env', 'run', 'ffi', 'sys', 'import']) await Deno.permissions.revoke({ name })
  // A snapshot holds what Python has loaded: what every cell needs is in it.
  if (!snapshot) python.runPython(cellRunner)
  // So is the state of its random numbers, which would be the same in every Python.
  else python.runPython('import random\nrandom.seed()\ndel random')
  if (options.makesSnapshot) {
    self.postMessage({ snapshot: python.makeMemorySnapshot!() })
    return
  }
  python.setInterruptBuffer(new Uint8Array(options.interrupt))
  python.setStdin({ stdin: () => null, isatty: false })
  ;({ maxOutput, maxFiles } = options)
  self.postMessage({ ready: true })
}

async function work(request: Exclude<Work, { do: 'load' }>): Promise<object> {
  switch (request.do) {
    case 'run':
      return run(request.code)
    case 'write': {
      const path = inHome(request.path)
      python.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')))
      python.FS.writeFile(path, fromBase64(request.data))
      return {}
    }
    case 'read':
      return read(inHome(request.path), request.limit)
    case 'list':
      return { files: listFiles(home, '', []) }
    default:
      return request satisfies never
  }
}

async function run(code: string): Promise<object> {
  left = maxOutput
  cut = 0
  const streams = [capture('stdout'), capture('stderr')]
  python.setStdout(streams[0]!)
  python.setStderr(streams[1]!)
  python.globals.set('_code', code)
  // Only what is run in this way can be interrupted.
  const result = await (python.runPython('_run_cell(_code)') as PythonResult | Promise<PythonResult>)
  // Code always gives a list back: a Python that gives nothing has died of it.
  if (result === undefined) throw new Error('Python gave nothing back')
  const [kind, ...rest] = result.toJs() as [string?, ...(string | null)[]]
  result.destroy()
  for (const stream of streams) stream.flush()
  const missing = typeof rest[3] === 'string' ? { missing: rest[3] } : {}
  if (kind === 'error') return { error: { name: rest[0], message: short(rest[1] ?? ''), text: short(rest[2] ?? '') }, cut, ...missing }
  return { ...(kind === 'value' ? { value: short(rest[0] ?? '') } : {}), cut }
}

function short(text: string): string {
  if (text.length <= maxOutput) return text
  cut += text.length - maxOutput
  return text.slice(0, maxOutput)
}

/** What is printed, in chunks rather than in single writes; what is beyond the limit is only counted. */
function capture(stream: 'stdout' | 'stderr'): Stream & { flush(): void } {
  const decoder = new TextDecoder()
  let held = ''
  let last = performance.now()
  const flush = () => {
    if (held !== '') self.postMessage({ output: { stream, text: held } })
    held = ''
    last = performance.now()
  }
  return {
    isatty: false,
    flush,
    write(bytes) {
      if (left <= 0) cut += bytes.length
      else {
        const text = decoder.decode(bytes, { stream: true })
        held += text.slice(0, left)
        if (text.length > left) cut += text.length - left
        left -= text.length
        if (held.length > flushAbove || performance.now() - last > flushAfter) flush()
      }
      return bytes.length
    },
  }
}

function inHome(path: string): string {
  return path.startsWith('/') ? path : `${home}/${path}`
}

function read(path: string, limit: number): object {
  let size: number
  try {
    size = python.FS.stat(path).size
  } catch {
    return { failed: 'there is no such file' }
  }
  if (size > limit) return { failed: `the file has ${size} bytes, and at most ${limit} are fetched` }
  return { data: toBase64(python.FS.readFile(path)) }
}

/** Links are listed as the files they lead to; folders behind links may lead in a circle. */
function listFiles(folder: string, prefix: string, found: { path: string; size: number }[]): { path: string; size: number }[] {
  for (const name of python.FS.readdir(folder)) {
    if (name === '.' || name === '..' || found.length >= maxFiles) continue
    const path = `${folder}/${name}`
    const own = python.FS.lstat(path)
    if (python.FS.isDir(own.mode)) listFiles(path, `${prefix}${name}/`, found)
    const file = python.FS.isLink(own.mode) ? targetOf(path) : own
    if (file && python.FS.isFile(file.mode)) found.push({ path: prefix + name, size: file.size })
  }
  return found
}

function targetOf(link: string): { mode: number; size: number } | undefined {
  try {
    return python.FS.stat(link)
  } catch {
    return undefined // it leads nowhere
  }
}
