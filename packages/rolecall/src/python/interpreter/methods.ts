import {
  bind,
  compareValues,
  equals,
  formatMethod,
  isInt,
  isListValue,
  isNumber,
  type Kwargs,
  notUnderstood,
  OriginDict,
  PySet,
  PythonError,
  methodOf as plainMethodOf,
  plainText,
  positional,
  repr,
  Tuple,
  truthy,
  typeError,
  typeName,
  type Value,
  valueError,
} from '@rolecall/core/internal/python'
import { attributeOf, itemAt } from './access.ts'
import { encoded } from './bytes.ts'
import { call } from './call.ts'
import { deepCopy, isMutableDict, itemsOf, type MutableDict, newSet, sameKey, setItem, shallowCopy } from './containers.ts'
import { NativeSignature } from './native-signature.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { translated } from './translation.ts'
import { Builtin, FileValue, Unknown } from './values.ts'

type Method<Self> = (session: Session, self: Self, args: readonly Value[], kwargs: Kwargs, scope: Scope) => Value

/** The method of this name that a value has. */
export function methodOf(value: Value, name: string): Method<never> | undefined {
  const own = isListValue(value)
    ? listMethods[name]
    : isMutableDict(value)
      ? dictMethods[name]
      : value instanceof PySet
        ? setMethods[name]
        : value instanceof FileValue
          ? fileMethods[name]
          : typeof value === 'string'
            ? textMethods[name]
            : isNumber(value)
              ? numberMethods[name]
              : undefined
  if (own !== undefined) return withoutKeywords(name, own as Method<never>)
  const plain = plainMethodOf(value, name)
  if (plain === undefined) return undefined
  return (session, self, args, kwargs) => {
    // A text made from an unknown value is unknown.
    const unknown = [...args, ...(kwargs?.values() ?? [])].find((arg) => arg instanceof Unknown)
    if (unknown !== undefined) return unknown
    for (const arg of args) session.measure(arg)
    for (const arg of kwargs?.values() ?? []) session.measure(arg)
    // The views of a dict are not written out.
    if (!isMutableDict(value)) session.measure(value)
    const plainArgs = args.map((arg) => (arg instanceof FileValue ? itemsOf(session, arg) : arg))
    return session.made(plain(session, self, plainArgs, kwargs))
  }
}

/** Methods that take keywords, and those that take no arguments. */
const takesKeywords = new Set(['encode', 'format', 'sort', 'update'])
const takesNothing = new Set(['clear', 'reverse', 'popitem', 'copy', 'deepcopy', 'to_dict', 'readlines', 'close'])

function withoutKeywords(name: string, method: Method<never>): Method<never> {
  return (session, self, args, kwargs, scope) => {
    if (takesNothing.has(name)) positional(name, 0, 0, args, kwargs)
    else if (!takesKeywords.has(name) && (kwargs?.size ?? 0) > 0) throw typeError(`${name}() takes no keyword arguments`)
    return method(session, self, args, kwargs, scope)
  }
}

/** `str.join`, `list.append` and the like: a method that is given its object; undefined if the type has none of this name. */
export function unboundMethod(type: string, name: string): Builtin | undefined {
  const instance = Object.hasOwn(instances, type) ? instances[type]! : undefined
  if (instance === undefined || methodOf(instance, name) === undefined) return undefined
  return new Builtin(name, (session, [self, ...args], kwargs, scope) => {
    if (self instanceof Unknown) return self
    const method = self !== undefined && typeName(self) === type ? methodOf(self, name) : undefined
    if (method === undefined) throw typeError(`descriptor '${name}' for '${type}' objects doesn't apply to a '${typeName(self)}' object`)
    return method(session, self as never, args, kwargs, scope)
  })
}

const instances: Readonly<Record<string, Value>> = {
  str: '',
  list: [],
  dict: new OriginDict(),
  set: new PySet(new Map()),
  tuple: new Tuple([]),
  int: 0,
  float: 0.5,
}

const textMethods: Readonly<Record<string, Method<string>>> = {
  __proto__: null as never,
  encode(session, self, args, kwargs) {
    const [encoding] = bind('encode', ['encoding'], 0, args, kwargs)
    return encoded(session, self, encoding)
  },
  // As in Python, a field that is missing is an error; in a template it is empty.
  format: (session, self, args, kwargs) => formatText(session, self, args, kwargs),
  format_map(session, self, args) {
    positional('format_map', 1, 1, args, undefined)
    return formatText(session, self, [], new Map(pairsOf(session, args[0]!).map(([key, value]) => [String(key), value])))
  },
  translate(session, self, args) {
    positional('translate', 1, 1, args, undefined)
    const [table] = args
    if (table instanceof Unknown) return table
    if (!isMutableDict(table!)) throw typeError(`'${typeName(table)}' object is not subscriptable`)
    session.step(self.length >> 2)
    return session.made(translated(self, table))
  },
}

