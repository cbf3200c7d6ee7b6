import { dictEntries, dictFromEntries, isDict, type PyValue, parseJson, stringifyJson } from '../../../../base/python/index.ts'
import type { ToolChecker } from '../../tool-checker.ts'
import { readElements } from '../../values/read-elements.ts'
import { declaredValue, propertySchema, typedValue } from '../../values/typed-value.ts'
import type { TagMark } from '../compile-syntax.ts'
import type { Reading } from '../reading.ts'
import { TaggedCall } from '../tagged-call.ts'
import { finishCall } from './finish-call.ts'
import { endsEarly, refuse } from './read-block.ts'
import { readMark } from './read-mark.ts'

export function startTagged(reading: Reading): void {
  reading.state = 'tagged'
  reading.call.start(reading.calls, undefined, true)
  reading.tagged ??= new TaggedCall()
  reading.tagged.start(reading.syntax.tags.get(reading.block)!, reading.isStrict)
}

/** A call with tagged arguments, up to the next of its marks. */
export function readTagged(reading: Reading, text: string, from: number): number {
  const { tagged } = reading
  const { markers } = tagged
  const found = markers.find(text, from, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  if (stop > from) addText(reading, text, from, stop)
  if (found === 'none') return stop
  if (found === 'partial') return reading.hold(stop, markers)
  return followTag(reading, text, stop, markers.meaning!, markers.length)
}

function addText(reading: Reading, text: string, from: number, to: number): void {
  reading.raw.addPart(text, from, to)
  reading.tagged.text.addPart(text, from, to)
}

function followTag(reading: Reading, text: string, at: number, mark: TagMark, length: number): number {
  const { tagged, block } = reading
  const body = block.tagged!
  if (mark === 'id-end') {
    tagged.id = tagged.take().trim()
    reading.raw.addPart(text, at, at + length)
    return at + length
  }
  // What ends a part that has no end of its own, or lacks it.
  if (tagged.part === 'name' && !endName(reading)) return at
  if (tagged.part === 'value') {
    if (mark === 'other') return refuse(reading, 'truncated', endsEarly, at)
    if (body.elements === undefined) endValue(reading)
  }
  if (mark === 'other') return leaveOpen(reading, text, at, length)
  const end = at + length
  switch (mark) {
    case 'name-end':
      tagged.part = body.headEnd === undefined ? 'between' : 'head'
      break
    case 'head-end':
      tagged.take()
      tagged.part = 'between'
      break
    case 'parameter':
      if (!endBetween(reading)) return at
      if (body.elements) {
        tagged.text.addPart(text, at, end)
        tagged.part = 'value'
      } else tagged.part = 'key'
      break
    case 'key-end':
      tagged.key = readTagName(tagged.take(), body.parameter!.keyEnd)
      tagged.part = body.parameter!.valueOpen === undefined ? 'value' : 'attributes'
      tagged.valueFrom = reading.raw.length + length
      break
    case 'value-open':
      tagged.attributes = tagged.take()
      tagged.part = 'value'
      tagged.valueFrom = reading.raw.length + length
      break
    case 'value-close':
      tagged.part = 'between'
      break
    case 'close':
      return closeTagged(reading, text, at, length)
    default:
      mark satisfies never
  }
  reading.raw.addPart(text, at, end)
  return end
}

/** The name is complete; false if there is none. */
function endName(reading: Reading): boolean {
  const { tagged, block } = reading
  const { prefix = '', nameEnd = '' } = block.tagged!
  const written = tagged.take().trim()
  const name = readTagName(written.startsWith(prefix) ? written.slice(prefix.length).trim() : written, nameEnd)
  if (name === '') {
    refuse(reading, 'no-name', 'the call has no name', 0)
    return false
  }
  reading.call.startNamed(block.tagged!.namespaced ? withoutNamespace(name, reading.tools) : name, tagged.id)
  tagged.part = 'between'
  return true
}

function withoutNamespace(name: string, tools: ToolChecker | undefined): string {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return tools?.has(last) && !tools.has(name) ? last : name
}

/** What stands between arguments should be white space; a JSON object in their place is all of them. */
function endBetween(reading: Reading): boolean {
  const { tagged } = reading
  if (tagged.part !== 'between') return true
  const text = tagged.take().trim()
  if (text === '') return true
  const given = tagged.entries.length === 0 && text.startsWith('{') ? jsonObject(text) : undefined
  if (given === undefined) {
    refuse(reading, 'malformed', `expected an argument, found '${text.slice(0, 40)}'`, 0)
    return false
  }
  for (const [key, value] of given) addEntry(reading, key, value)
  return true
}

function jsonObject(text: string): [string, PyValue][] | undefined {
  try {
    const value = parseJson(text)
    return isDict(value) ? dictEntries(value) : undefined
  } catch {
    return undefined
  }
}

function endValue(reading: Reading): void {
  const { tagged, block } = reading
  const { padding, typeAttribute, json: isJson } = block.tagged!.parameter!
  let text = tagged.take()
  if (padding !== undefined) {
    if (text.startsWith(padding)) text = text.slice(padding.length)
    if (text.endsWith(padding)) text = text.slice(0, -padding.length)
  }
  // What is declared to be no text is JSON.
  const declared = isJson ? false : typeAttribute === undefined ? undefined : isDeclaredText(tagged.attributes, typeAttribute)
  const schema = reading.tools?.schemaOf(reading.call.name!)
  addEntry(
    reading,
    tagged.key,
    declared === undefined ? typedValue(text, propertySchema(schema, tagged.key)) : declaredValue(text, declared),
  )
  tagged.attributes = ''
  tagged.part = 'between'
}

/** Whether the attribute says that the value is a text; undefined where it is not there. */
function isDeclaredText(attributes: string, name: string): boolean | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1]
  return found === undefined ? undefined : found === 'true' || found === 'string'
}

