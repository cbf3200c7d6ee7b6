/**
 * Detects whether code has changed anything but Python's memory. Python is WebAssembly: outside its memory, it can only call imported
 * functions. Functions that only return information (the time, the contents of a file) are listed here. All others close a latch before they
 * act, and nothing opens it again: from then on, JavaScript written by the code may run, so the thread is not trusted.
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

/** Whether a call with these arguments changes nothing but Python's memory and its open files. */
type Harmless = (...values: number[]) => boolean

const always: Harmless = () => true

/** O_NOCTTY, O_NONBLOCK, O_LARGEFILE, O_DIRECTORY, O_NOFOLLOW and O_CLOEXEC: a file opened with only these flags is read-only. */
const readingFlags = 0o400 | 0o4000 | 0o100000 | 0o200000 | 0o400000 | 0o2000000

/** Functions not listed here count as harmful. */
const harmless: Readonly<Record<string, Harmless>> = {
  // Reading files. Writing to a file opened for reading is an error.
  __syscall_openat: (_folder, _path, flags) => (flags & ~readingFlags) === 0,
  __syscall_getcwd: always,
  __syscall_stat64: always,
  __syscall_lstat64: always,
  __syscall_fstat64: always,
  __syscall_newfstatat: always,
  __syscall_faccessat: always,
  __syscall_readlinkat: always,
  __syscall_getdents64: always,
  // F_GETFD, F_SETFD, F_GETFL. F_SETFL could make a read-only file writable.
  __syscall_fcntl64: (_file, command) => command >= 1 && command <= 3,
  fd_read: always,
  fd_pread: always,
  fd_seek: always,
  fd_close: always,
  fd_fdstat_get: always,
  // Writing to the standard streams: printed output.
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

  // WebAssembly functions added by pyodide: the error sentinel, and a check for it
  JsvError_Check: always,
  Jsv_GetError_import: always,
}

export type Gates = {
  /** The exports of Python's WebAssembly, once loaded. */
  exports(): Readonly<Record<string, unknown>>
  /** Arms the latch, once Python is loaded and before code runs. */
  guard(): void
  /** Closes the latch for irreversible work on the host's behalf. */
  close(): void
}

/** Must be called before Python is loaded. Only the runner reads the latch. */
export function watchCalls(latch: Uint8Array): Gates {
  // Deno runs this file: Node's global types, which the build uses, do not declare WebAssembly.
  const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly
  let isGuarded = false
  let exported: Instance['exports'] | undefined
  const gates = new Map<Import, Import>()

  const close = () => {
    latch[0] = 1
  }

  const gateOf = (call: Import, isHarmless: Harmless | undefined): Import => {
    // A function keeps one slot in the function table whatever its names, because a snapshot refers to functions by slot.
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

/** WebAssembly accepts only instances of the real class. */
function suspending(real: Suspending, gateOf: (call: Import) => Import): Suspending {
  return new Proxy(real, { construct: (target, [call]) => new target(gateOf(call as Import)) })
}
