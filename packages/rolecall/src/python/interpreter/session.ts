import type { Note, NoteCode } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { EntryComments, Module } from '@rolecall/core/internal/python'
import {
  ImportLimitError,
  limitError,
  OriginDict,
  PySet,
  PythonError,
  pythonError,
  Range,
  type SourceLocation,
  showPlace,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import { parseModule } from '../syntax/parse-module.ts'
import type { PackageProgram } from './package-program.ts'
import { insideRoot } from './paths.ts'
import { type ModuleValue, NameRef, type Remarks } from './values.ts'

/** What an import may use before it is stopped. */
export type ImportLimits = {
  /** Expressions and statements that are looked at. */
  steps: number
  /** Characters and items that are made, all in all. */
  memory: number
  /** Bytes that the heap of the process may have, where it is known: what is made may also be kept. */
  heap?: number
  /** Files that import one another. */
  imports: number
  /** Files that are read, each time counted. */
  files: number
  /** Functions that call one another. */
  calls: number
}

const lookEvery = 1 << 25

/** The bytes of the process's heap; 0 in browsers, where it is unknown. */
export function heapUsed(): number {
  const { process } = globalThis as { process?: { memoryUsage?: () => { heapUsed: number } } }
  return process?.memoryUsage?.().heapUsed ?? 0
}

let lastLook = { at: Number.NEGATIVE_INFINITY, bytes: 0 }

/** The same, at most a second old: asking takes longer than a short call does. */
export function recentHeapUsed(): number {
  const now = performance.now()
  if (now - lastLook.at > 1000) lastLook = { at: now, bytes: heapUsed() }
  return lastLook.bytes
}

export const defaultImportLimits: ImportLimits = { steps: 10_000_000, memory: 100_000_000, imports: 20, files: 2_000, calls: 50 }

/** Parsed files, which an import of many files shares. */
export type ModuleCache = Map<string, { text: string; module: Module }>

export type SessionOptions = {
  /** The text of a file by its path from the root, with "/" between folders; undefined if there is none. */
  read: (path: string) => string | undefined
  lenient?: boolean
  /** Functions are run for their results: unsupported code is an error wherever it would decide something. */
  strict?: boolean
  /** Modules besides the standard ones, by name; they take precedence. */
  modules?: ReadonlyMap<string, ModuleValue>
  limits?: Partial<ImportLimits>
  cache?: ModuleCache
  /** Packages whose code is run as Python runs it; files outside of it are config files. */
  program?: PackageProgram
  /** Gets the modules that code goes on without, each with the files whose code that is: they are not here, and it has a handler for that. */
  absent?: Map<string, Set<string>>
}

/** Whether a module is Python's own: only some are here, but every Python has them. */
export function isOfPython(module: string): boolean {
  return ofPython.has(module)
}

const ofPython: ReadonlySet<string> = new Set(
  '__future__ abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'.split(
    ' ',
  ),
)

/** Expressions inside one another; what the parser lets through may be deeper. */
const maxDepth = 800

/** One run of the interpreter: the files it may read, its limits and counters, and its notes. */
export class Session {
  readonly limits: ImportLimits
  readonly lenient: boolean
  readonly strict: boolean
  readonly modules: ReadonlyMap<string, ModuleValue>
  readonly program: PackageProgram | undefined
  readonly notes: Note[] = []
  readonly remarks = new WeakMap<object, Remarks>()
  /** The place of the operation that is being done, for errors that Python's own operations throw. */
  at: SourceLocation = { file: '', line: 1, column: 1 }
  /** Whether a `with read_base():` is open: only there does an absolute import read a file. */
  inBase = 0
  /** The values of the file's `PromptList(…)` calls: conversations as OpenCompass passes them to models. */
  readonly promptLists: Value[] = []
  /** The files that were read. */
  readonly files = new Set<string>()
  readonly importing: string[] = []
  /** `os.environ`: what the config itself puts there. */
  readonly environment = new OriginDict()
  /** The exceptions whose handlers are running. */
  readonly handled: PythonError[] = []
  /** The factories of `defaultdict`s. */
  readonly factories = new WeakMap<object, Value>()
  /** Dicts that are a `Counter`. */
  readonly counters = new WeakSet<object>()
  #names = new Map<string, NameRef>()
  #steps = 0
  #granted = 0
  #memory = 0
  /** The heap is looked at when this many characters and items were made. */
  #nextLook = lookEvery
  #depth = 0
  #tries = 0
  #importGuards = 0
  #calls = 0
  #reads = 0
  #read: SessionOptions['read']
  #cache: ModuleCache
  #absent: Map<string, Set<string>>

  constructor({
    read,
    lenient = false,
    strict = false,
    modules = new Map(),
    program,
    limits,
    cache = new Map(),
    absent = new Map(),
  }: SessionOptions) {
    this.#read = read
    this.lenient = lenient
    this.strict = strict
    this.modules = modules
    this.program = program
    for (const [name, value] of program?.environment ?? []) this.environment.set(name, value)
    this.limits = { ...defaultImportLimits, ...limits }
    this.#cache = cache
    this.#absent = absent
  }

  step(cost = 1): void {
    this.#steps += cost
    if (this.#steps > this.limits.steps + this.#granted) throw limitError(`more than ${this.limits.steps.toLocaleString('en-US')} steps`)
  }

  /** Allows more steps and memory for data that was read: a larger file takes longer. */
  grant(bytes: number): void {
    this.#granted += 4 * bytes
  }

  /** Counts what is made, so that no loop can fill the memory; making it takes time, too. */
  allocate<Made extends Value>(made: Made, size: number): Made {
    this.#memory += size
    this.step(size >> 6)
    if (this.#memory > this.limits.memory + 4 * this.#granted)
      throw new ImportLimitError(this.at, `it makes more than ${this.limits.memory.toLocaleString('en-US')} characters and items`)
    if (this.#memory >= this.#nextLook) this.#lookAtHeap()
    return made
  }

  #lookAtHeap(): void {
    this.#nextLook = this.#memory + lookEvery
    const { heap = Number.POSITIVE_INFINITY } = this.limits
    if (heapUsed() > heap)
      throw new ImportLimitError(this.at, `it needs more than ${Math.round(heap / 1e6).toLocaleString('en-US')} MB of memory`)
  }

  /** A text or list that an operation made, counted. */
  made(value: Value): Value {
    if (typeof value === 'string') return this.allocate(value, value.length)
    if (Array.isArray(value)) return this.allocate(value as readonly Value[], value.length)
    return value
  }

  enter(place: SourceLocation): void {
    if (++this.#depth > maxDepth) throw new ImportLimitError(place, `expressions are more than ${maxDepth} levels deep`)
  }

  leave(): void {
    this.#depth--
  }

  /** Whether unsupported code is skipped here: not if the config itself has a fallback. */
  get isLenientHere(): boolean {
    // A function that is run for its result is interpreted strictly; the code around it may be skipped.
    return this.lenient && this.#tries === 0 && !(this.strict && this.#calls > 0)
  }

  /** Runs the body of a `try`, whose errors are for its handlers. */
  trying<Result>(run: () => Result): Result {
    this.#tries++
    try {
      return run()
    } finally {
      this.#tries--
    }
  }

  /** Runs the body of a `try` that has a handler for missing modules. */
  guardingImports<Result>(run: () => Result): Result {
    this.#importGuards++
    try {
      return this.trying(run)
    } finally {
      this.#importGuards--
    }
  }

  /** Runs a module, wherever the code is that imports it. */
  atModuleLevel<Result>(run: () => Result): Result {
    const [tries, calls] = [this.#tries, this.#calls]
    this.#tries = 0
    this.#calls = 0
    try {
      return run()
    } finally {
      this.#tries = tries
      this.#calls = calls
    }
  }

  /** Raises Python's exception for a package that is not here, if the code has a handler for it. */
  missModule(module: string): void {
    const [name = ''] = module.split('.')
    // A program goes on as with the package, and stops where it uses it: what it does without it may differ.
    if (this.program !== undefined) return
    if (this.#importGuards === 0 || ofPython.has(name)) return
    this.#absent.set(name, (this.#absent.get(name) ?? new Set()).add(this.at.file))
    throw new PythonError('ModuleNotFoundError', `No module named '${name}'`)
  }

  /** Runs something, passes its error to `onError`, and restores the depth. */
  attempt<Result>(run: () => Result, onError: (error: PromptError) => Result): Result {
    const [depth, base] = [this.#depth, this.inBase]
    try {
      return run()
    } catch (thrown) {
      const error = this.explain(thrown)
      if (!(error instanceof PromptError) || error instanceof ImportLimitError) throw error
      this.#depth = depth
      this.inBase = base
      return onError(error)
    }
  }

  /** Runs something whose errors the caller catches, and restores the depth. */
  keepingDepth<Result>(run: () => Result): Result {
    const [depth, calls] = [this.#depth, this.#calls]
    try {
      return run()
    } finally {
      this.#depth = depth
      this.#calls = calls
    }
  }

  call<Result>(place: SourceLocation, run: () => Result): Result {
    if (++this.#calls > this.limits.calls)
      throw new ImportLimitError(place, `there are more than ${this.limits.calls} calls inside one another`)
    try {
      return run()
    } finally {
      this.#calls--
    }
  }

  /** Looks through a value before an operation that takes time in proportion to it: lists that share parts can be huge when written out. */
  measure(value: Value, depth = 0): void {
    if (typeof value === 'string') this.step(value.length >> 6)
    if (typeof value !== 'object' || value === null) return
    if (value instanceof Range) this.step(value.length)
    if (depth > 200) throw new ImportLimitError(this.at, 'a value is more than 200 levels deep')
    const items = Array.isArray(value)
      ? (value as readonly Value[])
      : value instanceof Tuple
        ? value.items
        : value instanceof PySet
          ? value.items
          : value instanceof Map
            ? ([...value.values()] as Value[])
            : undefined
    if (items === undefined) return
    this.step(items.length + 1)
    for (const item of items) this.measure(item, depth + 1)
  }

  /** The same name is the same object, as a class is. */
  name(name: string, path: string, declared: boolean): NameRef {
    const key = `${declared} ${path}`
    let found = this.#names.get(key)
    if (found === undefined) {
      found = new NameRef(name, path, declared)
      this.#names.set(key, found)
    }
    return found
  }

  note(code: NoteCode, text: string, at: SourceLocation): void {
    const where = showPlace(at)
    if (!this.notes.some((note) => note.code === code && note.where === where && note.text === text)) this.notes.push({ code, text, where })
  }

  remark(container: object, key: Value, remark: EntryComments | undefined): void {
    if (remark === undefined) return
    const known = this.remarks.get(container)
    if (known) known.set(key, remark)
    else this.remarks.set(container, new Map([[key, remark]]))
  }

  /** The text of a file inside the root. */
  readText(path: string): string | undefined {
    const { program } = this
    if (program === undefined) return this.#readText(path)
    if (!program.texts.has(path)) program.texts.set(path, insideRoot(path) === path ? this.#read(path) : undefined)
    return program.texts.get(path)
  }

  #readText(path: string): string | undefined {
    if (++this.#reads > this.limits.files) throw new ImportLimitError(this.at, `it reads more than ${this.limits.files} files`)
    const text = insideRoot(path) === path ? this.#read(path) : undefined
    if (text !== undefined) this.files.add(path)
    return text
  }

  /** A config file as a tree; undefined if there is none. */
  readModule(path: string): Module | undefined {
    const text = this.readText(path)
    if (text === undefined) return undefined
    // A file that is read leniently is another tree.
    const key = this.lenient ? `${path} (lenient)` : path
    const known = this.#cache.get(key)
    if (known !== undefined && known.text === text) return known.module
    const module = parseModule(text, path, this.lenient)
    this.#cache.set(key, { text, module })
    return module
  }

  /** What Python's operations throw, as an error with its place. */
  explain(error: unknown): unknown {
    if (error instanceof PythonError) {
      if (error.type === 'LimitError') return new ImportLimitError(this.at, `it needs ${error.message}`)
      return pythonError(this.at, `Python would stop here (${error.type}: ${error.message})`, 'correct it')
    }
    // A stack that ran out in spite of the limits is one more limit.
    if (error instanceof RangeError) return new ImportLimitError(this.at, 'it is nested too deeply')
    return error
  }
}
