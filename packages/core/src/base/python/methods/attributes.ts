import { typeError } from '../python-error.ts'
import { unsupportedType } from '../values/data.ts'
import { entriesOf, getKey, getString } from '../values/dict.ts'
import { escapeHtml, repr } from '../values/repr.ts'
import { listOf, sliceValue } from '../values/sequence.ts'
import { lengthOf, offsetOf } from '../values/strings.ts'
import { plainText, type Str, sliceText, Text } from '../values/text.ts'
import {
  isDictValue,
  isInt,
  isListValue,
  isNumber,
  isStr,
  Markup,
  Namespace,
  PyObject,
  Range,
  Slice,
  stringOf,
  strOf,
  Tuple,
  typeName,
  Undefined,
  undefinedAttribute,
  undefinedElement,
  unsafeAttribute,
  type Value,
} from '../values/value.ts'
import {
  dictMethods,
  dictMutators,
  floatMethods,
  intMethods,
  listChanges,
  listMethods,
  listMutators,
  mayChange,
  numberAttribute,
  rangeAttribute,
  rangeMethods,
  tupleMethods,
} from './container-methods.ts'
import { formatMethod } from './format-method.ts'
import { BoundMethod, type Method } from './method.ts'
import { strMethods } from './str-methods.ts'

/** `object.name`: an attribute or method first, then a key of a dict, else Undefined. */
export function getAttribute(object: Value, name: string): Value {
  if (object instanceof Undefined) {
    if (dunders.has(name)) return unsafeAttribute('Undefined', name)
    throw object.error
  }
  const own = ownAttribute(object, name)
  if (own !== undefined) return own
  if (isDictValue(object)) {
    const value = getString(object, name)
    if (value !== undefined) return value
  }
  return undefinedAttribute(object, name)
}

/** `object[key]`: an item first, then, for a text as key, an attribute, else Undefined. */
export function getItem(object: Value, key: Value): Value {
  if (object instanceof Undefined) throw object.error
  const item = itemAt(object, key)
  if (item !== undefined) return item
  const name = stringOf(key)
  if (name === undefined) return undefinedElement(object, () => plainText(repr(key)))
  return ownAttribute(object, name) ?? undefinedAttribute(object, name)
}

function itemAt(object: Value, key: Value): Value | undefined {
  if (key instanceof Slice) return sliceValue(object, key.start, key.stop, key.step)
  if (isListValue(object)) return isInt(key) ? object.at(Number(key)) : undefined
  if (object instanceof Tuple) return isInt(key) ? object.items.at(Number(key)) : undefined
  const text = strOf(object)
  if (text !== undefined) {
    const character = isInt(key) ? characterAt(text, Number(key)) : undefined
    return character !== undefined && object instanceof Markup ? new Markup(character) : character
  }
  if (object instanceof Range) {
    if (!isInt(key)) return undefined
    const index = Number(key) < 0 ? Number(key) + object.length : Number(key)
    return index >= 0 && index < object.length ? object.at(index) : undefined
  }
  if (isDictValue(object)) {
    try {
      return getKey(object, key)
    } catch {
      return undefined // an unhashable key is a TypeError, which Jinja2 takes for a missing item
    }
  }
  return undefined
}

function characterAt(text: Str, index: number): Str | undefined {
  const value = plainText(text)
  const length = lengthOf(value)
  const at = index < 0 ? index + length : index
  if (at < 0 || at >= length) return undefined
  return sliceText(text, offsetOf(value, at), offsetOf(value, at + 1))
}

/** What Python's `getattr` finds: methods, and attributes that the sandbox hides. */
function ownAttribute(object: Value, name: string): Value | undefined {
  if (name.startsWith('__') && dunders.has(name)) return unsafeAttribute(typeName(object), name)
  if (object instanceof Namespace) {
    const value = object.attributes.get(name)
    return value !== undefined && name.startsWith('_') ? unsafeAttribute('Namespace', name) : value
  }
  if (isListValue(object) && listMutators.has(name)) {
    const change = mayChange(object) ? listChanges.get(name) : undefined
    return change === undefined ? unsafeAttribute('list', name) : new BoundMethod(object, name, change)
  }
  const method = methodOf(object, name)
  if (method !== undefined) return new BoundMethod(object, name, method)
  if (isNumber(object)) return numberAttribute(object, name)
  if (object instanceof Range) return rangeAttribute(object, name)
  if (object instanceof AttributeObject) return object.attribute(name)
  if (object instanceof Tuple && 'grouper' in object && (name === 'grouper' || name === 'list'))
    return object.items[name === 'grouper' ? 0 : 1]
  if (isDictValue(object)) return dictMutators.has(name) ? unsafeAttribute('dict', name) : undefined
  if (
    typeof object === 'object' &&
    object !== null &&
    !isListValue(object) &&
    !isStr(object) &&
    !(object instanceof PyObject) &&
    !isNumber(object)
  )
    throw unsupportedType(object)
  return undefined
}

