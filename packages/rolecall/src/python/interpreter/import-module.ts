import { PromptError } from '@rolecall/core/internal/errors'
import type { Module, Statement } from '@rolecall/core/internal/python'
import { ImportLimitError, isListValue, pythonError, showPlace, typeError, type Value } from '@rolecall/core/internal/python'
import { attributeOf } from './access.ts'
import { isMutableDict, type MutableDict, newDict, setItem } from './containers.ts'
import { evaluate } from './evaluate.ts'
import { importFromProgram, moduleOfProgram } from './import-package.ts'
import { standardModule } from './modules/standard-modules.ts'
import { folderOf, joinPath, normalizePath, taskPaths } from './paths.ts'
import { runStatements } from './run-statement.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { ModuleValue, NameRef, Unknown } from './values.ts'

type ImportFrom = Extract<Statement, { kind: 'import-from' }>

/** `import a.b as c`: a module of Python's own that we have, else a name. */
export function importModules(session: Session, names: Extract<Statement, { kind: 'import' }>['names'], scope: Scope): void {
  for (const { module, as } of names) {
    const bound = as ?? module.split('.')[0]!
    const path = as === undefined ? bound : module
    const known = moduleNamed(session, path) ?? (session.program && moduleOfProgram(session, path.replaceAll('.', '/')))
    if (known === undefined) session.missModule(path)
    scope.set(bound, known ?? session.name(path, path, true))
  }
}

function moduleNamed(session: Session, name: string): ModuleValue | undefined {
  return session.modules.get(name) ?? standardModule(name)
}

/** `from lm_eval.tasks.folder.utils import name` or `from lm_eval.tasks.folder import utils`, where the folder is one of the tasks that are read. */
function importTaskFile(session: Session, statement: ImportFrom, scope: Scope): boolean {
  if (!session.strict) return false
  return taskPaths(statement.module, scope.module.file).some((path) => importFile(session, path, statement, scope))
}

/** Takes names from a file, or files from a folder; false if neither is there. */
function importFile(session: Session, path: string, statement: ImportFrom, scope: Scope): boolean {
  const loaded = loadModule(session, path, statement)
  if (loaded && statement.names.every(({ name }) => name === '*' || loaded.names.has(name))) {
    takeNames(session, loaded, statement, path, scope)
    return true
  }
  // `from .folder import file`
  const files = statement.names.map(({ name, as }) => ({
    bound: as ?? name,
    scope: name === '*' ? undefined : loadModule(session, joinPath(path, name), statement),
  }))
  if (files.every((file) => file.scope !== undefined)) {
    for (const file of files) scope.set(file.bound, new ModuleValue(file.bound, file.scope!.names))
    return true
  }
  if (loaded) takeNames(session, loaded, statement, path, scope)
  return loaded !== undefined
}

/** `from a.b import c`: relative, or inside `with read_base():`, it reads a file; else it makes names. */
export function importFrom(session: Session, statement: ImportFrom, scope: Scope): void {
  const { level, module, names, at } = statement
  if (session.program !== undefined && (level > 0 || moduleNamed(session, module) === undefined)) {
    if (importFromProgram(session, statement, scope)) return
    if (level > 0) throw noFile(at, relativePath(session, statement, scope))
  }
  if (level === 0 && session.inBase === 0) {
    if ((session.program === undefined && importConfigFile(session, statement, scope)) || importTaskFile(session, statement, scope)) return
    for (const { name, as } of names) {
      if (name === '*') {
        session.note('star-import', `the names of "from ${module} import *" are unknown; undefined names are assumed to come from it`, at)
        continue
      }
      const standard = moduleNamed(session, module)
      const path = `${module}.${name}`
      const known = moduleNamed(session, path) ?? (standard === undefined ? undefined : attributeOf(session, standard, name))
      if (known === undefined && standard === undefined) session.missModule(module)
      scope.set(as ?? name, known instanceof NameRef || known === undefined ? session.name(name, path, true) : known)
    }
    return
  }
  const candidates = level === 0 ? absolutePaths(module) : [relativePath(session, statement, scope)]
  if (candidates.some((candidate) => importFile(session, candidate, statement, scope))) return
  const error = noFile(at, candidates[0]!)
  // A summarizer is the one thing that nothing here needs.
  if (!isSummarizer(statement)) throw error
  session.note('missing-import', `${error.problem}; it would summarize results`, at)
  for (const { name, as } of names) scope.set(as ?? name, new Unknown(error))
}

