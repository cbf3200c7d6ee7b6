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
} from '../../base/python/index.ts'
import type { CallError, ReplyEvent } from '../reply.ts'
import type { JsonBody } from '../syntax.ts'
import type { ToolChecker } from '../tool-checker.ts'
import { type ObjectListener, parseString } from './scanners.ts'

export type CompleteCall = { name: string; arguments: PyValue; argumentsText: string; id?: string | undefined }
export type CallRefusal = { error: CallError; problem: string }

/** An object without any key that is wanted. */
const noKeys: JsonBody = { name: '', arguments: [], opened: true }

/** A call in progress: emits its name once it is known, then its arguments as they arrive. Arguments before the name wait for it. */
export class CallInProgress implements ObjectListener {
  name: string | undefined
  id: string | undefined
  /** JSON without a mark is a call only if it has a name and arguments; until then nothing is emitted. */
  isCertain = false
  #json: JsonBody | undefined
  #tools: ToolChecker | undefined
  #index = 0
  #isReadingName = false
  #nameText = ''
  #nameCount = 0
  #argumentsKey: string | undefined
  /** Where the arguments are in the text of the object. */
  #argumentsAt: readonly [start: number, end: number] | undefined
  #waiting: string | undefined
  #isNameTold = false
  #areArgumentsTold = false
  readonly #tell: (event: ReplyEvent) => void

  constructor(tell: (event: ReplyEvent) => void) {
    this.#tell = tell
  }

  /** Forgets the previous call. `json` is absent if the name does not come with the arguments. */
  start(index: number, json: JsonBody | undefined, isCertain: boolean, tools?: ToolChecker): void {
    this.#index = index
    this.#json = json
    this.isCertain = isCertain
    this.#tools = tools
    this.name = undefined
    this.id = undefined
    this.#isReadingName = false
    this.#nameText = ''
    this.#nameCount = 0
    this.#argumentsKey = undefined
    this.#argumentsAt = undefined
    this.#waiting = undefined
    this.#isNameTold = false
    this.#areArgumentsTold = false
  }

  /** The name precedes the object, which holds only the arguments. */
  get isNamed(): boolean {
    return this.#json === undefined
  }

  startNamed(index: number, name: string, id?: string): void {
    this.start(index, undefined, true)
    this.setName(name, id)
  }

  setName(name: string, id?: string): void {
    this.name = name
    this.id = id
    this.#tellName()
  }

  key(key: string): 'wanted' | 'other' | 'stop' {
    const json = this.#json
    if (json === undefined) return 'other'
    if (json.name === null) return this.#startKeyed(key)
    // Emitted when the object is complete.
    if (json.inside !== undefined) return 'other'
    this.#isReadingName = key === json.name
    if (this.#isReadingName) {
      this.#nameCount++
      this.#nameText = ''
      return 'wanted'
    }
    if (json.arguments.includes(key)) return json.asText ? 'other' : this.#startArguments(key, json.arguments)
    return this.isCertain || key === 'type' || key === json.id ? 'other' : 'stop'
  }

