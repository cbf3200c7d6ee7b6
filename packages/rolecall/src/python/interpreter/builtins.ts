import {
  add,
  calculate,
  compareValues,
  formatValue,
  Generator,
  intArgument,
  isInt,
  isListValue,
  isNumber,
  type Kwargs,
  notUnderstood,
  numeric,
  PythonError,
  plainNumber,
  plainText,
  powerModulo,
  Range,
  repr,
  round,
  str,
  Tuple,
  typeError,
  typeName,
  type Value,
  valueError,
} from '@rolecall/core/internal/python'
import { parseInner } from '../syntax/parse-atom.ts'
import { attributeOf, isPythonAttribute } from './access.ts'
import { call } from './call.ts'
import { DecoratedMethod, Instance, isInstanceOf, superOf, UserClass } from './classes.ts'
import { generator, isMutableDict, itemsOf, iterate, lengthOf, newDict, newSet, refuseUnknown, setItem } from './containers.ts'
import { toFloat, toInt } from './convert.ts'
import { evaluate } from './evaluate.ts'
import { ExceptionValue, isExceptionName, isKindOf } from './exceptions.ts'
import { methodOf, pairsOf, sortValues } from './methods.ts'
import { native } from './modules/define-module.ts'
import { roundedByNumpy } from './modules/numpy-scalar.ts'
import { openFile } from './modules/os-modules.ts'
import { binary, isTrue, unknownOf } from './operators.ts'
import type { Session } from './session.ts'
import { makeTranslation } from './translation.ts'
import { Builtin, FileValue, ModuleValue, NameRef, type NativeFunction, NativeObject, PathValue, Unknown, UserFunction } from './values.ts'

/** Methods of types that are not given an object. */
const staticMethods: Readonly<Record<string, readonly Builtin[]>> = {
  __proto__: null as never,
  str: [native('maketrans(x, y=None, z=None, /)', makeTranslation)],
  dict: [
    native('fromkeys(iterable, value=None, /)', (session, args) =>
      newDict(
        session,
        itemsOf(session, args[0]!).map((key) => [key, args[1] ?? null] as const),
      ),
    ),
  ],
}

