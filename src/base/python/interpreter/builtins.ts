import { formatValue } from '../methods/format-method.ts'
import { bind, intArgument, positional } from '../methods/method.ts'
import { PythonError, typeError, valueError } from '../python-error.ts'
import { notUnderstood } from '../syntax/import-error.ts'
import { parseInner } from '../syntax/parse-expression.ts'
import { add, calculate, round } from '../values/arithmetic.ts'
import { compareValues } from '../values/compare.ts'
import { repr, str } from '../values/repr.ts'
import { plainText } from '../values/text.ts'
import { Generator, isInt, isListValue, isNumber, type Kwargs, numeric, Range, Tuple, typeName, type Value } from '../values/value.ts'
import { call } from './call.ts'
import { generator, isMutableDict, itemsOf, lengthOf, newDict, newSet, refuseUnknown, setItem } from './containers.ts'
import { toFloat, toInt } from './convert.ts'
import { evaluate } from './evaluate.ts'
import { makeTranslation, methodOf, pairsOf, sortValues } from './methods.ts'
import { openFile } from './modules/os-modules.ts'
import { binary, isTrue, unknownOf } from './operators.ts'
import type { Session } from './session.ts'
import { Builtin, NameRef, type NativeFunction, NativeObject, PathValue, Unknown, UserFunction } from './values.ts'

/** Methods of types that are not given an object. */
const staticMethods: Readonly<Record<string, readonly Builtin[]>> = {
  __proto__: null as never,
  str: [new Builtin('maketrans', makeTranslation)],
  dict: [
    new Builtin('fromkeys', (session, args) =>
      newDict(
        session,
        itemsOf(session, args[0] ?? []).map((key) => [key, args[1] ?? null] as const),
      ),
    ),
  ],
}

