import type { AssignTarget } from '@rolecall/core/internal/python'
import {
  isInt,
  isListValue,
  notUnderstood,
  PythonError,
  plainNumber,
  Slice,
  sliceBounds,
  typeError,
  typeName,
  type Value,
  valueError,
} from '@rolecall/core/internal/python'
import { Instance, UserClass } from './classes.ts'
import { isMutableDict, itemsOf, sameKey, setItem } from './containers.ts'
import { evaluate } from './evaluate.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { NativeObject, Unknown } from './values.ts'

/** Gives a value to a name, an item, an attribute, or to each of several. */
export function assign(session: Session, target: AssignTarget, value: Value, scope: Scope): void {
  switch (target.kind) {
    case 'name':
      scope.set(target.name, value)
      return
    case 'tuple':
    case 'list':
      assignEach(session, target, value, scope)
      return
    case 'item': {
      const object = evaluate(session, target.object, scope)
      const key = evaluate(session, target.key, scope)
      session.at = target.object.at
      assignItem(session, object, key, value)
      return
    }
    case 'attribute': {
      const object = evaluate(session, target.object, scope)
      session.at = target.at
      assignAttribute(session, object, target, value)
      return
    }
    default:
      throw notUnderstood(target.at, 'an assignment to this', 'write a name before the "="')
  }
}

/** `object.name = value`. */
export function assignAttribute(
  session: Session,
  object: Value,
  { name, at }: Extract<AssignTarget, { kind: 'attribute' }>,
  value: Value,
): void {
  // mmengine's dicts have their keys as attributes.
  if (isMutableDict(object)) setItem(session, object, name, value)
  else if (object instanceof Instance) object.fields.set(name, value)
  else if (object instanceof UserClass) object.names.set(name, value)
  else if (!(object instanceof Unknown)) throw notUnderstood(at, `setting an attribute of a ${typeName(object)}`, 'remove the line')
}

function assignEach(session: Session, target: Extract<AssignTarget, { kind: 'tuple' | 'list' | 'set' }>, value: Value, scope: Scope): void {
  session.at = target.at
  if (value instanceof Unknown) {
    for (const each of target.items) assign(session, each.kind === 'star' ? each.value : each, value, scope)
    return
  }
  const items = itemsOf(session, value)
  const { length } = target.items
  const star = target.items.findIndex(({ kind }) => kind === 'star')
  if (star < 0 ? items.length !== length : items.length < length - 1) {
    if (items.length > length) throw valueError(`too many values to unpack (expected ${length})`)
    throw valueError(`not enough values to unpack (expected ${star < 0 ? length : `at least ${length - 1}`}, got ${items.length})`)
  }
  const taken = star < 0 ? 0 : items.length - length + 1
  let next = 0
  for (const each of target.items) {
    if (each.kind === 'star') {
      assign(session, each.value, items.slice(next, next + taken), scope)
      next += taken
    } else assign(session, each, items[next++]!, scope)
  }
}

/** `object[key] = value`. */
export function assignItem(session: Session, object: Value, key: Value, value: Value): void {
  if (object instanceof Unknown) return
  if (isMutableDict(object)) setItem(session, object, key, value)
  else if (object instanceof NativeObject && object.assign) object.assign(session, key, value)
  else if (isListValue(object)) {
    const list = object as Value[]
    if (key instanceof Slice) {
      const [from, to, by] = sliceBounds(list.length, key.start, key.stop, key.step)
      if (by !== 1) throw notUnderstood(session.at, 'an assignment to a slice with a step', 'assign to one item after the other')
      const items = [...itemsOf(session, value)]
      session.allocate(null, items.length)
      list.splice(from, Math.max(0, to - from), ...items)
    } else list[indexIn(list, key)] = value
  } else throw typeError(`'${typeName(object)}' object does not support item assignment`)
}

/** `del`. */
export function remove(session: Session, target: AssignTarget, scope: Scope): void {
  session.at = target.at
  if (target.kind === 'name') {
    if (!scope.delete(target.name)) throw new PythonError('NameError', `name '${target.name}' is not defined`)
    return
  }
  if (target.kind === 'tuple' || target.kind === 'list') {
    for (const each of target.items) remove(session, each, scope)
    return
  }
  if (target.kind !== 'item') throw notUnderstood(target.at, 'a "del" of this', 'remove the line')
  const object = evaluate(session, target.object, scope)
  const key = evaluate(session, target.key, scope)
  session.at = target.object.at
  if (object instanceof Unknown) return
  if (isMutableDict(object)) {
    if (!object.delete(sameKey(session, object, key))) throw new PythonError('KeyError', String(key))
  } else if (isListValue(object)) {
    const list = object as Value[]
    if (key instanceof Slice) {
      const [from, to, by] = sliceBounds(list.length, key.start, key.stop, key.step)
      if (by !== 1) throw notUnderstood(session.at, 'a "del" of a slice with a step', 'delete one item after the other')
      list.splice(from, Math.max(0, to - from))
    } else list.splice(indexIn(list, key), 1)
  } else throw typeError(`'${typeName(object)}' object does not support item deletion`)
}

function indexIn(list: readonly Value[], given: Value): number {
  const key = plainNumber(given)
  if (!isInt(key)) throw typeError(`list indices must be integers or slices, not ${typeName(key)}`)
  const index = Number(key) < 0 ? Number(key) + list.length : Number(key)
  if (index < 0 || index >= list.length) throw new PythonError('IndexError', 'list assignment index out of range')
  return index
}
