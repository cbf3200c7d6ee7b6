import type { PythonPattern } from '../../base/pattern/python/python-pattern.ts'
import {
  compareCodePoints,
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
} from '../../base/python/index.ts'
import { type ContentReader, contentKinds, contentReader, dirtyKinds, isTrue } from './content.ts'
import { readPattern } from './read-pattern.ts'
import { shown, templateError } from './response-template-error.ts'
import { checkTransform } from './transform.ts'

/** A text that opens or closes a region. */
export type ResponseMarker = {
  pattern: PythonPattern
  isOpen: boolean
  field: ResponseField
  /** At the end of what was received, its match may not be its last word: it is a pattern, or one literal begins with another. */
  mayGrow: boolean
}

export type ResponseField = {
  name: string
  /** Absent: the field takes what no other does. */
  open?: ResponseMarker
  close?: ResponseMarker
  /** The markers inside its regions. */
  inside: readonly ResponseMarker[]
  read: ContentReader
  /** Its value is its text. */
  isText: boolean
  isDirty: boolean
  /** A part of its content cannot be told from all of it. */
  mayLackParts: boolean
  repeats: boolean
  join?: string
  isOptional: boolean
  transform?: PyValue
  transformEach: boolean
}

/** A `response_template`, checked and compiled. */
export type ResponseTemplate = {
  defaults: PyDict
  fields: readonly ResponseField[]
  implicit?: ResponseField
  anchor: PythonPattern
  /** The markers outside of regions, in the order in which they are preferred. */
  outside: readonly ResponseMarker[]
  /** How much text before a position decides what matches there. */
  lookback: number
}

const topKeys = ['version', 'defaults', 'fields', 'start_anchor', 'start_anchor_pattern']
const fieldKeys = [
  ...['open', 'open_pattern', 'close', 'close_pattern', 'content', 'content_args'],
  ...['repeats', 'join', 'optional', 'transform', 'transform_each'],
]

/**
 * Checks and compiles the `response_template` of a `tokenizer_config.json`.
 *
 * @example
 * readResponseTemplate({ start_anchor: '<|im_start|>assistant\n', fields: { content: { close: '<|im_end|>' } } }).fields[0].name // => 'content'
 */
export function readResponseTemplate(given: unknown): ResponseTemplate {
  if (!isDict(given)) throw templateError('', `must be an object, not ${shown(given)}`, 'write {"start_anchor": …, "fields": {…}}')
  const version = dictHas(given, 'version') ? dictGet(given, 'version') : 1
  if (!(version === 1 || version === true || (version instanceof PyFloat && version.value === 1)))
    throw templateError('.version', `${shown(version)} is not supported`, 'write 1, or leave it out')
  checkKeys(given, topKeys, '')
  const defaults = dictHas(given, 'defaults') ? dictGet(given, 'defaults') : dictFromEntries([])
  if (!isDict(defaults)) throw templateError('.defaults', `must be an object, not ${shown(defaults)}`, 'leave it out')
  const described = dictGet(given, 'fields')
  if (!isDict(described) || dictEntries(described).length === 0)
    throw templateError('.fields', `must be an object with at least one field, not ${shown(described ?? null)}`, 'write {"content": {}}')
  const fields = dictEntries(described).map(([name, field]) => readField(name, field))
  const implicit = fields.filter(({ open }) => open === undefined)
  if (implicit.length > 1) {
    const names = implicit.map(({ name }) => name).join(', ')
    throw templateError('.fields', `only one field may have no "open", and ${names} have none`, 'give the others what opens them')
  }
  const anchor = readMarkers(given, 'start_anchor', '')
  if (!anchor)
    throw templateError(
      '',
      'has neither "start_anchor" nor "start_anchor_pattern"',
      'add what precedes a reply, e.g. "<|im_start|>assistant\\n"',
    )
  for (const field of fields) checkDefault(field, dictGet(defaults, field.name))
  const [sink] = implicit
  const opening = fields.flatMap(({ open }) => (open ? [open] : []))
  const outside = [
    ...opening.sort((one, other) => compareCodePoints(one.field.name, other.field.name)),
    ...(sink?.close ? [sink.close] : []),
  ]
  const patterns = fields.flatMap(({ open, close }) => [open?.pattern, close?.pattern]).filter((pattern) => pattern !== undefined)
  const template: ResponseTemplate = {
    defaults,
    fields,
    anchor: anchor.pattern,
    outside,
    lookback: Math.max(0, ...patterns.map(({ lookback }) => lookback)),
    ...(sink ? { implicit: sink } : {}),
  }
  checked.add(template)
  return template
}

const checked = new WeakSet<object>()

/** Whether a template was checked and compiled here; JSON that looks like one is not. */
export function isCheckedTemplate(template: object): template is ResponseTemplate {
  return checked.has(template)
}

