import {
  dictEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  JsonSyntaxError,
  type PyDict,
  PyFloat,
  type PyValue,
  parseJson,
  stringifyJson,
} from '../../../base/python/index.ts'
import type { CallError } from '../reply.ts'
import type { JsonBody, NamedBody } from '../syntax.ts'

export type ReadCall = {
  name: string
  /** Absent where nobody has read `argumentsText` yet, which is known to be JSON that loses nothing in JavaScript. */
  arguments?: PyValue
  argumentsText: string
  id?: string | undefined
}
export type Refusal = { error: CallError; problem: string; name?: string }

/** Reads a complete JSON object that should be a call. `isPlain`: JavaScript's own reader loses nothing of it. */
export function readCall(
  raw: string,
  isPlain: boolean,
  { name: nameKey, arguments: argumentKeys, id: idKey, inside, asText }: JsonBody,
): ReadCall | Refusal {
  const value = readObject(raw, isPlain)
  if ('error' in value) return value
  const inner = inside === undefined ? undefined : dictGet(value.object, inside)
  const object = isDict(inner) ? inner : value.object
  if (nameKey === null) return { error: 'no-name', problem: 'there is no name' }
  const name = dictGet(object, nameKey)
  if (typeof name !== 'string' || name === '') {
    const problem = dictHas(object, nameKey)
      ? `"${nameKey}" is not a name: ${stringifyJson(name!).slice(0, 50)}`
      : `there is no "${nameKey}"`
    return { error: 'no-name', problem }
  }
  const key = argumentKeys.find((one) => dictHas(object, one))
  const id = idKey === undefined ? undefined : dictGet(value.object, idKey)
  const given = key === undefined ? {} : dictGet(object, key)!
  if (asText || inside !== undefined) return wholeCall(name, given, id, asText === true)
  const call: ReadCall = { name, arguments: given, argumentsText: '{}' }
  if (typeof id === 'string') call.id = id
  return call
}

/** A call whose arguments were not told while they came. */
function wholeCall(name: string, given: PyValue, id: PyValue | undefined, asText: boolean): ReadCall | Refusal {
  const read = asText && typeof given === 'string' ? readArguments(given.trim() === '' ? '{}' : given, false) : { arguments: given }
  if ('error' in read) return read
  const written = asText && typeof given === 'string' && given.trim() !== '' ? given : stringifyJson(read.arguments, { ensureAscii: false })
  return { name, arguments: read.arguments, argumentsText: written, ...(typeof id === 'string' ? { id } : {}) }
}

/** Reads a complete JSON object of arguments. */
export function readArguments(raw: string, isPlain: boolean): { arguments: PyValue } | Refusal {
  const value = readObject(raw, isPlain)
  return 'error' in value ? value : { arguments: value.object }
}

function readObject(raw: string, isPlain: boolean): { object: PyDict } | Refusal {
  try {
    // Written with escapes, a key that JavaScript would move is not seen in passing.
    const plain = isPlain && !raw.includes('\\u') ? parsePlain(raw) : undefined
    // What JavaScript has read without an error has no NaN in it.
    if (plain !== undefined) return isDict(plain) ? { object: plain } : { error: 'malformed', problem: 'expected a JSON object' }
    const value = parseJson(raw)
    if (notNumbers.test(raw) && hasNoNumber(value)) return { error: 'malformed', problem: 'NaN and Infinity are not JSON' }
    if (isDict(value)) return { object: value }
    return { error: 'malformed', problem: 'expected a JSON object' }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return { error: 'malformed', problem: `not JSON: ${error.message}` }
  }
}

const notNumbers = /\b(?:NaN|Infinity)\b/

/** Whether a number stands anywhere in a value that JSON cannot hold: handed on, it would become null. */
function hasNoNumber(value: PyValue): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (value instanceof PyFloat) return !Number.isFinite(value.value)
  if (isList(value)) return value.some(hasNoNumber)
  return isDict(value) && dictEntries(value).some(([, item]) => hasNoNumber(item))
}

/** Undefined where it is not JSON, for which the other reader has words, or NaN. */
function parsePlain(raw: string): PyValue | undefined {
  try {
    return JSON.parse(raw) as PyValue
  } catch {
    return undefined
  }
}

export type Header = { name: string; id?: string; isFenced: boolean }

/** Reads what stands before the arguments' opening brace: `name[CALL_ID]id[ARGS]`, or `function<sep>name⏎ ```json⏎`. */
export function readHeader(header: string, { separator, id: idMark, nameAfter, fenced, indexed }: NamedBody): Header | Refusal {
  const at = header.indexOf(separator)
  const before = (at < 0 ? header : header.slice(0, at)).trim()
  const after = at < 0 ? '' : header.slice(at + separator.length).trim()
  const isFenced = after !== ''
  if (isFenced && fenced !== true) return { error: 'malformed', problem: `expected '{' after ${separator}, found ${show(after)}` }
  const nameAt = nameAfter === undefined ? -1 : before.indexOf(nameAfter)
  if (nameAt >= 0) return named(before.slice(nameAt + nameAfter!.length).trim(), before.slice(0, nameAt).trim())
  if (indexed) return named(/^(?:functions\.)?(\S+):\d+$/.exec(before)?.[1] ?? '', before)
  const idAt = idMark === undefined ? -1 : before.indexOf(idMark)
  const inFence = isFenced ? /^(\S+)\s*\n[ \t]*```(?:json)?$/.exec(after)?.[1] : undefined
  if (isFenced && inFence === undefined) return { error: 'malformed', problem: `expected a name and a JSON fence, found ${show(after)}` }
  const name = inFence ?? (idAt < 0 ? before : before.slice(0, idAt).trim())
  if (!/^\S+$/.test(name)) return { error: 'no-name', problem: `${show(name)} is not a tool name` }
  const id = idAt < 0 ? '' : before.slice(idAt + idMark!.length).trim()
  return { name, isFenced, ...(id === '' ? {} : { id }) }
}

function named(name: string, id: string): Header | Refusal {
  if (!/^\S+$/.test(name)) return { error: 'no-name', problem: `${show(name)} is not a tool name` }
  return { name, isFenced: false, ...(id === '' ? {} : { id }) }
}

function show(text: string): string {
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`
}
