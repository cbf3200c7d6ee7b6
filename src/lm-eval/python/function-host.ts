import { call } from '../../import/run/call.ts'
import { runModule } from '../../import/run/import-module.ts'
import { folderOf, joinPath, normalizePath } from '../../import/run/paths.ts'
import { Scope } from '../../import/run/scope.ts'
import { type ImportLimits, type ModuleCache, Session } from '../../import/run/session.ts'
import { Builtin, ModuleValue, UserFunction } from '../../import/run/values.ts'
import { PromptError } from '../../prompt-error.ts'
import { PythonError } from '../../python/python-error.ts'
import { showPlace } from '../../python/syntax/import-error.ts'
import type { Value } from '../../python/values/value.ts'
import type { FindFunction, TaskFunction } from '../task/task-function.ts'
import type { FunctionMark } from '../yaml/function-mark.ts'
import type { ReadText } from '../yaml/load-task-file.ts'
import { known, toMutable } from './convert.ts'
import { evaluate, lmEvalMetrics, sklearn, sklearnMetrics } from './modules/metrics.ts'
import { numpy } from './modules/numpy.ts'
import { makeRandom } from './modules/random.ts'
import { re } from './modules/re.ts'
import { ast, collections, datasets, html, lmEval, logging, tqdm, unicodedata, warnings } from './modules/small.ts'
import { squadMetrics, transformersMetrics } from './modules/squad.ts'

/** What one call of a function may use before it is stopped. */
export const functionLimits: ImportLimits = { steps: 200_000_000, memory: 1_000_000_000, imports: 20, files: 2_000, calls: 200 }

/** A Python exception that a function raised, or a mistake in how it was called. */
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
 * Finds functions of task files by their marks. They are read and interpreted within bounds, never executed by a Python: no file but those
 * that `read` gives, no network, no environment.
 */
export function functionHost(read: ReadText, limits: Partial<ImportLimits> = {}): FindFunction {
  const modules = new Map(
    [
      re,
      numpy,
      sklearn,
      sklearnMetrics,
      evaluate,
      lmEvalMetrics,
      lmEval,
      logging,
      warnings,
      tqdm,
      ast,
      unicodedata,
      html,
      collections,
      datasets,
      squadMetrics,
      transformersMetrics,
      makeRandom(),
    ].map((module) => [module.name, module]),
  )
  const cache: ModuleCache = new Map()
  const loaded = new Map<string, Scope>()
  const newSession = () => new Session({ read, strict: true, lenient: true, modules, cache, limits: { ...functionLimits, ...limits } })

  return (mark) => {
    const { path, file } = mark
    const dot = path.lastIndexOf('.')
    const [module, name] = [path.slice(0, Math.max(0, dot)), path.slice(dot + 1)]
    const found = run(mark, (session) => {
      const beside = normalizePath(joinPath(folderOf(file), `${module.replaceAll('.', '/')}.py`))
      const scope = loaded.get(beside) ?? load(session, beside)
      if (scope) {
        loaded.set(beside, scope)
        return scope.names.get(name)
      }
      return modules.get(module)?.attributes.get(name)
    })
    if (found === undefined)
      throw new PromptError('no-function', {
        where: file,
        problem: `there is no function ${path}`,
        fix: `write it into ${module.replaceAll('.', '/')}.py beside the file, or correct its name`,
      })
    return taskFunction(mark, found)
  }

  function load(session: Session, file: string): Scope | undefined {
    const module = session.readModule(file)
    return module && runModule(session, file, module)
  }

  function taskFunction(mark: FunctionMark, value: Value): TaskFunction {
    if (!(value instanceof UserFunction) && !(value instanceof Builtin))
      throw notFollowed(mark, value instanceof ModuleValue ? 'a module' : 'no function that can be read')
    const name = mark.path.slice(mark.path.lastIndexOf('.') + 1)
    return {
      name: value.name === 'partial' ? name : value.name,
      call: (args, kwargs) =>
        run(mark, (session) => {
          const given = args.map((arg) => toMutable(session, arg))
          return known(session, call(session, value, given, kwargs, new Scope(mark.file)))
        }),
    }
  }

  /** Runs something of a function; what Python would raise is told with the place. */
  function run<Result>(mark: FunctionMark, body: (session: Session) => Result): Result {
    const session = newSession()
    try {
      return body(session)
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
      const explained = session.explain(error)
      if (explained instanceof PromptError && !explained.problem.includes(mark.path))
        throw new PromptError(explained.code, {
          where: explained.where,
          problem: `the function ${mark.path} cannot be followed: ${explained.problem}`,
          fix: `${explained.fix}; or give processed rows, and leave the function out`,
        })
      throw explained
    }
  }
}

function notFollowed({ path, file }: FunctionMark, what: string): PromptError {
  return new PromptError('no-function', {
    where: file,
    problem: `${path} is ${what}`,
    fix: 'name a function that is written with "def"; classes are not followed',
  })
}