/** An object of a template engine with attributes, such as Jinja2's `cycler` and `loop`. */
export abstract class AttributeObject extends PyObject {
  abstract attribute(name: string): Value | undefined
}

/** The method of this name that a value's type has. */
export function methodOf(object: Value, name: string): Method<never> | undefined {
  if (typeof object === 'string' || object instanceof Text) {
    if (name === 'format' || name === 'format_map') return formatting[name]
    return strMethods.get(name)
  }
  if (object instanceof Markup) return markupMethod(name)
  if (isListValue(object)) return listMethods.get(name)
  if (isNumber(object)) return isInt(object) ? intMethods.get(name) : floatMethods.get(name)
  if (object instanceof Tuple) return object.typeName === 'tuple' ? tupleMethods.get(name) : undefined
  if (object instanceof Range) return rangeMethods.get(name)
  return isDictValue(object) ? dictMethods.get(name) : undefined
}

const lookup = { attribute: sandboxedAttribute, item: (value: Value, key: Value) => getItem(value, key) }

function sandboxedAttribute(value: Value, name: string): Value {
  const found = getAttribute(value, name)
  if (found instanceof Undefined && found.errorType === 'SecurityError') throw found.error
  return found
}

const formatting: Readonly<Record<'format' | 'format_map', Method<Str>>> = {
  format: (_, self, args, kwargs) => formatMethod(self, args, kwargs, lookup),
  format_map: (_, self, args) => {
    const [mapping] = args
    if (args.length !== 1 || mapping === undefined || !isDictValue(mapping)) throw typeError('format_map() takes exactly one argument')
    return formatMethod(self, [], new Map(entriesOf(mapping).map(([key, value]) => [stringOf(key) ?? '', value] as const)), lookup)
  },
}

/** Markup's methods escape what they are given and give Markup back. */
function markupMethod(name: string): Method<Markup> | undefined {
  if (name === 'format') return (_, self, args, kwargs) => new Markup(formatMethod(self.text, args, kwargs, lookup, true))
  const method = strMethods.get(name)
  if (method === undefined) return undefined
  return (counter, self, args, kwargs) => {
    const given = name === 'join' ? args.map((arg) => listOf(arg)) : args
    const escaped = given.map(escapeStrings)
    const result = method(counter, self.text, escaped, kwargs)
    return wrapMarkup(result)
  }
}

function escapeStrings(value: Value): Value {
  if (isStr(value)) return escapeHtml(value).text
  return isListValue(value) ? value.map((item) => (isStr(item) ? escapeHtml(item).text : item)) : value
}

function wrapMarkup(value: Value): Value {
  if (typeof value === 'string' || value instanceof Text) return new Markup(value)
  if (isListValue(value)) return value.map(wrapMarkup)
  return value instanceof Tuple ? new Tuple(value.items.map(wrapMarkup)) : value
}

/** The names that every Python object has and the sandbox hides. */
const dunders = new Set(
  (
    'abs add and bool ceil class class_getitem contains delattr delitem dir divmod doc eq float floor floordiv format ge getattribute getformat ' +
    'getitem getnewargs getstate gt hash iadd imul index init init_subclass int invert ior iter le len lshift lt mod mul ne neg new or pos pow ' +
    'radd rand rdivmod reduce reduce_ex repr reversed rfloordiv rlshift rmod rmul ror round rpow rrshift rshift rsub rtruediv rxor setattr ' +
    'setitem sizeof str sub subclasshook truediv trunc xor call code closure globals defaults kwdefaults name qualname module self func dict'
  )
    .split(' ')
    .map((name) => `__${name}__`),
)
