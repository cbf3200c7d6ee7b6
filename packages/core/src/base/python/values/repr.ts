import { PythonError } from '../python-error.ts'
import { touch, touchText } from '../python-limits.ts'
import type { PyValue } from './data.ts'
import { maxDepth, PyFloat, unsupportedType } from './data.ts'
import { entriesOf, keysOf, valuesOf } from './dict.ts'
import { numberRepr } from './numbers.ts'
import { escapeInRepr, stringRepr } from './strings.ts'
import { mapText, plainText, Sink, type Str, Text } from './text.ts'
import { DictView, isDictValue, Markup, Namespace, PyObject, PySet, Range, Slice, Tuple, Undefined, type Value } from './value.ts'

/** Python's `str()`; strings of the input in it keep their origin. */
export function str(value: Value): Str {
  if (typeof value === 'string' || value instanceof Text) return value
  if (value instanceof Markup) return value.text
  if (typeof value === 'number') return numberRepr(value)
  if (value instanceof Undefined) return ''
  return repr(value)
}

/** Python's `repr()`. */
export function repr(value: Value, sink = new Sink()): Str {
  write(sink, value, [])
  return sink.result()
}

function write(sink: Sink, value: Value | undefined, ancestors: object[]): void {
  touch()
  if (typeof value === 'string') {
    touchText(value.length)
    sink.text += stringRepr(value)
  } else if (value === null || value === undefined) sink.text += 'None'
  else if (typeof value === 'boolean') sink.text += value ? 'True' : 'False'
  else if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat) sink.text += numberRepr(value)
  else if (value instanceof Text) sink.add(textRepr(value))
  else if (value instanceof Markup) {
    sink.text += 'Markup('
    write(sink, value.text, ancestors)
    sink.text += ')'
  } else if (ancestors.includes(value)) sink.text += Array.isArray(value) ? '[...]' : '{...}'
  else if (ancestors.length >= maxDepth)
    throw new PythonError('RecursionError', 'maximum recursion depth exceeded while getting the repr of an object')
  else {
    sink.checkLength()
    ancestors.push(value)
    writeContainer(sink, value, ancestors)
    ancestors.pop()
  }
}

function writeContainer(sink: Sink, value: object, ancestors: object[]): void {
  if (Array.isArray(value)) writeItems(sink, '[', value, ']', ancestors)
  else if (value instanceof Tuple) writeItems(sink, '(', value.items, value.items.length === 1 ? ',)' : ')', ancestors)
  else if (value instanceof PySet) {
    if (value.dict.size === 0) sink.text += 'set()'
    else writeItems(sink, '{', value.items, '}', ancestors)
  } else if (value instanceof DictView) {
    const { dict, shows } = value
    const items = shows === 'keys' ? keysOf(dict) : shows === 'values' ? valuesOf(dict) : entriesOf(dict).map((entry) => new Tuple(entry))
    writeItems(sink, `dict_${shows}([`, items, '])', ancestors)
  } else if (value instanceof Range) {
    sink.text += `range(${value.start}, ${value.stop}${value.step === 1 ? '' : `, ${value.step}`})`
  } else if (value instanceof Slice) {
    writeItems(sink, 'slice(', [value.start, value.stop, value.step], ')', ancestors)
  } else if (value instanceof Undefined) sink.text += 'Undefined'
  else if (value instanceof Namespace) {
    sink.text += '<Namespace '
    writeDict(sink, [...value.attributes], ancestors)
    sink.text += '>'
  } else if (value instanceof PyObject) sink.text += value.show()
  else if (isDictValue(value)) writeDict(sink, entriesOf(value), ancestors)
  else throw unsupportedType(value)
}

function writeItems(sink: Sink, open: string, items: readonly Value[], close: string, ancestors: object[]): void {
  sink.text += open
  for (let index = 0; index < items.length; index++) {
    if (index > 0) sink.text += ', '
    write(sink, items[index], ancestors)
  }
  sink.text += close
}

function writeDict(sink: Sink, entries: readonly (readonly [Value, Value])[], ancestors: object[]): void {
  sink.text += '{'
  let first = true
  for (const [key, value] of entries) {
    if (!first) sink.text += ', '
    first = false
    write(sink, key, ancestors)
    sink.text += ': '
    write(sink, value, ancestors)
  }
  sink.text += '}'
}

function textRepr(text: Text): Str {
  const quote = stringRepr(text.value)[0]!
  const sink = new Sink()
  sink.add(quote)
  sink.add(mapText(text, (part) => escapeInRepr(part, quote)))
  sink.add(quote)
  return sink.result()
}

/** MarkupSafe's `escape`: what is Markup already stays as it is. */
export function escapeHtml(value: Value): Markup {
  return value instanceof Markup ? value : new Markup(escapeText(str(value)))
}

export function escapeText(text: Str): Str {
  return mapText(text, (part) => (htmlSpecial.test(part) ? part.replace(htmlSpecials, (character) => htmlEntities[character]!) : part))
}

const htmlSpecial = /[&<>'"]/

const htmlSpecials = /[&<>'"]/g

const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }

/**
 * The text of Python 3.11's `repr()` of plain data; `undefined` counts as None.
 * @example pyRepr([1, 'a', null, { ok: true }]) // => "[1, 'a', None, {'ok': True}]"
 */
export function pyRepr(value: PyValue | undefined): string {
  return plainText(repr(value ?? null, new Sink(Number.POSITIVE_INFINITY)))
}

/**
 * The text of Python 3.11's `str()` of plain data, as templates show it; `undefined` counts as None.
 * @example pyStr('a') // => 'a'
 * @example pyStr(['a', true]) // => "['a', True]"
 */
export function pyStr(value: PyValue | undefined): string {
  // Almost all values that templates show are strings, and most others numbers.
  if (typeof value === 'string') return value
  return typeof value === 'number' ? numberRepr(value) : pyRepr(value)
}