function formatText(session: Session, self: string, args: readonly Value[], kwargs: Kwargs): Value {
  const given = [...args, ...(kwargs?.values() ?? [])]
  for (const value of given) session.measure(value)
  return (
    given.find((value) => value instanceof Unknown) ??
    session.made(
      formatMethod(self, args, kwargs, {
        attribute: (value, name) => attributeOf(session, value, name),
        item: (value, key) => itemAt(session, value, key),
      }) as Value,
    )
  )
}

type List = Value[]

const listMethods: Readonly<Record<string, Method<List>>> = {
  __proto__: null as never,
  append(session, self, args) {
    positional('append', 1, 1, args, undefined)
    session.allocate(null, 1)
    self.push(args[0]!)
    return null
  },
  extend(session, self, args) {
    positional('extend', 1, 1, args, undefined)
    const items = [...itemsOf(session, args[0]!)]
    session.allocate(null, items.length)
    for (const item of items) self.push(item)
    return null
  },
  insert(session, self, args) {
    positional('insert', 2, 2, args, undefined)
    session.allocate(null, 1)
    session.step(self.length >> 6)
    self.splice(indexOf(args[0]!), 0, args[1]!)
    return null
  },
  pop(_, self, args) {
    positional('pop', 0, 1, args, undefined)
    if (self.length === 0) throw new PythonError('IndexError', 'pop from empty list')
    const at = args[0] === undefined ? self.length - 1 : indexOf(args[0])
    const index = at < 0 ? at + self.length : at
    if (index < 0 || index >= self.length) throw new PythonError('IndexError', 'pop index out of range')
    return self.splice(index, 1)[0]!
  },
  remove(session, self, args) {
    positional('remove', 1, 1, args, undefined)
    session.measure(self)
    const index = self.findIndex((item) => equals(item, args[0]!))
    if (index < 0) throw valueError('list.remove(x): x not in list')
    self.splice(index, 1)
    return null
  },
  clear(_, self) {
    self.length = 0
    return null
  },
  reverse(session, self) {
    session.step(self.length)
    self.reverse()
    return null
  },
  sort(session, self, args, kwargs, scope) {
    sortSignature.bind(args, kwargs)
    const sorted = sortValues(session, self, kwargs, scope)
    for (const [index, value] of sorted.entries()) self[index] = value
    return null
  },
}

const sortSignature = new NativeSignature('sort(*, key=None, reverse=False)')

/** Python's stable sort with `key` and `reverse`. */
export function sortValues(session: Session, items: readonly Value[], kwargs: Kwargs, scope: Scope): Value[] {
  const key = kwargs?.get('key') ?? null
  const reverse = truthy(kwargs?.get('reverse') ?? false)
  if (key === null && items.every((item) => typeof item === 'string' && !surrogate.test(item))) return sortTexts(session, items, reverse)
  const keyed = items.map((item) => ({ item, key: key === null ? item : call(session, key, [item], undefined, scope) }))
  for (const { key } of keyed) session.measure(key)
  session.step(items.length * 8)
  // Sorting the reversed list keeps equal ones in their order when it is turned round.
  if (reverse) keyed.reverse()
  keyed.sort((a, b) => compareValues(a.key, b.key))
  if (reverse) keyed.reverse()
  return session.made(keyed.map(({ item }) => item)) as Value[]
}

const surrogate = /[\uD800-\uDFFF]/

/** Without surrogates, the order of JavaScript is that of code points. */
function sortTexts(session: Session, texts: readonly Value[], reverse: boolean): Value[] {
  session.step(texts.length)
  const sorted = [...texts].sort()
  return session.made(reverse ? sorted.reverse() : sorted) as Value[]
}

