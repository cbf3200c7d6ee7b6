import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictFromEntries,
  ImportLimitError,
  type Kwargs,
  metered,
  type PyDict,
  PythonError,
  type PyValue,
  showPlace,
  typeError,
  typeName,
  type Value,
} from '@rolecall/core/internal/python'
import type { PythonCalls, PythonHost, PythonKind, PythonName, PythonObject, Sooner } from '../../python/host/python-host.ts'
import { PythonFailure, takesAll } from '../../python/host/python-host.ts'
import { attributeOf } from '../../python/interpreter/access.ts'
import { call } from '../../python/interpreter/call.ts'
import { DecoratedMethod, Instance, UserClass } from '../../python/interpreter/classes.ts'
import { newDict } from '../../python/interpreter/containers.ts'
import { toMutable } from '../../python/interpreter/convert.ts'
import { moduleOfProgram, nameInModule } from '../../python/interpreter/import-package.ts'
import { type DataFiles, PackageProgram } from '../../python/interpreter/package-program.ts'
import { Scope } from '../../python/interpreter/scope.ts'
import { type ImportLimits, type ModuleCache, recentHeapUsed, Session } from '../../python/interpreter/session.ts'
import { Builtin, type ModuleValue, UserFunction } from '../../python/interpreter/values.ts'
import { datasetFromList } from '../lm-eval/python/dataset-value.ts'
import type { DataArchive } from '../opencompass/loaders/files.ts'
import type { Splits, Table } from '../opencompass/loaders/table.ts'
import { type ArchiveRequest, DataNeeded, type DataRequest } from './data-request.ts'
import { type DatasetRequest, tablesOf } from './dataset-modules.ts'
import { DatasetObject } from './dataset-object.ts'
import { packageOf, programModules } from './program-modules.ts'
import { type CodeFiles, RegisteredNames } from './registered-names.ts'
import { resultOf } from './result-of.ts'
import { rowsAsDataset, wereRead } from './rows-as-dataset.ts'

/** What the interpreter runs: code by its path from the root, and the data that it may read. */
export type InterpreterSources = CodeFiles & {
  data: DataFiles
  environment?: ReadonlyMap<string, string>
  /** Parsed files, which several hosts may share. */
  cache?: ModuleCache
  /** How to get the code that is missing, if a checkout is. */
  hint?: string
  /** The rows that `load_dataset` gives. */
  loadDataset?(request: DatasetRequest): Promise<Splits>
  /** Fetches an archive of OpenCompass's data; false if nothing may be downloaded. */
  download?(archive: DataArchive): Promise<boolean>
}

/** The limits of one call, about two seconds and 300 MB; more for more answers. Loading a module is part of the call that first needs it. */
function limitsFor(items: number): ImportLimits {
  return {
    ...{ steps: 5_000_000 + 3_000 * items, memory: 15_000_000 + 50_000 * items, heap: recentHeapUsed() + 600_000_000 },
    ...{ imports: 60, files: 5_000, calls: 200 },
  }
}

/** What was stopped this often is not called again. */
const mostStopped = 2

/** The most that a call asks `load_dataset` for. */
const mostLoads = 50

/** Runs users' own classes and functions in the interpreter: nothing is executed by Python, and only `sources` are read. */
export class InterpreterHost implements PythonHost {
  readonly host = 'interpreter'
  readonly #sources: InterpreterSources
  readonly #program: PackageProgram
  readonly #modules: ReadonlyMap<string, ModuleValue>
  readonly #cache: ModuleCache
  readonly #registered: RegisteredNames
  readonly #loaded = new Map<string, Splits>()
  readonly #downloaded = new Set<string>()
  /** The failures of what did not end. */
  readonly #stopped = new Map<string, readonly PythonFailure[]>()

  constructor(sources: InterpreterSources) {
    this.#sources = sources
    this.#cache = sources.cache ?? new Map()
    const { data, environment = new Map() } = sources
    this.#program = new PackageProgram({ data, environment })
    this.#registered = new RegisteredNames(sources)
    const modules = programModules({
      loaded: (request) => this.#loaded.get(JSON.stringify(request)),
      find: (session, name) => this.#registered.find(session, name),
      isDownloaded: (archive) => this.#downloaded.has(archive),
    })
    this.#modules = new Map(modules.map((module) => [module.name, module]))
  }

