import { limits, PromptError } from '@rolecall/core/internal/errors'
import { ImportLimitError, isListValue, metered, PythonError, showPlace, type Value } from '@rolecall/core/internal/python'
import { attributeOf } from '../../../python/interpreter/access.ts'
import { call } from '../../../python/interpreter/call.ts'
import { type Instance, UserClass } from '../../../python/interpreter/classes.ts'
import { isMutableDict } from '../../../python/interpreter/containers.ts'
import { toMutable } from '../../../python/interpreter/convert.ts'
import { runModule } from '../../../python/interpreter/import-module.ts'
import type { RandomSource } from '../../../python/interpreter/modules/random-module.ts'
import { folderOf, joinPath, normalizePath, taskPaths } from '../../../python/interpreter/paths.ts'
import { Scope } from '../../../python/interpreter/scope.ts'
import { type ImportLimits, isOfPython, type ModuleCache, Session } from '../../../python/interpreter/session.ts'
import { Builtin, ModuleValue, UserFunction } from '../../../python/interpreter/values.ts'
import { PythonRandom } from '../../../python/library/random.ts'
import type { FindFunction, TaskFunction } from '../task/task-function.ts'
import type { FunctionMark } from '../yaml/function-mark.ts'
import type { ReadTaskFile } from '../yaml/load-task-file.ts'
import { multiprocessing } from './code-eval.ts'
import { makeDatasets } from './dataset-loads.ts'
import { DatasetValue, pandas } from './dataset-value.ts'
import { downloadCommand, sandboxHint } from './download-command.ts'
import { filterClasses, filterModule } from './filter-classes.ts'
import { libraryModules } from './library-modules.ts'
import { loadingModules } from './loading-modules.ts'
import { lmEval, lmEvalMetrics, makeEvaluate } from './metric-modules.ts'
import { nothingProvided, PackageNeeded, type Provided } from './provided.ts'
import { taskClasses } from './task-classes.ts'
import { known } from './to-data.ts'
import { loadsOf, type UnsupportedPart, unsupportedParts } from './unsupported-parts.ts'

/** The limits of one function call; a function that is called for each row gets fewer steps. */
export const functionLimits: ImportLimits = {
  ...{ steps: limits.functionSteps, memory: 1_000_000_000, heap: 3_000_000_000, imports: 20, files: 2_000, calls: 200 },
}
const stepsForRow = limits.functionRowSteps
/** The limits of a module when it is read. */
const moduleLimits: ImportLimits = { ...functionLimits, steps: limits.functionModuleSteps }
/** The limits of a function that makes a whole dataset. */
const datasetLimits: ImportLimits = { ...functionLimits, steps: limits.functionDatasetSteps, memory: limits.functionDatasetMemory }

/** The limits of a module, and of a function that is called once: more steps for more rows, so that one that does not terminate is soon stopped. */
function limitsFor(args: readonly Value[]): ImportLimits {
  const items = args.reduce<number>(
    (sum, arg) => sum + (arg instanceof DatasetValue ? arg.table.rows.length : isListValue(arg) ? arg.length : 0),
    0,
  )
  const steps = limits.functionBaseSteps + items * limits.functionItemSteps
  return { ...functionLimits, steps: Math.min(steps, functionLimits.steps) }
}

/** A function that was stopped in this many rows is not called again: each row would take seconds. */
const mostStopped = 3

/** A Python exception that a function raised, or an error in how it was called. */
export class FunctionError extends PromptError {
  constructor(
    details: ConstructorParameters<typeof PromptError>[1],
    /** The name of the exception's class. */
    readonly type: string,
  ) {
    super('function-failed', details)
  }
}

/**
 * Finds functions; `absent` are packages that are not here, and that the functions found so far have a replacement for. `random` is the
 * generator of Python's `random`.
 */
export type FunctionHost = FindFunction & {
  readonly absent: ReadonlyMap<string, ReadonlySet<string>>
  readonly random: RandomSource
  /** How often the generator was drawn from, also when modules were imported. */
  draws(): number
}

/** The generator of Python's `random`, the seed of numpy's, what functions load, and the modules that only Python itself has for them. */
export type HostOptions = {
  random?: RandomSource
  numpySeed?: number | undefined
  provided?: Provided
  lacks?: ReadonlySet<string>
}

/** The generator of Python's `random`, by default with the seed of lm-evaluation-harness. */
export function randomSource(seed = 0): RandomSource {
  return { random: new PythonRandom(seed) }
}

/**
 * Finds functions of task files by their marks. They are parsed and interpreted within limits, never executed by Python: they can read
 * only the files that `read` returns, and have no network and no environment.
 */