const dictMethods: Readonly<Record<string, Method<MutableDict>>> = {
  __proto__: null as never,
  get(session, self, args) {
    positional('get', 1, 2, args, undefined)
    const value = self.get(sameKey(session, self, args[0]!))
    return value === undefined ? (args[1] ?? null) : value
  },
  update(session, self, args, kwargs) {
    positional('update', 0, 1, args, undefined)
    if (args[0] !== undefined) for (const [key, value] of pairsOf(session, args[0])) setItem(session, self, key, value)
    for (const [key, value] of kwargs ?? []) setItem(session, self, key, value)
    return null
  },
  pop(session, self, args) {
    positional('pop', 1, 2, args, undefined)
    const key = sameKey(session, self, args[0]!)
    const value = self.get(key)
    if (value === undefined) {
      if (args[1] !== undefined) return args[1]
      throw new PythonError('KeyError', plainText(repr(args[0]!)))
    }
    self.delete(key)
    return value
  },
  popitem(_, self) {
    const last = [...self].at(-1)
    if (last === undefined) throw new PythonError('KeyError', "'popitem(): dictionary is empty'")
    self.delete(last[0])
    return new Tuple(last as [Value, Value])
  },
  setdefault(session, self, args) {
    positional('setdefault', 1, 2, args, undefined)
    const found = self.get(sameKey(session, self, args[0]!))
    if (found !== undefined) return found
    setItem(session, self, args[0]!, args[1] ?? null)
    return args[1] ?? null
  },
  clear(_, self) {
    self.clear()
    return null
  },
  most_common(session, self, args) {
    positional('most_common', 0, 1, args, undefined)
    if (!session.counters.has(self)) throw new PythonError('AttributeError', "'dict' object has no attribute 'most_common'")
    const pairs = [...self].sort(([, a], [, b]) => Number(b) - Number(a)).map(([key, count]) => new Tuple([key, count]))
    return session.made(args[0] === undefined || args[0] === null ? pairs : pairs.slice(0, Number(args[0])))
  },
  copy: (session, self) => shallowCopy(session, self as never),
  // mmengine's dicts have these two.
  deepcopy: (session, self) => deepCopy(session, self as never),
  to_dict: (session, self) => deepCopy(session, self as never),
}

/** The entries of a dict, or of a list of pairs. */
export function pairsOf(session: Session, value: Value): (readonly [Value, Value])[] {
  if (isMutableDict(value)) return [...value]
  return itemsOf(session, value).map((pair, index) => {
    const items = itemsOf(session, pair)
    if (items.length !== 2) throw valueError(`dictionary update sequence element #${index} has length ${items.length}; 2 is required`)
    return [items[0]!, items[1]!] as const
  })
}

const setMethods: Readonly<Record<string, Method<PySet>>> = {
  __proto__: null as never,
  add(session, self, args) {
    positional('add', 1, 1, args, undefined)
    setItem(session, self.dict, args[0]!, null)
    return null
  },
  update(session, self, args) {
    for (const arg of args) for (const item of itemsOf(session, arg)) setItem(session, self.dict, item, null)
    return null
  },
  discard(session, self, args) {
    positional('discard', 1, 1, args, undefined)
    self.dict.delete(sameKey(session, self.dict, args[0]!))
    return null
  },
  remove(session, self, args) {
    positional('remove', 1, 1, args, undefined)
    if (!self.dict.delete(sameKey(session, self.dict, args[0]!))) throw new PythonError('KeyError', plainText(repr(args[0]!)))
    return null
  },
  union: (session, self, args) => newSet(session, [...self.items, ...args.flatMap((arg) => itemsOf(session, arg))]),
  intersection: (session, self, args) => keep(session, self, args, true),
  difference: (session, self, args) => keep(session, self, args, false),
  issubset: (session, self, args) => {
    positional('issubset', 1, 1, args, undefined)
    const other = newSet(session, itemsOf(session, args[0]!))
    return self.items.every((item) => has(session, other, item))
  },
  issuperset: (session, self, args) => {
    positional('issuperset', 1, 1, args, undefined)
    return itemsOf(session, args[0]!).every((item) => has(session, self, item))
  },
  isdisjoint: (session, self, args) => {
    positional('isdisjoint', 1, 1, args, undefined)
    return !itemsOf(session, args[0]!).some((item) => has(session, self, item))
  },
  copy: (session, self) => newSet(session, self.items),
}

function keep(session: Session, self: PySet, others: readonly Value[], inAll: boolean): PySet {
  const sets = others.map((other) => newSet(session, itemsOf(session, other)))
  return newSet(
    session,
    self.items.filter((item) => (inAll ? sets.every((set) => has(session, set, item)) : !sets.some((set) => has(session, set, item)))),
  )
}

export function has(session: Session, { dict }: PySet, item: Value): boolean {
  return dict.has(sameKey(session, dict, item))
}

/** Methods of numpy's numbers, which are Python's here. */
const numberMethods: Readonly<Record<string, Method<Value>>> = {
  __proto__: null as never,
  astype: (session, self, args, _, scope) => call(session, args[0]!, [self], undefined, scope),
  item: (_, self) => self,
}

const fileMethods: Readonly<Record<string, Method<FileValue>>> = {
  __proto__: null as never,
  read: (session, self, [size = null]) => session.made(size === null || Number(size) < 0 ? self.rest() : self.some(indexOf(size))),
  readline: (session, self, args) => {
    if (args.length > 0) throw notUnderstood(session.at, 'readline with a size', 'leave it out')
    return self.line()
  },
  seek: (_, self, args) => {
    self.position = Number(args[0] ?? 0)
    return self.position
  },
  readlines: (session, self) => session.made([...itemsOf(session, self)]),
  close: () => null,
}

function indexOf(value: Value): number {
  if (!isInt(value)) throw typeError('an integer is required')
  return Number(value)
}