  load<Kind extends PythonKind>(name: PythonName & { kind: Kind }): PythonObject<Kind> {
    const { value, isRegistered } = this.#run(name.name, (session) => this.#find(session, name))
    const isClassNeeded = name.kind === 'dataset' || name.kind === 'evaluator'
    const isFitting = isClassNeeded ? value instanceof UserClass : isCallable(value)
    if (!isFitting && !(name.kind === 'evaluator' && value instanceof UserFunction))
      throw new PythonFailure('missing', name.name, {
        where: name.from ?? name.name,
        problem: `${name.name} is no ${isClassNeeded ? 'class' : 'function'} that can be read`,
        fix: `name ${name.kind === 'dataset' ? 'a dataset class with a "load"' : 'a class or function'}`,
      })
    return {
      kind: name.kind,
      name: shortName(name.name),
      file: fileOf(value) ?? name.from ?? '',
      parameters: parametersOf(value instanceof UserClass ? undefined : value),
      // A registry builds what it has: a function there gives the object.
      isFunction: value instanceof UserFunction && !isRegistered,
      call: (given) => this.#call(name, value, given, isRegistered),
      // A function gets the rows as a list, which it reads unnoticed.
      readRows: value instanceof UserClass || isRegistered ? wereRead : undefined,
    }
  }

  /** The files of code that were run so far, with their texts. */
  codeRead(): ReadonlyMap<string, string> {
    return new Map([...this.#program.modules.keys()].map((file) => [file, this.#program.texts.get(file) ?? '']))
  }

  #find(session: Session, { name, from, kind }: PythonName): { value: Value; isRegistered: boolean } {
    const named = this.#byPath(session, name, from)
    if (named !== undefined) return { value: named, isRegistered: false }
    const entered = /^[\w-]+$/.test(name) ? this.#registered.find(session, name) : undefined
    if (entered !== undefined) return { value: entered, isRegistered: true }
    throw new PythonFailure('missing', name, {
      where: from ?? name,
      problem: `there is no ${kind === 'function' ? 'function' : kind} ${name} in the files beside the config and in the checkout`,
      fix: 'import it in the config, or register it: @ICL_EVALUATORS.register_module()',
    })
  }

  /** `file.py:name`, `package.module.Name`. */
  #byPath(session: Session, name: string, from: string | undefined): Value | undefined {
    const [, file, inFile] = /^(.+\.py):(\w+)$/.exec(name) ?? []
    if (file !== undefined && inFile !== undefined) return nameInModule(session, file.slice(0, -3), inFile)
    const parts = name.split('.')
    const folder = from?.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : ''
    for (let length = parts.length - 1; length > 0; length--) {
      for (const start of new Set([folder, ''])) {
        const path = `${start}${parts.slice(0, length).join('/')}`
        const [first, ...rest] = parts.slice(length)
        const found = moduleOfProgram(session, path) && nameInModule(session, path, first!)
        if (found !== undefined) return rest.reduce((value, part) => attributeOf(session, value, part), found)
      }
    }
    return undefined
  }