/** Python's built-in functions. */
export const builtins: ReadonlyMap<string, Value> = new Map<string, Value>([
  define('dict(iterable=(), /, **kwargs)', (session, args, kwargs) => {
    if (args[0] !== undefined) refuseUnknown(session, args[0])
    return newDict(session, [...(args[0] === undefined ? [] : pairsOf(session, args[0])), ...(kwargs ?? [])])
  }),
  define('list(iterable=(), /)', (session, [items = []]) => session.made([...itemsOf(session, items)])),
  define('tuple(iterable=(), /)', (session, [items = []]) => new Tuple([...itemsOf(session, items)])),
  ...['set', 'frozenset'].map((name) =>
    define(`${name}(iterable=(), /)`, (session, [items = []]) => newSet(session, itemsOf(session, items))),
  ),
  define("str(object='')", (session, [value = '']) => textOf(session, value, str)),
  define('repr(obj, /)', (session, args) => textOf(session, args[0]!, repr)),
  define('int(x=0, /, base=10)', toInt),
  define('float(x=0, /)', toFloat),
  define('bool(x=False, /)', (session, [value = false]) => isTrue(session, value)),
  define('len(obj, /)', (session, args) => {
    refuseUnknown(session, args[0]!)
    const length = lengthOf(session, args[0]!)
    if (length === undefined) throw typeError(`object of type '${typeName(args[0])}' has no len()`)
    return length
  }),
  define('range(start, stop=None, step=1, /)', (_, args) => {
    const [first, second, step = 1] = args.map((arg) => {
      if (!isInt(arg)) throw typeError(`'${typeName(arg)}' object cannot be interpreted as an integer`)
      return Number(arg)
    })
    if (step === 0) throw valueError('range() arg 3 must not be zero')
    return second === undefined ? new Range(0, first!, 1) : new Range(first!, second, step)
  }),
  define('enumerate(iterable, start=0)', (session, [items, start = 0]) => {
    if (!isInt(start)) throw typeError(`'${typeName(start)}' object cannot be interpreted as an integer`)
    return generator(itemsOf(session, items!).map((item, index) => new Tuple([add(start, index), item])))
  }),
  define('zip(*iterables, strict=False)', (session, args, kwargs) => {
    const lists = args.map((arg) => itemsOf(session, arg))
    const length = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length))
    const uneven = lists.findIndex((list) => list.length !== lists[0]!.length)
    if (uneven >= 0 && isTrue(session, kwargs?.get('strict') ?? false))
      throw valueError(`zip() argument ${uneven + 1} is ${lists[uneven]!.length < lists[0]!.length ? 'shorter' : 'longer'} than argument 1`)
    return generator(Array.from({ length }, (_, index) => new Tuple(lists.map((list) => list[index]!))))
  }),
  define('map(func, iterable, /, *iterables)', (session, args, _, scope) => {
    const [run, ...lists] = args
    const columns = lists.map((list) => itemsOf(session, list))
    const length = Math.min(...columns.map((column) => column.length))
    return generator(
      Array.from({ length }, (_, index) =>
        call(
          session,
          run!,
          columns.map((column) => column[index]!),
          undefined,
          scope,
        ),
      ),
    )
  }),
  define('filter(function, iterable, /)', (session, args, _, scope) => {
    const test = (item: Value) => isTrue(session, args[0] === null ? item : call(session, args[0]!, [item], undefined, scope))
    return generator(itemsOf(session, args[1]!).filter(test))
  }),
  define('sorted(iterable, /, *, key=None, reverse=False)', (session, args, kwargs, scope) =>
    sortValues(session, itemsOf(session, args[0]!), kwargs, scope),
  ),
  define('reversed(sequence, /)', (session, args) => generator([...itemsOf(session, args[0]!)].reverse())),
  define('sum(iterable, /, start=0)', (session, [items, start = 0]) => sum(session, itemsOf(session, items!), start)),
  define('any(iterable, /)', (session, args) => hasItem(session, args[0]!, true)),
  define('all(iterable, /)', (session, args) => !hasItem(session, args[0]!, false)),
  ...(['min', 'max'] as const).map((name) =>
    define(`${name}(first, /, *others, default=None, key=None)`, (session, args, kwargs, scope) =>
      extreme(session, name, args, kwargs, (item) => callKey(session, kwargs, item, scope)),
    ),
  ),
  define('abs(x, /)', (_, given) => {
    const args = given.map(plainNumber)
    if (!isNumber(args[0])) throw typeError(`bad operand type for abs(): '${typeName(args[0])}'`)
    return numeric(args[0]) < 0 ? calculate('-', 0, args[0]) : args[0]
  }),
  define('round(number, ndigits=None)', (_, [value, digits = null]) => {
    const places = digits === null ? undefined : intArgument(digits)
    return roundedByNumpy(value!, places === undefined ? undefined : Number(places)) ?? round(plainNumber(value!), places)
  }),
  define('divmod(x, y, /)', (_, args) => new Tuple([calculate('//', args[0]!, args[1]!), calculate('%', args[0]!, args[1]!)])),
  define('pow(base, exp, mod=None)', (_, [base, exponent, modulus = null]) =>
    modulus === null ? calculate('**', base!, exponent!) : powerModulo(base!, exponent!, modulus),
  ),
  define('chr(i, /)', (_, args) => {
    const code = Number(args[0])
    if (!isInt(args[0]) || code < 0 || code > 0x10ffff) throw valueError('chr() arg not in range(0x110000)')
    return String.fromCodePoint(code)
  }),
  define('ord(c, /)', (_, args) => {
    const [only] = args
    if (typeof only !== 'string' || [...only].length !== 1) throw typeError('ord() expected a character')
    return only.codePointAt(0)!
  }),
  define("format(value, format_spec='', /)", (session, [value, spec = '']) => {
    if (typeof spec !== 'string') throw typeError(`format() argument 2 must be str, not ${typeName(spec)}`)
    return session.made(plainText(formatValue(value!, spec)))
  }),
  define('isinstance(obj, class_or_tuple, /)', (session, args) => isInstance(session, args[0]!, args[1]!)),
  define('callable(obj, /)', (_, args) => args[0] instanceof Builtin || args[0] instanceof UserFunction || args[0] instanceof NameRef),
  define('type(object, bases=None, dict=None, /)', (session, args) => {
    if (args.length === 3) throw notUnderstood(session.at, 'type(…) with three arguments', 'write the class out')
    if (args.length === 2) throw typeError('type() takes 1 or 3 arguments')
    const name = typeName(args[0])
    return builtins.get(name) ?? session.name(name, name, true)
  }),
  define('getattr(object, name, default=None, /)', (session, args) => {
    const [object, name, fallback] = args
    if (typeof name !== 'string' && !(name instanceof Unknown)) throw typeError('attribute name must be string')
    if (typeof name === 'string') {
      if (session.strict && !(object instanceof Unknown) && !(object instanceof NameRef))
        return fallback === undefined || hasAttribute(session, object!, name) ? attributeOf(session, object!, name) : fallback
      if (isMutableDict(object!)) {
        const found = object.get(name)
        return found === undefined ? (fallback ?? null) : found
      }
    }
    return new Unknown(notUnderstood(session.at, 'getattr(…)', 'write what it gives'))
  }),
  define('setattr(obj, name, value, /)', (session, [object, name, value]) => {
    if (object === undefined || typeof name !== 'string') throw typeError('setattr needs a name')
    if (object instanceof Instance) object.fields.set(name, value ?? null)
    else if (object instanceof UserClass) object.names.set(name, value ?? null)
    else if (isMutableDict(object)) setItem(session, object, name, value ?? null)
    else throw typeError('setattr needs a dict or an object of a class')
    return null
  }),
  define('hasattr(obj, name, /)', (session, args) => {
    const [object, name] = args
    if (object === undefined || typeof name !== 'string') throw typeError('hasattr(): attribute name must be string')
    refuseUnknown(session, object)
    if (object instanceof NativeObject) return object.attribute(session, name) !== undefined
    // mmengine's dicts have their keys as attributes; those of a function that is run are Python's.
    return methodOf(object, name) !== undefined || (!session.strict && isMutableDict(object) && object.has(name))
  }),
  define('super(type=None, object=None, /)', (session, [type, object], _, scope) => superOf(session, scope, type, object)),
  ...(['classmethod', 'staticmethod', 'property'] as const).map((name) =>
    define(`${name}(function, /)`, (session, [made]) => {
      if (made instanceof UserFunction) return new DecoratedMethod(name, made)
      throw notUnderstood(session.at, `${name}(…) of what is no function of the code`, 'write it as a decorator')
    }),
  ),
  define('iter(object, /)', (session, args) => generator([...itemsOf(session, args[0]!)])),
  define('next(iterator, default=None, /)', (session, args) => {
    const [from, fallback] = args
    if (from instanceof FileValue && from.position < from.text.length) return from.line()
    if (!(from instanceof Generator)) throw typeError(`'${typeName(from)}' object is not an iterator`)
    session.step()
    const found = from.iterator.next()
    if (!found.done) return found.value
    if (fallback !== undefined) return fallback
    throw new PythonError('StopIteration', '')
  }),
  // The names themselves, not a copy: configs clean up with `del globals()[name]`.
  define('locals()', (_, __, ___, scope) => scope.function.names),
  define('vars()', (_, __, ___, scope) => scope.function.names),
  define('globals()', (_, __, ___, scope) => scope.module.names),
  define('dir()', (session, _, __, scope) => session.made([...scope.function.names.keys()].sort())),
  define('id(obj, /)', (session) => new Unknown(notUnderstood(session.at, 'id(…)', 'write a number'))),
  define('print(*args, **kwargs)', () => null),
  define('open(file, mode=None, **kwargs)', openFile),
  // Evaluates an expression as those of the file; nothing else is run.
  define('eval(source, /)', (session, args, _, scope) => {
    const [text] = args
    if (typeof text !== 'string') return new Unknown(notUnderstood(session.at, 'this eval(…)', 'write its result out'))
    const place = session.at
    return session.call(place, () => evaluate(session, parseInner(text.trim(), place, 0), scope))
  }),
  ...['exec', 'compile', 'input', '__import__'].map((name) =>
    define(
      `${name}(*args, **kwargs)`,
      (session) => new Unknown(notUnderstood(session.at, `${name}(…)`, 'write its result out: a config is read, not run')),
    ),
  ),
])