function isSummarizer({ module, names }: ImportFrom): boolean {
  return /(^|\.)summarizers?(\.|$)/.test(module) && names.every(({ name }) => name !== '*')
}

/** Configs that are imported like any module, outside `read_base`: mmengine looks into them when they are used. Others stay names. */
function importConfigFile(session: Session, statement: ImportFrom, scope: Scope): boolean {
  if (!configPackage.test(statement.module)) return false
  return session.attempt(
    () => {
      for (const candidate of absolutePaths(statement.module)) {
        const loaded = loadModule(session, candidate, statement)
        if (!loaded) continue
        takeNames(session, loaded, statement, candidate, scope)
        return true
      }
      return false
    },
    () => false,
  )
}

const configPackage = /^(opencompass|ais_bench\.benchmark)\.configs\./

function noFile(at: ImportFrom['at'], path: string): PromptError {
  return new PromptError('no-file', {
    where: showPlace(at),
    problem: `there is no ${path}.py in the folder that may be read`,
    fix: `add it, or name its folder: rolecall import --root FOLDER`,
  })
}

/** The names of the config folder in OpenCompass and AISBench; the root may be any part of it. */
const packagePrefixes = [
  'opencompass.configs.',
  'opencompass.',
  'ais_bench.benchmark.configs.',
  'ais_bench.benchmark.',
  'ais_bench.',
  'configs.',
]

function absolutePaths(module: string): string[] {
  const shorter = packagePrefixes.filter((prefix) => module.startsWith(prefix)).map((prefix) => module.slice(prefix.length))
  return [module, ...shorter].flatMap((name) => [
    name.replaceAll('.', '/'),
    ...(name.startsWith('configs.') ? [`opencompass/${name.replaceAll('.', '/')}`] : []),
  ])
}

function relativePath(session: Session, { level, module, at }: ImportFrom, scope: Scope): string {
  const folders = scope.module.file.split('/').slice(0, -1)
  if (level - 1 > folders.length)
    throw new PromptError('outside-root', {
      where: showPlace(at),
      problem: `"from ${'.'.repeat(level)}${module}" is outside the folder that may be read`,
      fix: 'name a folder further up with --root',
    })
  session.step()
  return joinPath(...folders.slice(0, folders.length - level + 1), module.replaceAll('.', '/'))
}

/** Runs an imported file. Each import gets a fresh copy, as mmengine's configs do. */
function loadModule(session: Session, path: string, { at }: Pick<ImportFrom, 'at'>): Scope | undefined {
  for (const file of path === '' ? ['__init__.py'] : [`${path}.py`, `${path}/__init__.py`]) {
    const module = session.readModule(file)
    if (!module) continue
    if (session.importing.includes(file))
      throw pythonError(
        at,
        `the files import one another in a circle (${[...session.importing, file].join(' → ')})`,
        'remove one of the imports',
      )
    if (session.importing.length >= session.limits.imports)
      throw new ImportLimitError(at, `more than ${session.limits.imports} files import one another`)
    return runModule(session, module.file, module)
  }
  return undefined
}

/** The names that a file has when it has run to its end. */
export function runModule(session: Session, file: string, module: NonNullable<ReturnType<Session['readModule']>>): Scope {
  const scope = new Scope(file)
  session.program?.modules.set(file, scope)
  const { inBase } = session
  session.inBase = 0
  session.importing.push(file)
  for (const { at, text } of module.slips) session.note('slip', text, at)
  try {
    const bases = basesOf(session, module)
    if (bases) runOverBases(session, module, bases, scope)
    else runStatements(session, module.body, scope)
  } finally {
    session.importing.pop()
    session.inBase = inBase
  }
  return scope
}