  #call<Kind extends PythonKind>(
    name: PythonName & { kind: Kind },
    value: Value,
    given: PythonCalls[Kind],
    isRegistered: boolean,
  ): Sooner<PyValue> {
    const before = this.#stopped.get(name.name) ?? []
    // Each further row would take as long.
    if (before.length >= mostStopped) throw before[0]
    const items = 'predictions' in given ? given.predictions.length : 0
    const run = () => this.#run(name.name, (session) => callAs[name.kind](session, value, given, isRegistered), items)
    try {
      return run()
    } catch (error) {
      if (error instanceof PythonFailure && error.reason === 'stopped') this.#stopped.set(name.name, [...before, error])
      if (!(error instanceof DataNeeded)) throw error
      return this.#withData(name.name, run, error.request, mostLoads)
    }
  }

  /** Reads or downloads what the code asked for, and calls again. */
  async #withData(name: string, run: () => PyValue, request: DataRequest, left: number): Promise<PyValue> {
    if ('archive' in request) await this.#download(name, request)
    else {
      const { loadDataset } = this.#sources
      const key = JSON.stringify(request)
      if (loadDataset === undefined || left === 0 || this.#loaded.has(key))
        throw failed('unsupported', name, name, `it loads ${request.path}`, 'give its rows as files')
      this.#loaded.set(key, await loadDataset(request))
    }
    try {
      return run()
    } catch (error) {
      if (error instanceof DataNeeded) return this.#withData(name, run, error.request, left - 1)
      throw error
    }
  }

  async #download(name: string, { archive, md5, folder }: ArchiveRequest): Promise<void> {
    if (!this.#downloaded.has(archive) && (await this.#sources.download?.({ name: archive, md5 }))) {
      this.#downloaded.add(archive)
      return
    }
    const problem = `${name} finds no data where its path leads; OpenCompass keeps it in its archive ${archive}, which it would unpack in ${folder}`
    throw new PythonFailure('raised', name, { where: name, problem, fix: 'put the data there, or correct "path"' }, 'FileNotFoundError')
  }

  #run<Result>(name: string, body: (session: Session) => Result, items = 0): Result {
    const session = new Session({
      read: (path) => this.#sources.read(path),
      ...{ strict: true, lenient: true, modules: this.#modules, cache: this.#cache, program: this.#program, limits: limitsFor(items) },
    })
    try {
      return metered(session, () => body(session))
    } catch (error) {
      throw explained(session, name, error, this.#sources.hint)
    }
  }
}

function isCallable(value: Value): boolean {
  return value instanceof UserFunction || value instanceof UserClass || value instanceof Builtin
}

function shortName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1)
}

/** The file that defines a class or function. */
function fileOf(value: Value): string | undefined {
  if (value instanceof UserFunction) return value.scope.file
  if (!(value instanceof UserClass)) return undefined
  const [method] = [...value.names.values()].flatMap((each) =>
    each instanceof DecoratedMethod ? [each.method] : each instanceof UserFunction ? [each] : [],
  )
  return method?.scope.file
}

/** What stopped the code, with its place. */
function explained(session: Session, name: string, error: unknown, hint: string | undefined): unknown {
  if (error instanceof DataNeeded || error instanceof PythonFailure) return error
  if (error instanceof PythonError && error.type !== 'LimitError') {
    const place = showPlace(session.at)
    return new PythonFailure(
      'raised',
      name,
      { where: place, problem: `${name} raises ${error.type}: ${error.message}`, fix: 'correct the code, or the rows that it gets' },
      error.type,
    )
  }
  const known = session.explain(error)
  if (known instanceof ImportLimitError)
    return failed('stopped', name, known.where, `${name} was stopped: ${known.problem}`, 'see whether its loops end')
  if (known instanceof PromptError) {
    const needed = packageOf(known.problem)
    if (
      hint !== undefined &&
      /inherits from a class that is not read here|"opencompass\.|^it calls opencompass/.test(needed ?? known.problem)
    )
      return new PythonFailure('unsupported', name, {
        where: known.where,
        problem: `${name} needs code of OpenCompass, which is not here`,
        fix: hint,
      })
    return failed('unsupported', name, known.where, `${name} needs Python itself: ${needed ?? known.problem}`, '')
  }
  return known
}

function failed(reason: 'unsupported' | 'stopped', name: string, where: string, problem: string, fix: string): PythonFailure {
  const otherHost = 'run it in your own Python: --with-python'
  return new PythonFailure(reason, name, { where, problem, fix: fix === '' ? otherHost : `${fix}, or ${otherHost}` })
}

type Caller<Kind extends PythonKind> = (session: Session, value: Value, given: PythonCalls[Kind], isRegistered: boolean) => PyValue

