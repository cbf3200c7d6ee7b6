import type { Module, Statement } from '@rolecall/core/internal/python'
import { isStr, notUnderstood, type Value } from '@rolecall/core/internal/python'
import { evaluate } from './evaluate.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import type { NameRef } from './values.ts'

/** Files that re-export a name. */
const maxSteps = 6

/**
 * The text of a constant that a config imports from a package (`from opencompass.datasets.x import PROMPT`), if the root has the package: it
 * is looked up in its file, which is not run. A prompt must never contain the constant's name in place of its text.
 */
export function constantOf(session: Session, name: NameRef): string {
  const { at } = session
  const found = constantIfThere(session, name)
  if (found !== undefined) return found
  throw notUnderstood(
    at,
    `the text of "${name.name}", which is not part of the config (${name.path}),`,
    'write it out, or name the folder that has the package with --root',
  )
}

/** The same; undefined where it is not found. */
export function constantIfThere(session: Session, name: NameRef): string | undefined {
  const { at } = session
  const found = attemptLookUp(session, name.path.split('.'), maxSteps)
  session.at = at
  return typeof found === 'string' ? found : undefined
}

function lookUp(session: Session, path: readonly string[], steps: number): Value | undefined {
  if (steps === 0) return undefined
  for (let length = path.length - 1; length > 0; length--) {
    const folder = path.slice(0, length).join('/')
    for (const file of [`${folder}.py`, `${folder}/__init__.py`]) {
      const module = session.readModule(file)
      if (module) return inModule(session, module, path.slice(length), steps)
    }
  }
  return undefined
}

function inModule(session: Session, module: Module, names: readonly string[], steps: number): Value | undefined {
  const own = inStatements(session, module.body, names, module.file)
  if (own !== undefined) return own
  for (const statement of module.body) {
    if (statement.kind !== 'import-from') continue
    const imported = statement.names.find((each) => (each.as ?? each.name) === names[0] || each.name === '*')
    if (imported === undefined) continue
    const from =
      statement.level === 0 ? statement.module.split('.') : [...folderOf(module.file, statement.level), ...dotted(statement.module)]
    const found = attemptLookUp(session, [...from, imported.name === '*' ? names[0]! : imported.name, ...names.slice(1)], steps - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** A file of a package that cannot be read is not the one that has it. */
function attemptLookUp(session: Session, path: readonly string[], steps: number): Value | undefined {
  return session.attempt(
    () => lookUp(session, path, steps),
    () => undefined,
  )
}

function inStatements(session: Session, body: readonly Statement[], [name, ...rest]: readonly string[], file: string): Value | undefined {
  for (const statement of [...body].reverse()) {
    if (statement.kind === 'class' && statement.name === name) return inStatements(session, statement.body, rest, file)
    const isOwn = statement.kind === 'assign' && statement.targets.some((target) => target.kind === 'name' && target.name === name)
    if (!isOwn || rest.length > 0) continue
    const value = evaluate(session, (statement as Extract<Statement, { kind: 'assign' }>).value, new Scope(file))
    return isStr(value) ? value : undefined
  }
  return undefined
}

function folderOf(file: string, level: number): string[] {
  const folders = file.split('/').slice(0, -1)
  return folders.slice(0, folders.length - level + 1)
}

function dotted(module: string): string[] {
  return module === '' ? [] : module.split('.')
}
