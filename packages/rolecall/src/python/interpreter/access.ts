import {
  getItem,
  isInt,
  isListValue,
  notUnderstood,
  PythonError,
  plainNumber,
  plainText,
  Range,
  repr,
  Slice,
  sliceValue,
  Tuple,
  typeError,
  typeName,
  Undefined,
  type Value,
} from '@rolecall/core/internal/python'
import { call } from './call.ts'
import { Instance, UserClass } from './classes.ts'
import { isMutableDict, type MutableDict, sameKey, setItem } from './containers.ts'
import { methodOf, unboundMethod } from './methods.ts'
import { pathAttribute, pythonVersion } from './modules/os-modules.ts'
import { unknownOf } from './operators.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, ClassRef, ModuleValue, NameRef, NativeObject, PathValue, Unknown, UserFunction } from './values.ts'

/** `object.name`. */
export function attributeOf(session: Session, object: Value, name: string): Value {
  if (object instanceof Unknown) return object
  if (object instanceof NativeObject) {
    const found = object.attribute(session, name)
    if (found !== undefined) return found
    // Python's own objects have more than those that are written here.
    const isOwn = object instanceof Instance || object instanceof UserClass
    if (session.program !== undefined && !isOwn) throw notUnderstood(session.at, `${object.typeName}.${name}`, 'write it in another way')
    throw new PythonError('AttributeError', `'${object.typeName}' object has no attribute '${name}'`)
  }
  // mmengine imports lazily: `os.environ.build()` is what Python calls os.environ.
  if (
    name === 'build' &&
    (object instanceof NameRef || object instanceof ModuleValue || object instanceof Builtin || object === environmentOf(session))
  )
    return new Builtin(name, () => object)
  if (object instanceof PathValue) {
    const found = pathAttribute(object, name)
    if (found !== undefined) return found
  }
  if (object instanceof NameRef) {
    if (name === '__name__') return object.name
    const own = object instanceof ClassRef ? object.attributes.get(name) : undefined
    if (own !== undefined) return own
    return session.name(`${object.name}.${name}`, `${object.path}.${name}`, object.declared)
  }
  if (object instanceof ModuleValue || object instanceof Builtin) {
    const found =
      object instanceof ModuleValue && object.name === 'os' && name === 'environ' ? environmentOf(session) : object.attributes.get(name)
    if (found !== undefined) return found === pythonVersion ? assumedVersion(session) : found
    const unbound = object instanceof Builtin ? unboundMethod(object.name, name) : undefined
    if (unbound !== undefined) return unbound
    if (object instanceof Builtin && name === '__name__') return object.name
    if (object instanceof ModuleValue) return session.name(`${object.name}.${name}`, `${object.name}.${name}`, true)
  }
  if (object instanceof UserFunction && name === '__name__') return object.name
  if (object === pythonVersion) {
    const place = ['major', 'minor', 'micro'].indexOf(name)
    if (place >= 0) return pythonVersion.items[place]!
  }
  const method = methodOf(object, name)
  if (method !== undefined) return new Builtin(name, (_, args, kwargs, scope) => method(session, object as never, args, kwargs, scope))
  // mmengine's dicts have their keys as attributes.
  const value = isMutableDict(object) && !session.strict ? object.get(name) : undefined
  if (value !== undefined) return value
  // Python may have it: a function must not take its fallback because of what is missing here.
  if ((session.strict && !allSupported.includes(typeName(object))) || isPythonAttribute(object, name))
    throw notUnderstood(session.at, `"${name}" of a ${typeName(object)}`, 'write it in another way')
  throw new PythonError('AttributeError', `'${typeName(object)}' object has no attribute '${name}'`)
}

/** Attributes of Python's types that are not supported here; the others are methods. */
const otherAttributes: Readonly<Record<string, readonly string[]>> = {
  int: ['as_integer_ratio', 'bit_count', 'conjugate', 'denominator', 'from_bytes', 'imag', 'numerator', 'real', 'to_bytes'],
  bool: ['as_integer_ratio', 'bit_count', 'conjugate', 'denominator', 'from_bytes', 'imag', 'numerator', 'real', 'to_bytes'],
  float: ['as_integer_ratio', 'conjugate', 'fromhex', 'hex', 'imag', 'real'],
  str: ['maketrans'],
  set: ['clear', 'difference_update', 'intersection_update', 'pop', 'symmetric_difference', 'symmetric_difference_update'],
  range: ['start', 'step', 'stop'],
  dict_keys: ['isdisjoint', 'mapping'],
  dict_items: ['isdisjoint', 'mapping'],
  dict_values: ['mapping'],
}

/** Types of which every attribute is supported here, but for those above. Numbers are those of numpy, too, which have more. */
const allSupported: readonly string[] = ['NoneType', 'str', 'list', 'tuple', 'dict', 'set']

/** Whether Python has an attribute that is missing here: every object has names such as `__class__`. */
export function isPythonAttribute(object: Value, name: string): boolean {
  const type = object instanceof Builtin ? object.name : typeName(object)
  return /^__\w+__$/.test(name) || (otherAttributes[type]?.includes(name) ?? false)
}

/** The Python version that would run a config is unknown. */
function assumedVersion(session: Session): Value {
  if (!session.notes.some(({ code }) => code === 'assumed'))
    session.note('assumed', 'sys.version_info is taken to be that of Python 3.11', session.at)
  return pythonVersion
}

/** `os.environ`. */
function environmentOf(session: Session): Value {
  return session.environment
}

const containerTypes = ['dict', 'list', 'tuple', 'set', 'frozenset', 'type', 'defaultdict', 'OrderedDict', 'Counter']

/** `object[key]`. */
export function itemAt(session: Session, object: Value, given: Value): Value {
  const key = plainNumber(given)
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

/** The value of a missing key: `Counter`, `defaultdict` and `os.environ` have one; other dicts raise a KeyError. */
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