function addEntry(reading: Reading, key: string, value: PyValue): void {
  const { entries } = reading.tagged
  const written = `${entries.length === 0 ? '{' : ', '}${stringifyJson(key, json)}: ${stringifyJson(value, json)}`
  entries.push([key, value])
  tell(reading, written)
}

function tell(reading: Reading, written: string): void {
  reading.tagged.json.add(written)
  reading.call.addArguments(written)
}

const json = { ensureAscii: false }

function closeTagged(reading: Reading, text: string, at: number, length: number): number {
  const { tagged, block } = reading
  if (block.tagged!.elements && tagged.part === 'value') {
    const given = readElements(tagged.take(), block.tagged!.elements, reading.tools?.schemaOf(reading.call.name!))
    if ('problem' in given) return refuse(reading, 'malformed', given.problem, at)
    for (const [key, value] of given.entries) addEntry(reading, key, value)
  } else if (tagged.part === 'key' || tagged.part === 'attributes') {
    tagged.take()
    reading.report(`the argument ${tagged.key} of ${reading.call.name} has no value`, reading.offset + at)
  }
  if (!endBetween(reading)) return at
  completeTagged(reading)
  finishCall(reading, reading.offset + at + length, false)
  const markers = reading.blockMarkers
  if (markers.match(text, at, reading.isFinal) === 'found') return readMark(reading, text, at, markers)
  reading.state = 'text'
  return at + length
}

/** The arguments so far are all. */
export function completeTagged(reading: Reading): void {
  const { entries } = reading.tagged
  tell(reading, entries.length === 0 ? '{}' : '}')
  const given = dictFromEntries(entries)
  reading.found = { name: reading.call.name!, arguments: given, argumentsText: reading.tagged.json.toString(), id: reading.call.id }
  reading.rawLength = reading.raw.length
}

/** Another mark stands where the call should be closed: it ends there. */
function leaveOpen(reading: Reading, text: string, at: number, length: number): number {
  const { tagged } = reading
  const markers = reading.blockMarkers
  if (tagged.part === 'key' || tagged.part === 'attributes' || markers.match(text, at, reading.isFinal) !== 'found') {
    addText(reading, text, at, at + length)
    return at + length
  }
  if (!endBetween(reading)) return at
  completeTagged(reading)
  finishCall(reading, reading.offset + at, true)
  return readMark(reading, text, at, markers)
}

/** At the end of the reply: whether the call lacks nothing but its closing mark. */
export function endTagged(reading: Reading): boolean {
  const { tagged, block } = reading
  if (tagged.part === 'value' || tagged.part === 'key' || tagged.part === 'attributes' || tagged.part === 'head') return false
  if (tagged.part === 'name' && (block.tagged!.nameEnd !== undefined || !endName(reading))) return false
  if (!endBetween(reading)) return false
  completeTagged(reading)
  return true
}

/** A name or key as an attribute writes it: entities stand for characters that would end it. */
function readTagName(written: string, end: string): string {
  const text = written.trim()
  if (!end.startsWith('"') || !text.includes('&')) return text
  return text.replace(/&(amp|quot|lt|gt|apos|#39);/g, (_, name: string) => entities[name]!)
}

const entities: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'", '#39': "'" }
