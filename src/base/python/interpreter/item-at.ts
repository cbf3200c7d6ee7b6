import { getItem } from '../methods/attributes.ts'
import { PythonError, typeError } from '../python-error.ts'
import { notUnderstood } from '../syntax/import-error.ts'
import { repr } from '../values/repr.ts'
import { sliceValue } from '../values/slice.ts'
import { plainText } from '../values/text.ts'
import { typeName } from '../values/type-name.ts'
import { Undefined } from '../values/undefined.ts'
import { isInt, isListValue, Range, Slice, Tuple, type Value } from '../values/value.ts'
import { call } from './call.ts'
import { isMutableDict, type MutableDict, sameKey, setItem } from './dicts.ts'
import { unknownOf } from './operators.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, ModuleValue, NameRef, NativeObject, Unknown } from './values.ts'

const containerTypes = ['dict', 'list', 'tuple', 'set', 'frozenset', 'type', 'defaultdict', 'OrderedDict', 'Counter']

/** `object[key]`. */
export function itemAt(session: Session, object: Value, key: Value): Value {
  if (object instanceof Unknown) return object
  if (object instanceof NameRef) return unknownOf(session, object)!
  // `dict[str, int](…)` is dict(…).
  if (object instanceof Builtin && containerTypes.includes(object.name)) return object
  if (object instanceof ModuleValue) return new Unknown(notUnderstood(session.at, `${object.name}[…]`, 'write the value out'))
  if (key instanceof Unknown) return key
  if (object instanceof NativeObject && object.item) return object.item(session, key)
  if (key instanceof Slice && !isMutableDict(object)) return session.made(sliceValue(object, key.start, key.stop, key.step))
  if (isMutableDict(object)) {
    const value = object.get(sameKey(session, object, key))
    if (value === undefined) return missingItem(session, object, key)
    return value
  }
  const isSequence = isListValue(object) || object instanceof Tuple || object instanceof Range || typeof object === 'string'
  if (!isSequence) throw typeError(`'${typeName(object)}' object is not subscriptable`)
  if (!isInt(key)) throw typeError(`${typeName(object)} indices must be integers or slices, not ${typeName(key)}`)
  const found = getItem(object, key)
  if (found instanceof Undefined) throw new PythonError('IndexError', `${typeName(object)} index out of range`)
  return found
}

/** What a `defaultdict` and `os.environ` say to a key that is not there; other dicts have none. */
function missingItem(session: Session, dict: MutableDict, key: Value): Value {
  if (session.counters.has(dict)) return 0
  const factory = session.factories.get(dict)
  if (factory !== undefined) {
    const made = call(session, factory, [], undefined, new Scope(session.at.file))
    setItem(session, dict, key, made)
    return made
  }
  if (dict === (session.environment as unknown) && typeof key === 'string') {
    const error = notUnderstood(session.at, `os.environ["${key}"]`, `write os.environ.get("${key}", VALUE): the environment is not read`)
    return new Unknown(error, false, key)
  }
  throw new PythonError('KeyError', plainText(repr(key)))
}