/** Python's built-in functions. */
export const builtins: ReadonlyMap<string, Value> = new Map<string, Value>([
  define('dict', (session, args, kwargs) => {
    positional('dict', 0, 1, args, undefined)
    if (args[0] !== undefined) refuseUnknown(session, args[0])
    return newDict(session, [...(args[0] === undefined ? [] : pairsOf(session, args[0])), ...(kwargs ?? [])])
  }),
  define('list', (session, args, kwargs) => {
    positional('list', 0, 1, args, kwargs)
    return session.made(args[0] === undefined ? [] : [...itemsOf(session, args[0])])
  }),
  define('tuple', (session, args, kwargs) => {
    positional('tuple', 0, 1, args, kwargs)
    return new Tuple(args[0] === undefined ? [] : [...itemsOf(session, args[0])])
  }),
  ...['set', 'frozenset'].map((name) =>
    define(name, (session, args, kwargs) => {
      positional(name, 0, 1, args, kwargs)
      return newSet(session, args[0] === undefined ? [] : itemsOf(session, args[0]))
    }),
  ),
  define('str', (session, args) => (args[0] === undefined ? '' : textOf(session, args[0], str))),
  define('repr', (session, args, kwargs) => {
    positional('repr', 1, 1, args, kwargs)
    return textOf(session, args[0]!, repr)
  }),
  define('int', toInt),
  define('float', toFloat),
  define('bool', (session, args) => args[0] !== undefined && isTrue(session, args[0])),
  define('len', (session, args, kwargs) => {
    positional('len', 1, 1, args, kwargs)
    refuseUnknown(session, args[0]!)
    const length = lengthOf(session, args[0]!)
    if (length === undefined) throw typeError(`object of type '${typeName(args[0])}' has no len()`)
    return length
  }),
  define('range', (_, args, kwargs) => {
    positional('range', 1, 3, args, kwargs)
    const [first, second, step = 1] = args.map((arg) => {
      if (!isInt(arg)) throw typeError(`'${typeName(arg)}' object cannot be interpreted as an integer`)
      return Number(arg)
    })
    if (step === 0) throw valueError('range() arg 3 must not be zero')
    return second === undefined ? new Range(0, first!, 1) : new Range(first!, second, step)
  }),
  define('enumerate', (session, args, kwargs) => {
    const [items, start = 0] = bind('enumerate', ['iterable', 'start'], 1, args, kwargs)
    return generator(itemsOf(session, items!).map((item, index) => new Tuple([add(start, index), item])))
  }),
  define('zip', (session, args) => {
    const lists = args.map((arg) => itemsOf(session, arg))
    const length = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length))
    return generator(Array.from({ length }, (_, index) => new Tuple(lists.map((list) => list[index]!))))
  }),
  define('map', (session, args, _, scope) => {
    const [run, ...lists] = args
    const columns = lists.map((list) => itemsOf(session, list))
    const length = columns.length === 0 ? 0 : Math.min(...columns.map((column) => column.length))
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
  define('filter', (session, args, kwargs, scope) => {
    positional('filter', 2, 2, args, kwargs)
    const test = (item: Value) => isTrue(session, args[0] === null ? item : call(session, args[0]!, [item], undefined, scope))
    return generator(itemsOf(session, args[1]!).filter(test))
  }),
  define('sorted', (session, args, kwargs, scope) => {
    positional('sorted', 1, 1, args, undefined)
    return sortValues(session, itemsOf(session, args[0]!), kwargs, scope)
  }),
  define('reversed', (session, args, kwargs) => {
    positional('reversed', 1, 1, args, kwargs)
    return generator([...itemsOf(session, args[0]!)].reverse())
  }),
  define('sum', (session, args, kwargs) => {
    const [items, start = 0] = bind('sum', ['iterable', 'start'], 1, args, kwargs)
    return sum(session, itemsOf(session, items!), start)
  }),
  define('any', (session, args) => itemsOf(session, args[0] ?? []).some((item) => isTrue(session, item))),
  define('all', (session, args) => itemsOf(session, args[0] ?? []).every((item) => isTrue(session, item))),
  define('min', (session, args, kwargs, scope) => extreme(session, 'min', args, kwargs, (item) => callKey(session, kwargs, item, scope))),
  define('max', (session, args, kwargs, scope) => extreme(session, 'max', args, kwargs, (item) => callKey(session, kwargs, item, scope))),
  define('abs', (_, args, kwargs) => {
    positional('abs', 1, 1, args, kwargs)
    if (!isNumber(args[0])) throw typeError(`bad operand type for abs(): '${typeName(args[0])}'`)
    return numeric(args[0]) < 0 ? calculate('-', 0, args[0]) : args[0]
  }),
  define('round', (_, args, kwargs) => {
    const [value, digits = null] = bind('round', ['number', 'ndigits'], 1, args, kwargs)
    return round(value!, digits === null ? undefined : intArgument(digits))
  }),
  define('divmod', (_, args) => new Tuple([calculate('//', args[0]!, args[1]!), calculate('%', args[0]!, args[1]!)])),
  define('pow', (_, args) => calculate('**', args[0]!, args[1]!)),
  define('chr', (_, args) => {
    const code = Number(args[0])
    if (!isInt(args[0]) || code < 0 || code > 0x10ffff) throw valueError('chr() arg not in range(0x110000)')
    return String.fromCodePoint(code)
  }),
  define('ord', (_, args) => {
    const [only] = args
    if (typeof only !== 'string' || [...only].length !== 1) throw typeError('ord() expected a character')
    return only.codePointAt(0)!
  }),
  define('format', (session, args) => session.made(plainText(formatValue(args[0]!, args[1] === undefined ? '' : String(args[1]))))),
  define('isinstance', (session, args) => isInstance(session, args[0]!, args[1]!)),
  define('callable', (_, args) => args[0] instanceof Builtin || args[0] instanceof UserFunction || args[0] instanceof NameRef),
  define('type', (session, args, kwargs) => {
    if (args.length === 3) throw notUnderstood(session.at, 'type(…) with three arguments', 'write the class out')
    positional('type', 1, 1, args, kwargs)
    const name = typeName(args[0])
    return builtins.get(name) ?? session.name(name, name, true)
  }),
  define('getattr', (session, args) => {
    const [object, name, fallback] = args
    if (isMutableDict(object!) && typeof name === 'string') {
      const found = object.get(name)
      return found === undefined ? (fallback ?? null) : found
    }
    return new Unknown(notUnderstood(session.at, 'getattr(…)', 'write what it gives'))
  }),
  define('setattr', (session, [object, name, value]) => {
    if (object === undefined || !isMutableDict(object) || typeof name !== 'string') throw typeError('setattr needs a dict and a name')
    setItem(session, object, name, value ?? null)
    return null
  }),
  define('hasattr', (session, args) => {
    const [object, name] = args
    if (object === undefined || typeof name !== 'string') throw typeError('hasattr(): attribute name must be string')
    refuseUnknown(session, object)
    if (object instanceof NativeObject) return object.attribute(session, name) !== undefined
    // mmengine's dicts have their keys as attributes; those of a function that is run are Python's.
    return methodOf(object, name) !== undefined || (!session.strict && isMutableDict(object) && object.has(name))
  }),
  define('iter', (session, args) => generator([...itemsOf(session, args[0]!)])),
  define('next', (session, args) => {
    const [from, fallback] = args
    if (!(from instanceof Generator)) throw typeError(`'${typeName(from)}' object is not an iterator`)
    session.step()
    const found = from.iterator.next()
    if (!found.done) return found.value
    if (fallback !== undefined) return fallback
    throw new PythonError('StopIteration', '')
  }),
  // The names themselves, not a copy: configs clean up with `del globals()[name]`.
  define('locals', (_, __, ___, scope) => scope.function.names),
  define('vars', (_, __, ___, scope) => scope.function.names),
  define('globals', (_, __, ___, scope) => scope.module.names),
  define('dir', (session, _, __, scope) => session.made([...scope.function.names.keys()].sort())),
  define('id', (session) => new Unknown(notUnderstood(session.at, 'id(…)', 'write a number'))),
  define('print', () => null),
  define('open', openFile),
  // Evaluates an expression as those of the file; nothing else is run.
  define('eval', (session, args, _, scope) => {
    const [text] = args
    if (typeof text !== 'string') return new Unknown(notUnderstood(session.at, 'this eval(…)', 'write its result out'))
    const place = session.at
    return session.call(place, () => evaluate(session, parseInner(text.trim(), place, 0), scope))
  }),
  ...['exec', 'compile', 'input', '__import__'].map((name) =>
    define(name, (session) => new Unknown(notUnderstood(session.at, `${name}(…)`, 'write its result out: a config is read, not run'))),
  ),
])

function define(name: string, run: NativeFunction): [string, Builtin] {
  return [name, new Builtin(name, run, new Map(staticMethods[name]?.map((method) => [method.name, method])))]
}

function textOf(session: Session, value: Value, show: (value: Value) => ReturnType<typeof str>): Value {
  if (value instanceof Unknown) return value
  // A name without a value has no text either.
  if (value instanceof NameRef) return value.declared ? `<class '${value.path}'>` : unknownOf(session, value)!
  session.measure(value)
  if (value instanceof PathValue) return show === str ? value.path : value.show()
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
  if (!(type instanceof Builtin)) {
    if (session.strict)
      throw notUnderstood(session.at, 'isinstance(…) of a class that is not built in', 'test for str, int, float, list, dict …')
    return false
  }
  const name = typeName(value)
  return name === type.name || (type.name === 'int' && name === 'bool')
}