/** A file with `_base_`: while it runs, the names of its bases are available as `_base_.name`. */
function runOverBases(session: Session, { body }: Module, { statement, paths }: BaseList, scope: Scope): void {
  const base = new Map<string, Value>()
  for (const path of paths) {
    const loaded = loadModule(session, path, statement)
    if (!loaded) throw noFile(statement.at, path)
    for (const [name, value] of loaded.names) {
      if (base.has(name) && !(value instanceof NameRef))
        throw pythonError(statement.at, `two files of _base_ have "${name}"`, 'leave it to one of them')
      base.set(name, value)
    }
  }
  scope.set('_base_', new ModuleValue('_base_', base))
  runStatements(
    session,
    body.filter((each) => each !== statement),
    scope,
  )
  scope.names.delete('_base_')
  mergeOver(session, base, scope.names)
}

function takeNames(session: Session, from: Scope, { names, at }: ImportFrom, path: string, scope: Scope): void {
  for (const { name, as } of names) {
    if (name === '*') {
      for (const [key, value] of from.names) if (!key.startsWith('__')) scope.set(key, value)
      continue
    }
    const own = from.names.get(name)
    const value: Value | undefined = own === undefined ? submodule(session, joinPath(path, name), name, at) : own
    if (value === undefined) throw pythonError(at, `${path}.py has no "${name}"`, `import one of: ${shortList([...from.names.keys()])}`)
    scope.set(as ?? name, value)
  }
}

function submodule(session: Session, path: string, name: string, at: ImportFrom['at']): Value | undefined {
  const found = loadModule(session, path, { at })
  return found && new ModuleValue(name, found.names)
}

function shortList(names: readonly string[]): string {
  const shown = names.filter((name) => !name.startsWith('_')).slice(0, 12)
  return shown.length === 0 ? '(it has no names)' : shown.join(', ')
}

export type BaseList = { statement: Statement; paths: string[] }

/** `_base_ = ['../a.py']`, mmengine's other way to build on files: their paths from the root, without the ending. */
export function basesOf(session: Session, { file, body }: Module): BaseList | undefined {
  const statement = body.find(
    (each) => each.kind === 'assign' && each.targets.some((target) => target.kind === 'name' && target.name === '_base_'),
  )
  if (statement?.kind !== 'assign') return undefined
  const value = evaluate(session, statement.value, new Scope(file))
  const paths = typeof value === 'string' ? [value] : isListValue(value) ? value : []
  return {
    statement,
    paths: paths.map((path) => {
      if (typeof path !== 'string' || !path.endsWith('.py'))
        throw pythonError(statement.at, '_base_ names something that is no .py file', 'name Python configs, relative to this file')
      return normalizePath(joinPath(folderOf(file), path)).replace(/\.py$/, '')
    }),
  }
}

/** Merges the file's names over those of its bases: dicts are merged unless they have `_delete_=True`; other values are replaced. */
export function mergeOver(session: Session, base: ReadonlyMap<string, Value>, own: Map<string, Value>): void {
  for (const [name, value] of base) {
    const given = own.get(name)
    if (given === undefined) own.set(name, value)
    else if (isMutableDict(given)) own.set(name, isDeleted(given) ? withoutMark(session, given) : merged(session, value, given))
  }
}

function merged(session: Session, base: Value, own: MutableDict): Value {
  if (!isMutableDict(base)) throw typeError('a dict cannot be merged into what is none: give it _delete_=True')
  const made = newDict(session, base)
  for (const [key, value] of own) {
    const before = made.get(key)
    const isDict = isMutableDict(value)
    if (isDict && before !== undefined && !isDeleted(value)) setItem(session, made, key, merged(session, before, value))
    else setItem(session, made, key, isDict ? withoutMark(session, value) : value)
  }
  return made
}

function isDeleted(dict: MutableDict): boolean {
  return dict.get('_delete_') === true
}

function withoutMark(session: Session, dict: MutableDict): Value {
  if (!dict.has('_delete_')) return dict
  return newDict(
    session,
    [...dict].filter(([key]) => key !== '_delete_'),
  )
}
