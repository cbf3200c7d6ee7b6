import { isListValue, Tuple, type Value } from '../jinja/values/value.ts'
import { PromptError } from '../prompt-error.ts'
import { PyFloat, pyStr } from '../python/index.ts'
import { ImportLimitError } from './import-error.ts'
import { isMutableDict } from './run/dicts.ts'
import { refuseUnknown } from './run/items.ts'
import type { Session } from './run/session.ts'
import { Builtin, ellipsis, FileValue, NameRef, PathValue, PySet, Unknown, UserFunction } from './run/values.ts'
import type { Remark } from './syntax/ast.ts'
import { toPyValue } from './to-py-value.ts'

type RemarkMap = WeakMap<object, Map<string | number, Remark>>

/**
 * A value as a config has it: plain data, classes and functions by their names. What documents write as `...` is left out.
 * Parts that are shared are counted, by steps, each time they are written.
 */
export function toConfigValue(session: Session, value: Value, where: string, remarks: RemarkMap, depth = 0): unknown {
  session.step()
  if (depth > 100) throw new ImportLimitError(session.at, `${where.slice(0, 100)} is nested more than 100 levels deep`)
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value
  if (value instanceof PyFloat) return value.value
  if (typeof value === 'bigint') return Number(value)
  const inner = (item: Value, key: string | number) =>
    toConfigValue(session, item, typeof key === 'number' ? `${where}[${key}]` : `${where}.${key}`, remarks, depth + 1)
  if (isListValue(value) || value instanceof Tuple || value instanceof PySet) {
    const items = isListValue(value) ? value : value.items
    const list: unknown[] = []
    const marks = session.remarks.get(value)
    for (const [index, item] of items.entries()) {
      if (item === ellipsis) {
        leftOut(session, `${where}[${index}]`)
        continue
      }
      mark(remarks, list, list.length, marks?.get(index))
      list.push(inner(item, index))
    }
    return list
  }
  if (isMutableDict(value)) {
    const object: Record<string, unknown> = {}
    const marks = session.remarks.get(value)
    for (const [key, item] of value) {
      const name = typeof key === 'string' ? key : pyStr(toPyValue(key))
      if (item === ellipsis) {
        leftOut(session, `${where}.${name}`)
        continue
      }
      mark(remarks, object, name, marks?.get(key))
      Object.defineProperty(object, name, { value: inner(item, name), enumerable: true, configurable: true, writable: true })
    }
    return object
  }
  if (value instanceof NameRef || value instanceof UserFunction || value instanceof Builtin) return value.name
  if (value instanceof PathValue) return value.path
  if (value instanceof Unknown) refuseUnknown(session, value)
  throw new PromptError('not-understood', {
    where,
    problem: value instanceof FileValue ? 'an open file is no value of a config' : 'this value is no plain data',
    fix: 'write a string, a number, a list or a dict',
  })
}

function mark(remarks: RemarkMap, container: object, key: string | number, remark: Remark | undefined): void {
  if (remark === undefined) return
  const known = remarks.get(container)
  if (known) known.set(key, remark)
  else remarks.set(container, new Map([[key, remark]]))
}

function leftOut(session: Session, where: string): void {
  session.notes.push({ code: 'left-out', where, text: 'it is "..." in the file, and was left out' })
}