export function functionHost(
  read: ReadTaskFile,
  { random = randomSource(), numpySeed, provided = nothingProvided, lacks }: HostOptions = {},
): FunctionHost {
  const draws = { shared: 0, own: 0 }
  const evaluate = makeEvaluate(numpySeed)
  const datasets = makeDatasets(provided, evaluate.attributes.get('load')!)
  const absent = new Map<string, Set<string>>()
  const modules = new Map(
    [
      ...libraryModules({ shared: () => draws.shared++, own: () => draws.own++ }, random, numpySeed),
      evaluate,
      lmEvalMetrics,
      lmEval,
      datasets,
      ...taskClasses(datasets.attributes.get('load_dataset')!),
      pandas,
      filterModule,
      filterClasses,
      multiprocessing,
      ...loadingModules(provided),
    ].flatMap((module) => (lacks?.has(module.name.split('.')[0]!) ? [] : [[module.name, module] as const])),
  )
  const cache: ModuleCache = new Map()
  const loaded = new Map<string, Scope>()
  const objects = new Map<UserClass, Instance>()

  return Object.assign(find, { absent, random, draws: () => draws.shared })

  function find(mark: FunctionMark): TaskFunction {
    const { path, file } = mark
    const [, module = '', name = ''] = /^(.+)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(path) ?? []
    if (name === '')
      throw new PromptError('no-function', {
        where: file,
        problem: `"!function ${path}" names no function`,
        fix: 'write !function MODULE.NAME, e.g. !function utils.process_docs for process_docs in the utils.py beside the file',
      })
    const found = definitionOf(mark, module, name)
    if (found !== undefined) return taskFunction(mark, found)
    // A method of a task that is a class: `task.SQuAD2.doc_to_text`.
    const [, inModule = '', type = ''] = /^(.+)\.([^.]+)$/.exec(module) ?? []
    const owner = type === '' ? undefined : definitionOf(mark, inModule, type)
    if (owner instanceof UserClass) return taskFunction(mark, methodOfObject(owner, name))
    throw new PromptError('no-function', {
      where: file,
      problem: `there is no function ${path}`,
      fix: `write it into ${filesOf(module, file)[0]}, or correct its name`,
    })
  }

  function definitionOf(mark: FunctionMark, module: string, name: string): Value | undefined {
    return run(mark, moduleLimits, (session) => {
      for (const one of filesOf(module, mark.file)) {
        const scope = loaded.get(one) ?? load(session, one)
        if (!scope) continue
        loaded.set(one, scope)
        // Tasks name functions in their utils.py that only lm_eval.utils has.
        return scope.names.get(name) ?? (module === 'utils' ? lmEval.attributes.get(name) : undefined)
      }
      return modules.get(module)?.attributes.get(name)
    })
  }

  /** A name that its file defines only with a package that is not here. */
  function withPackage(part: UnsupportedPart): UnsupportedPart {
    const needed = [...absent].find(([, files]) => files.has(part.where.replace(/:\d+:\d+$/, '')))
    return needed && /^\w+$/.test(part.name) ? { ...part, package: needed[0] } : part
  }

  /** The one object of a class, made when it is first used. */
  function objectOf(session: Session, type: UserClass): Instance {
    const known = objects.get(type)
    if (known) return known
    const made = type.call(session, [], undefined, new Scope(type.name)) as Instance
    objects.set(type, made)
    return made
  }

  function methodOfObject(type: UserClass, name: string): Builtin {
    return new Builtin(name, (session, args, kwargs, scope) =>
      call(session, attributeOf(session, objectOf(session, type), name), args, kwargs, scope),
    )
  }

  function load(session: Session, file: string): Scope | undefined {
    const module = session.readModule(file)
    return module && runModule(session, file, module)
  }

  function taskFunction(mark: FunctionMark, value: Value): TaskFunction {
    if (!(value instanceof UserFunction) && !(value instanceof Builtin) && !(value instanceof UserClass))
      throw notFollowed(mark, value instanceof ModuleValue ? 'a module' : 'not a function that can be read')
    const name = mark.path.slice(mark.path.lastIndexOf('.') + 1)
    const callWithin = (bounds: ImportLimits, args: readonly Value[], kwargs?: ReadonlyMap<string, Value>) =>
      run(mark, bounds, (session) => {
        if (value instanceof UserClass) throw notFollowed(mark, 'not a function that can be read')
        const given = args.map((arg) => toMutable(session, arg))
        return known(session, call(session, value, given, kwargs, new Scope(mark.file)))
      })
    let stopped = 0
    return {
      ...(value instanceof UserClass
        ? {
            callMethod: methodOf(value, mark),
            attribute: (attribute) => run(mark, limitsFor([]), (session) => attributeOf(session, objectOf(session, value), attribute)),
          }
        : {}),
      callEntry: (key, args) =>
        run(mark, limitsFor(args), (session) => {
          const scope = new Scope(mark.file)
          const functions = call(session, value, [], undefined, scope)
          const entry = isMutableDict(functions) ? functions.get(key) : undefined
          if (entry === undefined) throw new PythonError('KeyError', `'${key}'`)
          const given = args.map((arg) => toMutable(session, arg))
          return known(session, call(session, entry, given, undefined, scope))
        }),
      name: value.name === 'partial' ? name : value.name,
      draws: () => ({ ...draws }),
      unsupported: () => unsupportedParts(value, modules).map(withPackage),
      loads: () => loadsOf(value, modules),
      callOnce: (args, kwargs) => callWithin(datasetLimits, args, kwargs),
      call: (args, kwargs) => callWithin(limitsFor(args), args, kwargs),
      callForRow(args, kwargs) {
        if (stopped >= mostStopped) throw stoppedBefore(mark)
        try {
          return callWithin({ ...functionLimits, steps: stepsForRow }, args, kwargs)
        } catch (error) {
          if (error instanceof PromptError && error.code === 'function-limit') stopped++
          throw error
        }
      },
    }
  }

  function methodOf(type: UserClass, mark: FunctionMark): NonNullable<TaskFunction['callMethod']> {
    return (options, method, args) =>
      run(mark, limitsFor(args), (session) => {
        const scope = new Scope(mark.file)
        const mutable = (value: Value) => toMutable(session, value)
        const made = call(session, type, [], new Map([...options].map(([key, value]) => [key, mutable(value)])), scope)
        return known(session, call(session, attributeOf(session, made, method), args.map(mutable), undefined, scope))
      })
  }

  /** Runs `body` in a new session; reports Python exceptions with their position. */
  function run<Result>(mark: FunctionMark, bounds: ImportLimits, body: (session: Session) => Result): Result {
    const session = new Session({ read, strict: true, lenient: true, modules, cache, absent, limits: bounds })
    try {
      return metered(session, () => body(session))
    } catch (error) {
      if (error instanceof PythonError && error.type !== 'LimitError')
        throw new FunctionError(
          {
            where: showPlace(session.at),
            problem: `${mark.path} fails as in Python (${error.type}: ${error.message})`,
            fix: 'correct the function or the rows',
          },
          error.type,
        )
      if (error instanceof PackageNeeded)
        throw new PromptError('no-package', {
          where: showPlace(session.at),
          problem: `${mark.path} needs the data of the Python package ${error.module}`,
          fix: `download it: ${downloadCommand(error.module)}, then --python-packages DIR`,
        })
      const explained = session.explain(error)
      if (explained instanceof ImportLimitError)
        throw new PromptError('function-limit', {
          where: explained.where,
          problem: `the function ${mark.path} was stopped: ${explained.problem}`,
          fix: whenStopped,
        })
      if (explained instanceof PromptError && !explained.problem.includes(mark.path))
        throw new PromptError(explained.code, {
          where: explained.where,
          problem: `the function ${mark.path} is not supported: ${explained.problem}`,
          fix: `${explained.fix}; or give processed rows, and leave the function out${packageHint(explained.problem)}`,
        })
      throw explained
    }
  }
}