function checkKeys(given: PyDict, known: readonly string[], where: string): void {
  const unknown = dictEntries(given)
    .map(([key]) => key)
    .filter((key) => !known.includes(key))
    .sort(compareCodePoints)
  if (unknown.length === 0) return
  const names = unknown.map((key) => JSON.stringify(key)).join(', ')
  const isSchema = where === '' && unknown.some((key) => key === 'x-regex' || key === 'properties')
  const fix = isSchema
    ? 'this is the older response_schema, which transformers no longer reads: write a response_template'
    : `use ${known.join(', ')}`
  throw templateError(where, `has unknown keys: ${names}`, fix)
}

function readField(name: string, given: PyValue): ResponseField {
  const where = `.fields.${name}`
  if (!isDict(given)) throw templateError(where, `must be an object, not ${shown(given)}`, 'write {} for a field without marks')
  checkKeys(given, fieldKeys, where)
  const kind = dictHas(given, 'content') ? dictGet(given, 'content') : 'text'
  if (typeof kind !== 'string' || !contentKinds.includes(kind))
    throw templateError(`${where}.content`, `${shown(kind)} is no kind of content`, `use one of ${contentKinds.join(', ')}`)
  const open = readMarkers(given, 'open', where)
  const close = readMarkers(given, 'close', where)
  const repeats = isTrue(dictGet(given, 'repeats'))
  const join = readJoin(given, repeats, where)
  const transform = dictGet(given, 'transform') ?? undefined
  const transformEach = dictHas(given, 'transform_each') ? dictGet(given, 'transform_each') : false
  if (typeof transformEach !== 'boolean')
    throw templateError(`${where}.transform_each`, `must be true or false, not ${shown(transformEach)}`, 'write true or leave it out')
  if (transformEach && transform === undefined)
    throw templateError(`${where}.transform_each`, 'there is no "transform" to apply', 'add "transform", or leave it out')
  const groups = [...new Set([open, close].flatMap((marker) => [...(marker?.pattern.names.keys() ?? [])]))].sort(compareCodePoints)
  if (transform === undefined && groups.length > 0)
    throw templateError(
      where,
      `its patterns name the groups ${groups.join(', ')}, and there is no "transform" that uses them`,
      'add "transform", or write (?:…)',
    )
  if (transform !== undefined) checkTransform(transform, `${where}.transform`)
  const field: ResponseField = {
    name,
    inside: [],
    read: contentReader(kind, dictGet(given, 'content_args'), `${where}.content_args`),
    isText: kind === 'text' && transform === undefined,
    isDirty: dirtyKinds.has(kind),
    mayLackParts: dirtyKinds.has(kind) && kind !== 'json',
    repeats,
    isOptional: dictHas(given, 'optional') ? isTrue(dictGet(given, 'optional')) : true,
    transformEach,
    ...(join === undefined ? {} : { join }),
    ...(transform === undefined ? {} : { transform }),
  }
  if (open) field.open = { ...open, isOpen: true, field }
  if (close) {
    field.close = { ...close, isOpen: false, field }
    field.inside = [field.close]
  }
  return field
}

function readJoin(given: PyDict, repeats: boolean, where: string): string | undefined {
  const join = dictGet(given, 'join') ?? undefined
  if (join === undefined) return undefined
  if (typeof join !== 'string') throw templateError(`${where}.join`, `must be a text, not ${shown(join)}`, 'write what separates the parts')
  if (!repeats) throw templateError(`${where}.join`, 'only a field that repeats is joined', 'add "repeats": true')
  return join
}

/** The texts of `key`, or the pattern of `key`_pattern. */
function readMarkers(given: PyDict, key: string, where: string): Pick<ResponseMarker, 'pattern' | 'mayGrow'> | undefined {
  const patternKey = `${key}_pattern`
  if (dictHas(given, patternKey)) {
    if (dictHas(given, key)) throw templateError(where, `has both "${key}" and "${patternKey}"`, 'leave one of them out')
    return { pattern: readPattern(dictGet(given, patternKey), `${where}.${patternKey}`), mayGrow: true }
  }
  if (!dictHas(given, key)) return undefined
  const value = dictGet(given, key)
  const texts = typeof value === 'string' ? [value] : value
  const isTexts = isList(texts) && texts.length > 0 && texts.every((text) => typeof text === 'string' && text !== '')
  if (!isTexts)
    throw templateError(
      `${where}.${key}`,
      `must be a text or a list of texts that are not empty, not ${shown(value)}`,
      'write the mark as it stands in the reply',
    )
  const literals = [...new Set(texts as readonly string[])].sort((one, other) => other.length - one.length)
  const source = literals.map((text) => text.replace(/[^\w\s<>]/gu, String.raw`\$&`)).join('|')
  const mayGrow = literals.some((text) => literals.some((other) => other !== text && other.startsWith(text)))
  return { pattern: readPattern(source, `${where}.${key}`), mayGrow }
}

function checkDefault({ name, repeats, join }: ResponseField, value: PyValue | undefined): void {
  if (!repeats || value === undefined || value === null) return
  const isRight = join === undefined ? isList(value) : typeof value === 'string'
  const expected = join === undefined ? 'a list, because the field repeats' : 'a text, because the field is joined'
  if (!isRight) throw templateError(`.defaults.${name}`, `${shown(value)} is not ${expected}`, 'leave it out')
}