const callAs: { [Kind in PythonKind]: Caller<Kind> } = {
  dataset(session, value, { settings }) {
    const result = loadedBy(session, value as UserClass, keywords(session, settings))
    const tables = tablesOf(session, result)
    if (tables === undefined) return resultOf(session, result)
    return 'columns' in tables && Array.isArray(tables.columns) ? rowsOf(tables as Table) : splitsOf(tables as Splits)
  },
  evaluator(session, value, { settings, predictions, references, rows, prompts, steps }, isRegistered) {
    const scope = scopeOf(value)
    if (value instanceof UserFunction && !isRegistered) {
      const isBatch = takesAll(parametersOf(value))
      const all = [predictions, references, rows ?? []].map((list) => (isBatch ? list : (list[0] ?? null)) as Value)
      const taken = value.parameters.filter(({ star, keywordOnly }) => star === undefined && keywordOnly !== true).length
      return resultOf(
        session,
        call(
          session,
          value,
          all.slice(0, taken).map((each) => toMutable(session, each)),
          keywords(session, settings),
          scope,
        ),
      )
    }
    const made = call(session, value, [], keywords(session, settings), scope)
    if (!(made instanceof Instance)) throw typeError(`${typeName(made)} has no score`)
    // The task of OpenCompass sets it; nothing is written there.
    made.fields.set('_out_dir', 'outputs')
    const score = attributeOf(session, made, 'score')
    const names = parametersOf(made.type.find(session, 'score'))
    const answers = () => {
      const given = toMutable(session, [...predictions] as Value)
      return made.callMethod(session, 'pred_postprocess', given) ?? given
    }
    const all: Record<string, () => Value> = {
      predictions: answers,
      references: () => toMutable(session, [...references] as Value),
      test_set: () => (rows === undefined ? null : rowsAsDataset(session, rows as readonly Value[])),
      gold: () => toMutable(session, [...references] as Value),
      steps: () => toMutable(session, [...(steps ?? [])] as Value),
      origin_prompt: () => toMutable(session, [...(prompts ?? predictions.map(() => ''))] as Value),
    }
    const given = Object.entries(all).filter(([name]) => names === undefined || names.includes(name))
    return resultOf(session, call(session, score, [], new Map(given.map(([name, make]) => [name, make()])), scope))
  },
  postprocessor: (session, value, { text, settings }) =>
    resultOf(session, call(session, value, [toMutable(session, text as Value)], keywords(session, settings), scopeOf(value))),
  dict_postprocessor(session, value, { output, settings, rows }) {
    const given = new Map([...(keywords(session, settings) ?? [])])
    if (rows !== undefined && parametersOf(value)?.includes('dataset') === true)
      given.set('dataset', new DatasetObject(datasetFromList(session, rows as readonly Value[])))
    // Nothing is written there.
    return resultOf(session, call(session, value, [toMutable(session, output as Value), 'outputs/judged.json'], given, scopeOf(value)))
  },
  function: (session, value, { args, settings = {} }) =>
    resultOf(
      session,
      call(
        session,
        value,
        args.map((arg) => toMutable(session, arg as Value)),
        keywords(session, settings),
        scopeOf(value),
      ),
    ),
}

/** What OpenCompass's dataset object gets from `load`; a class may have settings of its own besides. */
function loadedBy(session: Session, type: UserClass, settings: Kwargs): Value {
  const scope = scopeOf(type)
  const start = type.order.find((each) => each instanceof UserClass && each.names.has('__init__'))
  const isOwn = start instanceof UserClass && start.name !== 'BaseDataset'
  if (!isOwn) return call(session, attributeOf(session, new Instance(type), 'load'), [], settings, scope)
  const made = call(session, type, [], new Map([['reader_cfg', newDict(session)], ...(settings ?? [])]), scope)
  if (!(made instanceof Instance)) return made
  return attributeOf(session, made, 'dataset')
}

function scopeOf(value: Value): Scope {
  return new Scope(fileOf(value) ?? '')
}

function keywords(session: Session, settings: PyDict): Kwargs {
  const entries = newDict(session, toMutable(session, settings as Value) as never)
  return new Map([...entries].map(([name, value]) => [String(name), value]))
}

/** The names of a function's parameters; undefined if it takes any. */
function parametersOf(value: Value | undefined): readonly string[] | undefined {
  const method = value instanceof DecoratedMethod ? value.method : value
  if (!(method instanceof UserFunction)) return undefined
  return method.parameters.some(({ star }) => star === '**') ? undefined : method.parameters.map(({ name }) => name)
}

function rowsOf({ rows }: Table): PyValue {
  return [...rows]
}

function splitsOf(splits: Splits): PyValue {
  return dictFromEntries(Object.entries(splits).map(([split, table]) => [split, rowsOf(table)] as const))
}