/** How Python itself can call a package that is not here. */
function packageHint(problem: string): string {
  const [, module] = /a call of "(\w+)\./.exec(problem) ?? []
  if (module === undefined || isOfPython(module)) return ''
  return `; if it scores replies, ${sandboxHint(module)}`
}

const whenStopped = 'see whether its loops end; where it needs that much, give processed rows and leave the function out'

function stoppedBefore({ path, file }: FunctionMark): PromptError {
  return new PromptError('function-limit', {
    where: file,
    problem: `the function ${path} was stopped for ${mostStopped} rows before, and is not called again`,
    fix: whenStopped,
  })
}

/** Candidate files of a module, relative to the file that names it: `a.b` is `a/b.py`, or `a.b.py` as in older harnesses. */
export function filesOf(module: string, file: string): string[] {
  const names = module.includes('/') ? [module] : [module.replaceAll('.', '/'), module]
  const beside = names.map((name) => joinPath(folderOf(file), name))
  return [...new Set([...beside, ...taskPaths(module, file)].map((path) => normalizePath(`${path}.py`)))]
}

function notFollowed({ path, file }: FunctionMark, what: string): PromptError {
  return new PromptError('no-function', {
    where: file,
    problem: `${path} is ${what}`,
    fix: 'name a function written with "def", or a class of filters',
  })
}
