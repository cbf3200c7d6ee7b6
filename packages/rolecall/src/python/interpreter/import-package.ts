import type { Module, Statement, Value } from '@rolecall/core/internal/python'
import { PythonError } from '@rolecall/core/internal/python'
import { runModule } from './import-module.ts'
import { folderOf, joinPath } from './paths.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { ModuleValue, NativeObject } from './values.ts'

type ImportFrom = Extract<Statement, { kind: 'import-from' }>

/** Files that re-export a name from one another. */
const maxReexports = 12

/** A package, whose modules are run when they are needed: its `__init__.py` often imports hundreds. */
export class PackageValue extends NativeObject {
  readonly typeName = 'module'

  constructor(readonly folder: string) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === '__name__') return this.folder.replaceAll('/', '.')
    if (name === '__path__') return [this.folder]
    return nameInPackage(session, this.folder, name)
  }
}

/** A module of the program that is written here. */
function moduleHere(session: Session, path: string): ModuleValue | undefined {
  return session.modules.get(path.replaceAll('/', '.'))
}

/** `a.b` as a module or package of the program; undefined if it has none. */
export function moduleOfProgram(session: Session, path: string): Value | undefined {
  const ours = moduleHere(session, path)
  if (ours !== undefined) return ours
  const file = `${path}.py`
  if (session.program?.modules.has(file) || session.readModule(file) !== undefined)
    return new ModuleValue(path.replaceAll('/', '.'), loadOnce(session, file).names)
  return isPackage(session, path) ? new PackageValue(path) : undefined
}

/** A name that a module or package of the program has. */
export function nameInModule(session: Session, path: string, name: string): Value | undefined {
  const ours = moduleHere(session, path)?.attributes.get(name)
  if (ours !== undefined) return ours
  const file = `${path}.py`
  if (session.program?.modules.has(file) || session.readModule(file) !== undefined) return loadOnce(session, file).names.get(name)
  return nameInPackage(session, path, name)
}

/** All names of a module, for `from module import *`. */
export function allNames(session: Session, path: string): ReadonlyMap<string, Value> | undefined {
  const file = [`${path}.py`, `${path}/__init__.py`].find((candidate) => session.readModule(candidate) !== undefined)
  return file === undefined ? undefined : loadOnce(session, file).names
}

function isPackage(session: Session, path: string): boolean {
  return session.readModule(`${path}/__init__.py`) !== undefined || session.program?.data.kind(path) === 'folder'
}

/** Runs a module that was not run yet. In a circle, what has been run so far is there, as in Python. */
export function loadOnce(session: Session, file: string): Scope {
  const known = session.program?.modules.get(file)
  if (known !== undefined) return known
  const module = session.readModule(file)
  if (module === undefined) throw new PythonError('ModuleNotFoundError', `No module named '${file}'`)
  const { at } = session
  const scope = session.atModuleLevel(() => runModule(session, file, module))
  session.at = at
  return scope
}

/** A name of a package: what its `__init__.py` defines or imports, else a module of its folder. */
function nameInPackage(session: Session, folder: string, name: string): Value | undefined {
  const file = `${folder}/__init__.py`
  const known = session.program?.modules.get(file)?.names.get(name)
  if (known !== undefined) return known
  const init = session.readModule(file)
  if (init !== undefined) {
    if (defines(init.body, name)) return loadOnce(session, file).names.get(name)
    const source = sourceOf(session, init, name, maxReexports)
    if (source !== undefined) return nameInModule(session, source.path, source.name)
  }
  return moduleOfProgram(session, joinPath(folder, name))
}

type Source = { path: string; name: string }

/** The module from which a file imports a name. Nothing is run to find it: names of star imports are looked for in the text. */
function sourceOf(session: Session, module: Module, name: string, left: number): Source | undefined {
  if (left === 0) return undefined
  for (const statement of [...importsOf(module.body)].reverse()) {
    const imported = statement.names.find((each) => each.name === '*' || (each.as ?? each.name) === name)
    if (imported === undefined) continue
    const path = pathOf(statement, module.file)
    if (imported.name !== '*') {
      // `from . import module`
      return statement.module === ''
        ? { path: folderOf(joinPath(path, imported.name)), name: imported.name }
        : { path, name: imported.name }
    }
    if (!name.startsWith('_') && has(session, path, name, left - 1)) return { path, name }
  }
  return undefined
}

/** Whether a module gives a name, by its text. */
function has(session: Session, path: string, name: string, left: number): boolean {
  for (const file of [`${path}.py`, `${path}/__init__.py`]) {
    const isInit = file.endsWith('/__init__.py')
    if (!isInit && !session.readText(file)?.includes(name)) continue
    const module = session.readModule(file)
    if (module === undefined) continue
    return defines(module.body, name) || sourceOf(session, module, name, left) !== undefined
  }
  return false
}

function* importsOf(body: readonly Statement[]): Iterable<ImportFrom> {
  for (const statement of body) {
    if (statement.kind === 'import-from') yield statement
    else yield* importsOf(blocksOf(statement))
  }
}

/** Whether statements define a name, other than by importing it from another file. */
function defines(body: readonly Statement[], name: string): boolean {
  return body.some((statement) => {
    if (statement.kind === 'function' || statement.kind === 'class') return statement.name === name
    if (statement.kind === 'assign') return statement.targets.some((target) => target.kind === 'name' && target.name === name)
    return defines(blocksOf(statement), name)
  })
}

function blocksOf(statement: Statement): readonly Statement[] {
  if (statement.kind === 'if') return [...statement.body, ...statement.otherwise]
  return statement.kind === 'try' ? [...statement.body, ...statement.handlers.flatMap(({ body }) => body), ...statement.otherwise] : []
}

/** The path that an import names, from the root. */
export function pathOf({ level, module }: Pick<ImportFrom, 'level' | 'module'>, file: string): string {
  const name = module.replaceAll('.', '/')
  if (level === 0) return name
  const folders = file.split('/').slice(0, -1)
  return joinPath(...folders.slice(0, folders.length - level + 1), name)
}

/** `from module import names` of the program; false if it has no such module. */
export function importFromProgram(session: Session, { level, module, names }: ImportFrom, scope: Scope): boolean {
  const path = pathOf({ level, module }, scope.module.file)
  for (const { name, as } of names) {
    if (name === '*') {
      const all = allNames(session, path)
      if (all === undefined) return false
      for (const [key, value] of all) if (!key.startsWith('_')) scope.set(key, value)
      continue
    }
    const value = nameInModule(session, path, name)
    if (value === undefined) {
      if (!isThere(session, path)) return false
      throw new PythonError('ImportError', `cannot import name '${name}' from '${path.replaceAll('/', '.')}'`)
    }
    scope.set(as ?? name, value)
  }
  return true
}

function isThere(session: Session, path: string): boolean {
  return session.readModule(`${path}.py`) !== undefined || isPackage(session, path)
}