/** Whether one of the items is true, or false; those behind it are not made. */
function hasItem(session: Session, items: Value, wanted: boolean): boolean {
  for (const item of iterate(session, items)) if (isTrue(session, item) === wanted) return true
  return false
}

/** Whether an object of a function that is run has an attribute, or Python's own would have it. */
function hasAttribute(session: Session, object: Value, name: string): boolean {
  if (object instanceof NativeObject) return object.attribute(session, name) !== undefined
  return methodOf(object, name) !== undefined || isPythonAttribute(object, name)
}

function define(signature: string, run: NativeFunction): [string, Builtin] {
  const name = signature.slice(0, signature.indexOf('('))
  return [name, native(signature, run, new Map(staticMethods[name]?.map((method) => [method.name, method])), true)]
}

function textOf(session: Session, value: Value, show: (value: Value) => ReturnType<typeof str>): Value {
  if (value instanceof Unknown) return value
  // A name without a value has no text either.
  if (value instanceof NameRef) return value.declared ? `<class '${value.path}'>` : unknownOf(session, value)!
  session.measure(value)
  if (value instanceof PathValue) return show === str ? value.path : value.show()
  if (value instanceof NativeObject && value.toStr && show === str) return value.toStr()
  return session.made(plainText(show(value)))
}

/** Adding up lists one by one would copy them each time; Python does, and is slow. */
function sum(session: Session, items: readonly Value[], start: Value): Value {
  if (isListValue(start) && items.every(isListValue)) {
    const all = [...start, ...(items as readonly (readonly Value[])[]).flat()]
    return session.made(all)
  }
  if (typeof start === 'string') throw typeError("sum() can't sum strings [use ''.join(seq) instead]")
  let total: Value = start
  for (const item of items) total = binary(session, '+', total, item)
  return total
}

