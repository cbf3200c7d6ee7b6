import type { PythonPattern } from '../../base/pattern/python/python-pattern.ts'
import type { StepBudget } from '../../base/pattern/step-budget.ts'
import {
  addEntry,
  dictEntries,
  dictGet,
  floatOf,
  intOf,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
  parseJson,
  pyFloat,
  strip,
} from '../../base/python/index.ts'
import { type JsonDialect, plainJson } from './json-dialect.ts'
import { readPattern } from './read-pattern.ts'
import { shown, templateError } from './response-template-error.ts'

/** Reads the text of a region. Throws a `ContentProblem` where the text is not of the kind that the template says. */
export type ContentReader = (text: string, budget?: StepBudget) => PyValue

/** What a model wrote is not what its template says: a result, and no mistake of the user's. */
export class ContentProblem extends Error {}

type Arguments = { get(name: string): PyValue | undefined; where: string }

const makers: Readonly<Record<string, (args: Arguments) => ContentReader>> = {
  text: textReader,
  int: (args) => scalarReader(args, 'an integer', (text) => (text.length > longestNumber ? undefined : toInt(intOf(text)))),
  float: (args) =>
    scalarReader(args, 'a number', (text) => {
      const value = floatOf(text)
      return value === undefined ? undefined : pyFloat(value)
    }),
  bool(args) {
    const read = textReader(args)
    return (text) => ['true', '1'].includes(read(text).toLowerCase())
  },
  json: jsonReader,
  'xml-inline': tagReader,
  'kv-lines': lineReader,
}

export const contentKinds: readonly string[] = Object.keys(makers).sort()

/** The kinds whose text is raw material while it streams. */
export const dirtyKinds: ReadonlySet<string> = new Set(['json', 'xml-inline', 'kv-lines'])

const longestNumber = 4300

/** The reader of a kind of content, with its arguments. What is wrong with them is found now. */
export function contentReader(kind: string, given: PyValue | undefined, where: string): ContentReader {
  if (given !== undefined && !isDict(given))
    throw templateError(where, `must be an object, not ${shown(given)}`, 'write {} or leave it out')
  return makers[kind]!({ get: (name) => (given === undefined ? undefined : dictGet(given, name)), where })
}

function textReader({ get }: Arguments): (text: string) => string {
  const isStripped = isTrue(get('strip') ?? get('strip') !== null)
  return isStripped ? (text) => strip(text) : (text) => text
}

function scalarReader(args: Arguments, what: string, convert: (text: string) => PyValue | undefined): ContentReader {
  const read = textReader(args)
  return (text) => {
    const value = convert(read(text))
    if (value === undefined) throw new ContentProblem(`${quoted(text)} is not ${what}`)
    return value
  }
}

/** A bigint only where a number would lose something. */
export function toInt(value: bigint | undefined): number | bigint | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function jsonReader(args: Arguments): ContentReader {
  const isLenient = isTrue(args.get('allow_non_json'))
  const asText = textReader(args)
  const dialect: JsonDialect = { unquotedKeys: isTrue(args.get('unquoted_keys')), delimiters: delimitersOf(args) }
  return (text) => {
    try {
      return parseJson(plainJson(text, dialect))
    } catch (error) {
      if (isLenient) return asText(text)
      throw new ContentProblem(`it is not JSON: ${(error as Error).message}`)
    }
  }
}

function delimitersOf({ get, where }: Arguments): [open: string, close: string][] {
  const given = get('string_delims') === undefined ? [] : get('string_delims')
  const place = `${where}.string_delims`
  if (!isList(given)) throw templateError(place, `must be a list of pairs, not ${shown(given)}`, 'write [["<open>", "<close>"]]')
  return given.map((pair) => {
    const parts = typeof pair === 'string' ? [...pair] : pair
    const [open, close] = isList(parts) ? parts : []
    const isPair =
      isList(parts) && parts.length === 2 && typeof open === 'string' && typeof close === 'string' && open !== '' && close !== ''
    if (!isPair) throw templateError(place, `${shown(pair)} is not a pair of texts that are not empty`, 'write ["<open>", "<close>"]')
    return [open, close]
  })
}

