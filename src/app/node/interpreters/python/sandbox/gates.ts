/**
 * Tells whether code has changed anything but Python's memory. Python is WebAssembly: beyond its memory it does nothing by itself,
 * it calls functions that it was given. Those that only tell something (the time, what is in a file) are listed here. All others
 * close a latch before they act, and nothing opens it again: what follows may be JavaScript of the code's own, and is not believed.
 */

type Import = ((...values: never[]) => unknown) & { sig?: string }
type Imports = Record<string, Record<string, unknown>>
type Instance = { exports: Record<string, unknown> }
type Suspending = new (call: Import) => object
type WebAssemblyLike = {
  instantiate(source: unknown, imports?: Imports): Promise<Instance | { instance: Instance }>
  instantiateStreaming(source: unknown, imports?: Imports): Promise<{ instance: Instance }>
  Suspending?: Suspending
}

/** Whether a call with these arguments leaves everything as it was, but for Python's memory and its open files. */
type Harmless = (...values: number[]) => boolean

const always: Harmless = () => true

/** O_NOCTTY, O_NONBLOCK, O_LARGEFILE, O_DIRECTORY, O_NOFOLLOW and O_CLOEXEC: a file that is opened with these alone is only read. */
const readingFlags = 0o400 | 0o4000 | 0o100000 | 0o200000 | 0o400000 | 0o2000000

/** Whatever is not here is taken for harmful. */
const harmless: Readonly<Record<string, Harmless>> = {
  // Files, as far as they are read. What is written to a file that was opened for reading is an error.
  __syscall_openat: (_folder, _path, flags) => (flags! & ~readingFlags) === 0,
  __syscall_getcwd: always,
  __syscall_stat64: always,
  __syscall_lstat64: always,
  __syscall_fstat64: always,
  __syscall_newfstatat: always,
  __syscall_faccessat: always,
  __syscall_readlinkat: always,
  __syscall_getdents64: always,
  // F_GETFD, F_SETFD, F_GETFL. F_SETFL could make a file that is only read one that is written.
  __syscall_fcntl64: (_file, command) => command! >= 1 && command! <= 3,
  fd_read: always,
  fd_pread: always,
  fd_seek: always,
  fd_close: always,
  fd_fdstat_get: always,
  // To what is open from the start: what code prints.
  fd_write: always,
  environ_get: always,
  environ_sizes_get: always,

  // Time, random numbers, memory, interruptions
  clock_time_get: always,
  clock_res_get: always,
  emscripten_get_now: always,
  emscripten_date_now: always,
  _localtime_js: always,
  _gmtime_js: always,
  _mktime_js: always,
  _timegm_js: always,
  _tzset_js: always,
  random_get: always,
  emscripten_resize_heap: always,
  emscripten_get_heap_max: always,
  _Py_CheckEmscriptenSignals_Helper: always,
  can_run_sync_js: always,

  // Functions of WebAssembly that pyodide adds: whether a value is the one that stands for an error, and that value
  JsvError_Check: always,
  Jsv_GetError_import: always,
}

export type Gates = {
  /** What Python's WebAssembly has for others to call, once it is loaded. */
  exports(): Readonly<Record<string, unknown>>
  /** From now on what is called closes the latch: Python is loaded, and code comes. */
  guard(): void
  /** For what is done on the host's behalf and cannot be undone. */
  close(): void
}

/** Must be called before Python is loaded. The runner reads the latch, which nobody else here has. */
export function watchCalls(latch: Uint8Array): Gates {
  const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly
  let isGuarded = false
  let exported: Instance['exports'] | undefined
  const gates = new Map<Import, Import>()

  const close = () => {
    latch[0] = 1
  }

  const gateOf = (call: Import, isHarmless: Harmless | undefined): Import => {
    // A function has one place in the table of functions, whatever its names: a snapshot tells functions by their places.
    const known = gates.get(call)
    if (known) return known
    const gate = (...values: never[]) => {
      if (isGuarded && !isHarmless?.(...values)) {
        isGuarded = false
        close()
      }
      return call(...values)
    }
    const made = Object.assign(gate, call)
    gates.set(call, made)
    return made
  }

  const gated = (imports: Imports | undefined) => {
    if (exported !== undefined || imports?.env === undefined) return false
    for (const group of new Set([imports.env, imports.wasi_snapshot_preview1 ?? {}]))
      for (const [name, call] of Object.entries(group)) {
        if (typeof call !== 'function' || name.startsWith('emscripten_math_') || harmless[name] === always) continue
        group[name] = gateOf(call as Import, harmless[name])
      }
    return true
  }

  const { instantiate, instantiateStreaming, Suspending } = webAssembly
  webAssembly.instantiate = async (source, imports) => {
    const isPython = gated(imports)
    const made = await instantiate(source, imports)
    if (isPython) exported = ('instance' in made ? made.instance : made).exports
    return made
  }
  webAssembly.instantiateStreaming = async (source, imports) => {
    const isPython = gated(imports)
    const made = await instantiateStreaming(source, imports)
    if (isPython) exported = made.instance.exports
    return made
  }
  if (Suspending) webAssembly.Suspending = suspending(Suspending, (call) => gateOf(call, undefined))

  return {
    exports: () => exported ?? {},
    guard() {
      isGuarded = latch[0] === 0
    },
    close,
  }
}

/** Only an instance of the real class can be given to WebAssembly. */
function suspending(real: Suspending, gateOf: (call: Import) => Import): Suspending {
  return new Proxy(real, { construct: (target, [call]) => new target(gateOf(call as Import)) })
}
