import { typeError } from '../python-error.ts'
import type { Module, Statement } from '../syntax/ast.ts'
import { pythonError } from '../syntax/import-error.ts'
import { isListValue, type Value } from '../values/value.ts'
import { isMutableDict, type MutableDict, newDict, setItem } from './dicts.ts'
import { evaluate } from './evaluate.ts'
import { folderOf, joinPath, normalizePath } from './paths.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'

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

/** What the file says, put over what its bases say: dicts are merged, unless they have `_delete_=True`; anything else is replaced. */
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
  return made as unknown as Value
}

function isDeleted(dict: MutableDict): boolean {
  return dict.get('_delete_') === true
}

function withoutMark(session: Session, dict: MutableDict): Value {
  if (!dict.has('_delete_')) return dict as unknown as Value
  return newDict(
    session,
    [...dict].filter(([key]) => key !== '_delete_'),
  ) as unknown as Value
}
