import { writeSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PyDict, type PyValue, parseJson, stringifyJson } from '@rolecall/core/internal/python'
import {
  type PythonCalls,
  PythonFailure,
  type PythonHost,
  type PythonKind,
  type PythonName,
  type PythonObject,
} from '../../python/host/python-host.ts'
import { packageFile } from '../own-files.ts'
import { findPython } from './find-python.ts'
import { pythonEnvironment } from './python-environment.ts'
import { callSeconds, type PythonReply, type ReportedFailure, type ResultPart } from './python-messages.ts'
import { PythonProcess } from './python-process.ts'

/** What a user's own Python is started with. */
export type PythonWorkerOptions = {
  /** An executable, or an environment's folder; without it, ROLECALL_PYTHON, the active environment or the path names it. */
  python?: string | undefined
  /** Folders that modules are imported from: first the config's. */
  paths: readonly string[]
  /** A checkout of OpenCompass: its folder is the working folder, as it is for OpenCompass. */
  checkout?: string | undefined
  /** Seconds that one call may take. */
  seconds?: number | undefined
  /** Variables of the environment that are passed, besides those that Python needs. */
  environment?: readonly string[] | undefined
}

/** A host that runs users' own classes in their own Python, with their rights: one process for as long as the host is open. */
export class PythonWorkerHost implements PythonHost {
  readonly host = 'python'
  readonly executable: string
  /** Of Python and of packages that determine scores, once the process has started. */
  versions: Readonly<Record<string, string>> = {}
  readonly #process: PythonProcess
  readonly #options: PythonWorkerOptions
  readonly #shownTraces = new Set<string>()

  constructor(options: PythonWorkerOptions) {
    this.#options = options
    this.executable = findPython(options.python)
    const { paths, checkout = '' } = options
    this.#process = new PythonProcess({
      executable: this.executable,
      script: fileURLToPath(packageFile('python/worker.py')),
      paths: paths.map((path) => resolve(path)),
      checkout: checkout === '' ? '' : resolve(checkout),
      folder: resolve(checkout === '' ? (paths[0] ?? '.') : checkout),
      environment: pythonEnvironment(options.environment),
    })
  }

  load<Kind extends PythonKind>(name: PythonName & { kind: Kind }): PythonObject<Kind> {
    const about = this.#ask(name, undefined) as { name: string; file: string; parameters?: readonly string[]; isFunction: boolean }
    return { kind: name.kind, ...about, call: (given: PythonCalls[Kind]) => this.#ask(name, given as PyDict) }
  }

  close(): void {
    this.#process.stop()
  }

  #ask({ kind, name, from }: PythonName, given: PyDict | undefined): PyValue {
    const near = from === undefined ? null : resolve(this.#options.paths[0] ?? '.', from)
    const request = (id: number) => stringifyJson({ id, kind, name, from: near, ...(given === undefined ? {} : { given }) })
    const reply = this.#process.ask(request, this.#options.seconds ?? callSeconds[kind])
    if (reply.kind !== 'done') throw this.#failure(name, reply)
    this.versions = JSON.parse(reply.versions) as Record<string, string>
    return resultOf(reply.parts)
  }

  #failure(object: string, reply: Exclude<PythonReply, { kind: 'done' }>): PythonFailure {
    const where = object
    switch (reply.kind) {
      case 'not-started':
        return new PythonFailure('missing', object, {
          where: this.executable,
          problem: `this Python cannot be started (${reply.problem})`,
          fix: 'name the one that has your packages: --with-python PATH, or ROLECALL_PYTHON',
        })
      case 'stopped': {
        const fix = 'correct the code, or allow more with --python-time; the next call starts a new process'
        return new PythonFailure('stopped', object, { where, problem: reply.problem, fix })
      }
      case 'failed':
        return this.#reported(object, JSON.parse(reply.text) as ReportedFailure)
    }
  }

  #reported(object: string, { reason, exception, message, file, line, column, trace }: ReportedFailure): PythonFailure {
    const shown = file === undefined ? object : `${shortPath(file)}:${line}${column === undefined ? '' : `:${column}`}`
    if (reason === 'raised' && trace !== '') this.#showTrace(`${shown} ${exception}`, trace)
    if (reason === 'stopped')
      return new PythonFailure(reason, object, { where: shown, problem: 'the call was interrupted', fix: 'resume with -r' }, exception)
    const [, lacking] = /^No module named '([^']+)'/.exec(message) ?? []
    const problem = exception === 'Missing' ? message : `${object} raises ${exception}: ${firstLine(message)}`
    const fix =
      lacking === undefined
        ? reason === 'missing'
          ? 'check the name, and that its file is beside the config or in the checkout (--opencompass DIR)'
          : 'correct the code there'
        : `install the package for this Python: ${this.executable} -m pip install ${lacking.split('.')[0]}`
    return new PythonFailure(reason, object, { where: shown, problem, fix }, exception)
  }

  /** The traceback of each failure once: the same line fails for many rows. */
  #showTrace(failure: string, trace: string): void {
    if (this.#shownTraces.has(failure) || this.#shownTraces.size > 20) return
    this.#shownTraces.add(failure)
    writeSync(2, trace.replace(/[^\P{Cc}\n\t]/gu, ''))
  }
}

/** The value of a result; rows by split if there are several. */
function resultOf(parts: readonly ResultPart[]): PyValue {
  const [first] = parts
  if (first === undefined) return null
  if (first.tag === 'value') return parseJson(first.text)
  const splits = new Map<string, PyValue[]>()
  let rows: PyValue[] = []
  for (const { tag, text } of parts) {
    if (tag === 'split') {
      rows = []
      splits.set(String(parseJson(text)), rows)
    } else for (const row of parseJson(text) as readonly PyValue[]) rows.push(row)
  }
  return splits.size === 0 ? rows : splits
}

function firstLine(message: string): string {
  const [first = ''] = message.trim().split('\n')
  return first.length > 300 ? `${first.slice(0, 300)}…` : first
}

function shortPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}