function callKey(session: Session, kwargs: Kwargs, item: Value, scope: Parameters<NativeFunction>[3]): Value {
  const key = kwargs?.get('key') ?? null
  return key === null ? item : call(session, key, [item], undefined, scope)
}

function extreme(session: Session, name: 'min' | 'max', args: readonly Value[], kwargs: Kwargs, keyOf: (item: Value) => Value): Value {
  const items = args.length === 1 ? itemsOf(session, args[0]!) : args
  const [first] = items
  if (first === undefined) {
    const fallback = kwargs?.get('default')
    if (fallback !== undefined) return fallback
    throw valueError(`${name}() arg is an empty sequence`)
  }
  let best = { item: first, key: keyOf(first) }
  for (const item of items.slice(1)) {
    const key = keyOf(item)
    session.measure(key)
    const order = compareValues(key, best.key)
    if (name === 'min' ? order < 0 : order > 0) best = { item, key }
  }
  return best.item
}

function isInstance(session: Session, value: Value, type: Value): Value {
  if (type instanceof Tuple) return type.items.some((each) => isInstance(session, value, each) === true)
  if (value instanceof Unknown) throw value.error
  const isOfClass = isInstanceOf(value, type)
  if (isOfClass !== undefined) return isOfClass
  if (value instanceof ExceptionValue && type instanceof NameRef) return isKindOf(value, type.name)
  if (type instanceof NameRef && isExceptionName(type.name)) return false
  if (type instanceof ModuleValue && /^datasets\.[A-Z]/.test(type.name)) return `datasets.${typeName(value)}` === type.name
  const sequences = type instanceof NameRef ? abstractTypes[type.path] : undefined
  if (sequences !== undefined) return isPlain(value) ? sequences.includes(typeName(value)) : refuse()
  if (!(type instanceof Builtin)) {
    if (session.strict) return refuse()
    return false
  }
  const name = typeName(value)
  // numpy's float64 is a float.
  return name === type.name || (type.name === 'int' && name === 'bool') || (type.name === 'float' && name === 'numpy.float64')

  function refuse(): never {
    throw notUnderstood(session.at, 'isinstance(…) of a class that is not built in', 'test for str, int, float, list, dict …')
  }
}

function isPlain(value: Value): boolean {
  return (!(value instanceof NativeObject) || value.number !== undefined) && !(value instanceof NameRef)
}

/** Abstract classes and the types that they include. */
const abstractTypes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    Sequence: ['str', 'list', 'tuple', 'range'],
    MutableSequence: ['list'],
    Mapping: ['dict', 'defaultdict', 'Counter', 'OrderedDict'],
    MutableMapping: ['dict', 'defaultdict', 'Counter', 'OrderedDict'],
    Iterable: ['str', 'list', 'tuple', 'range', 'dict', 'set', 'generator', 'dict_keys', 'dict_values', 'dict_items'],
    Number: ['int', 'float', 'bool', 'numpy.float64', 'numpy.int64'],
    List: ['list'],
    Dict: ['dict', 'defaultdict', 'Counter', 'OrderedDict'],
    Tuple: ['tuple'],
    Set: ['set'],
  }).flatMap(([name, types]) => ['collections.abc', 'typing', 'numbers'].map((module) => [`${module}.${name}`, types])),
)