function valueReader({ get, where }: Arguments): ContentReader | undefined {
  const given = get('value_parser')
  if (given === undefined || given === null) return undefined
  const place = `${where}.value_parser`
  if (!isDict(given)) throw templateError(place, `must be an object, not ${shown(given)}`, 'write {"name": "json"}')
  const name = dictGet(given, 'name') ?? 'text'
  if (typeof name !== 'string' || makers[name] === undefined || !Object.hasOwn(makers, name))
    throw templateError(`${place}.name`, `${shown(name)} is no kind of content`, `use one of ${contentKinds.join(', ')}`)
  return contentReader(name, dictGet(given, 'args'), `${place}.args`)
}

function tagReader(args: Arguments): ContentReader {
  const { get, where } = args
  const source = get('tag_pattern')
  if (typeof source !== 'string')
    throw templateError(
      `${where}.tag_pattern`,
      'xml-inline needs a pattern with the groups key and value',
      'write "<(?P<key>\\\\w+)>(?P<value>.*?)</\\\\1>" or the like',
    )
  const pattern = readPattern(source, `${where}.tag_pattern`)
  const readValue = valueReader(args)
  const mergesDuplicates = isTrue(get('merge_duplicates'))
  const hasValue = pattern.names.has('value')
  return (text, budget) => {
    let dict: PyDict = {}
    const merged = new Map<string, PyValue[]>()
    for (const found of matches(pattern, text, budget)) {
      const key = found.key
      if (key === undefined) throw new ContentProblem('the tag pattern has no group "key"')
      const raw = hasValue ? found.value : ''
      if (raw === undefined && readValue) throw new ContentProblem(`the argument ${quoted(key)} has no value`)
      const value = raw === undefined ? null : readValue ? readValue(raw, budget) : raw
      const earlier = dictGet(dict, key)
      const list = merged.get(key)
      if (!mergesDuplicates || earlier === undefined) dict = addEntry(dict, key, value)
      else if (list) list.push(value)
      else {
        const both = [earlier, value]
        dict = addEntry(dict, key, both)
        merged.set(key, both)
      }
    }
    return dict
  }
}

type Tag = { key: string | undefined; value: string | undefined }

function* matches(pattern: PythonPattern, text: string, budget?: StepBudget): Generator<Tag> {
  pattern.begin(text, true, true, 0, budget)
  for (let from = 0; from <= text.length; ) {
    const start = pattern.find(from)
    if (start < 0) return
    const end = pattern.end
    yield { key: pattern.names.has('key') ? (pattern.group('key') ?? '') : undefined, value: pattern.group('value') }
    from = end > start ? end : end + 1
  }
}

function lineReader(args: Arguments): ContentReader {
  const separatorOf = (name: string, otherwise: string) => {
    const given = args.get(name) ?? (args.get(name) === null ? null : otherwise)
    if (typeof given !== 'string' || given === '')
      throw templateError(
        `${args.where}.${name}`,
        `must be a text that is not empty, not ${shown(given)}`,
        `leave it out for ${JSON.stringify(otherwise)}`,
      )
    return given
  }
  const [lineSeparator, keySeparator] = [separatorOf('line_sep', '\n'), separatorOf('kv_sep', ':')]
  const stripped = textReader(args)
  const readValue = valueReader(args)
  return (text, budget) => {
    let dict: PyDict = {}
    for (const part of text.split(lineSeparator)) {
      const line = stripped(part)
      const at = line.indexOf(keySeparator)
      if (line === '' || at < 0) continue
      const value = stripped(line.slice(at + keySeparator.length))
      dict = addEntry(dict, stripped(line.slice(0, at)), readValue ? readValue(value, budget) : value)
    }
    return dict
  }
}

/** Python's truth of a value from JSON. */
export function isTrue(value: PyValue | undefined): boolean {
  if (value instanceof PyFloat) return value.value !== 0
  if (isList(value)) return value.length > 0
  if (isDict(value)) return dictEntries(value).length > 0
  return Boolean(value)
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