  value(text: string): void {
    if (this.#isReadingName) this.#nameText += text
    else this.addArguments(text)
  }

  valueEnd(start: number, end: number): void {
    if (!this.#isReadingName) {
      this.#argumentsAt = [start, end]
      return
    }
    const name = parseString(this.#nameText)
    if (name === undefined || name === '') return
    // Without a mark, only calls of given tools are calls.
    if (!this.isCertain && this.#json?.opened && !this.#tools?.has(name)) {
      this.#json = noKeys
      return
    }
    this.name = name
    if (this.#argumentsKey !== undefined) this.isCertain = true
    if (this.isCertain) this.#tellName()
  }

  addArguments(text: string): void {
    if (this.#isNameTold) {
      this.#areArgumentsTold = true
      this.#tell({ type: 'arguments', index: this.#index, text })
    } else this.#waiting = (this.#waiting ?? '') + text
  }

  /** The text of the object, or of the arguments where the name precedes them, is complete. */
  complete(text: string): CompleteCall | CallRefusal {
    const json = this.#json
    if (json === undefined) return this.#withArguments(text)
    if (json.name === null && this.#nameCount > 0) {
      if (this.#nameCount > 1) return { error: 'malformed', problem: 'a call has more than one name' }
      if (this.name === '') return { error: 'no-name', problem: 'the name is empty' }
      if (this.#argumentsAt === undefined) return { error: 'malformed', problem: 'a call has no arguments' }
      return this.#withArguments(text.slice(...this.#argumentsAt))
    }
    if (this.#nameCount > 1) return { error: 'malformed', problem: `"${json.name}" is given ${this.#nameCount} times` }
    const call = readCall(text, json)
    if ('error' in call) return call
    if (this.name === undefined && json.inside !== undefined) this.setName(call.name, call.id)
    if (this.#argumentsAt !== undefined) call.argumentsText = text.slice(...this.#argumentsAt)
    // OpenAI's clients parse the arguments they receive, so a call without any gets an empty object.
    else this.addArguments(call.argumentsText)
    return call
  }

  #withArguments(argumentsText: string): CompleteCall | CallRefusal {
    const found = parseObject(argumentsText)
    if ('error' in found) return found
    return { name: this.name!, arguments: found.object, argumentsText, ...(this.id === undefined ? {} : { id: this.id }) }
  }

  /** `{"name": {…}}`: the first key is the name, and its value the arguments. */
  #startKeyed(key: string): 'wanted' | 'other' | 'stop' {
    this.#nameCount++
    if (this.#nameCount > 1) return this.isCertain ? 'other' : 'stop'
    this.name = key
    this.#argumentsKey = key
    if (key === '') return 'other'
    this.isCertain = true
    this.#tellName()
    return 'wanted'
  }

  #startArguments(key: string, keys: readonly string[]): 'wanted' | 'other' {
    const before = this.#argumentsKey
    if (before !== undefined && keys.indexOf(key) > keys.indexOf(before)) return 'other'
    this.#argumentsKey = key
    this.#argumentsAt = undefined
    this.#waiting = undefined
    if (this.#areArgumentsTold) this.#tell({ type: 'reset', index: this.#index })
    this.#areArgumentsTold = false
    if (this.name !== undefined) {
      this.isCertain = true
      this.#tellName()
    }
    return 'wanted'
  }

  #tellName(): void {
    if (this.#isNameTold) return
    this.#isNameTold = true
    const { name, id } = this
    this.#tell({ type: 'call-name', index: this.#index, name: name!, ...(id === undefined ? {} : { id }) })
    if (this.#waiting !== undefined) this.addArguments(this.#waiting)
    this.#waiting = undefined
  }
}

/** Reads a complete JSON object that should be a call. */
export function readCall(
  text: string,
  { name: nameKey, arguments: argumentKeys, id: idKey, inside, asText }: JsonBody,
): CompleteCall | CallRefusal {
  const parsed = parseObject(text)
  if ('error' in parsed) return parsed
  const outer = parsed.object
  const inner = inside === undefined ? undefined : dictGet(outer, inside)
  const object = isDict(inner) ? inner : outer
  if (nameKey === null) return { error: 'no-name', problem: 'there is no name' }
  const name = dictGet(object, nameKey)
  if (typeof name !== 'string' || name === '') {
    const problem = dictHas(object, nameKey)
      ? `"${nameKey}" is not a name: ${stringifyJson(name!).slice(0, 50)}`
      : `there is no "${nameKey}"`
    return { error: 'no-name', problem }
  }
  const key = argumentKeys.find((one) => dictHas(object, one))
  const given = key === undefined ? {} : dictGet(object, key)!
  const id = idKey === undefined ? undefined : dictGet(outer, idKey)
  const call: CompleteCall = { name, arguments: given, argumentsText: '{}', ...(typeof id === 'string' ? { id } : {}) }
  // Arguments that were not streamed still lack their text.
  if (asText && typeof given === 'string') {
    const written = given.trim() === '' ? '{}' : given
    const read = parseObject(written)
    return 'error' in read ? read : { ...call, arguments: read.object, argumentsText: written }
  }
  return asText || inside !== undefined ? { ...call, argumentsText: stringifyJson(given, { ensureAscii: false }) } : call
}

function parseObject(text: string): { object: PyDict } | CallRefusal {
  try {
    const value = parseJson(text)
    if (/\b(?:NaN|Infinity)\b/.test(text) && hasNonFinite(value)) return { error: 'malformed', problem: 'NaN and Infinity are not JSON' }
    return isDict(value) ? { object: value } : { error: 'malformed', problem: 'expected a JSON object' }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return { error: 'malformed', problem: `not JSON: ${error.message}` }
  }
}

function hasNonFinite(value: PyValue): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (value instanceof PyFloat) return !Number.isFinite(value.value)
  if (isList(value)) return value.some(hasNonFinite)
  return isDict(value) && dictEntries(value).some(([, item]) => hasNonFinite(item))
}
