import type { ReplyEvent } from '../reply.ts'
import type { JsonBody } from '../syntax.ts'
import type { ToolChecker } from '../tool-checker.ts'
import type { EventList } from './event-list.ts'
import type { ObjectListener } from './object-listener.ts'
import { type ReadCall, type Refusal, readArguments, readCall } from './read-call.ts'
import { TextBuffer } from './text-buffer.ts'

/** No key of such an object is wanted. */
const noKeys: JsonBody = { name: '', arguments: [], opened: true }

/**
 * A call while it is being written: tells its name as soon as it is known, then its arguments as they come. Arguments that
 * stand before the name wait for it.
 */
export class CallInProgress implements ObjectListener {
  name: string | undefined
  id: string | undefined
  /** Where the arguments stand in the raw text. */
  #argumentsAt: readonly [start: number, end: number] | undefined
  #json: JsonBody | undefined
  /** JSON without a mark is a call only if it has a name and arguments; until then nothing is told. */
  #isCertain = false
  #tools: ToolChecker | undefined
  #isReadingName = false
  #nameText = ''
  #names = 0
  #argumentsKey: string | undefined
  #waiting: TextBuffer | undefined
  #isNameTold = false
  #areArgumentsTold = false
  readonly #events: EventList
  #index = 0

  constructor(events: EventList) {
    this.#events = events
  }

  /** Nothing of the next call is known, but whether it is one for certain. */
  start(index: number, json: JsonBody | undefined, isCertain: boolean, tools?: ToolChecker): void {
    this.#index = index
    this.#json = json
    this.#isCertain = isCertain
    this.#tools = tools
    this.name = undefined
    this.id = undefined
    this.#argumentsAt = undefined
    this.#isReadingName = false
    this.#nameText = ''
    this.#names = 0
    this.#argumentsKey = undefined
    this.#waiting = undefined
    this.#isNameTold = false
    this.#areArgumentsTold = false
  }

  /** Whether a name may be that of a call: where there is no mark, only those of given tools are. */
  isKnown(name: string): boolean {
    return this.#isCertain || this.#json?.opened !== true || this.#tools?.has(name) === true
  }

  get isCertain(): boolean {
    return this.#isCertain
  }

  /** The name is known from what stands before: the object is its arguments. */
  get isNamed(): boolean {
    return this.#json === undefined
  }

  /** The name stands before the arguments: all that follows is arguments. */
  startNamed(name: string, id: string | undefined): void {
    this.name = name
    this.id = id
    this.#tellName()
  }

  key(key: string): 'wanted' | 'other' | 'stop' {
    const json = this.#json
    if (json === undefined) return 'other'
    if (json.name === null) return this.#startKeyed(key)
    // Told when all of it is there.
    if (json.inside !== undefined) return 'other'
    this.#isReadingName = key === json.name
    if (this.#isReadingName) {
      this.#names++
      this.#nameText = ''
      return 'wanted'
    }
    if (json.asText && json.arguments.includes(key)) return 'other'
    if (json.arguments.includes(key)) return this.#startArguments(key, json.arguments)
    return this.#isCertain || key === 'type' || key === json.id ? 'other' : 'stop'
  }

  value(text: string): void {
    if (this.#isReadingName) this.#nameText += text
    else this.addArguments(text)
  }

  /** As `value`, for a piece in the midst of it: what it tells is handed back. */
  valueInside(text: string): ReplyEvent[] {
    if (this.#isReadingName) this.#nameText += text
    else if (this.#isNameTold) {
      this.#areArgumentsTold = true
      return [{ type: 'arguments', index: this.#index, text }]
    } else this.#wait(text)
    return []
  }

  valueEnd(start: number, end: number): void {
    if (!this.#isReadingName) {
      this.#argumentsAt = [start, end]
      return
    }
    const name = readString(this.#nameText)
    if (name === undefined || name === '') return
    // What only looks like a call stays uncertain, and is text.
    if (!this.isKnown(name)) {
      this.#json = noKeys
      return
    }
    this.name = name
    if (!this.#isCertain && this.#argumentsKey !== undefined) this.#isCertain = true
    if (this.#isCertain) this.#tellName()
  }

  addArguments(text: string): void {
    if (this.#isNameTold) {
      this.#areArgumentsTold = true
      this.#events.tell({ type: 'arguments', index: this.#index, text })
    } else this.#wait(text)
  }

  /** Name and arguments are there at once. */
  takeWhole(name: string, argumentsText: string): void {
    this.name = name
    this.#isCertain = true
    this.#tellName()
    this.addArguments(argumentsText)
  }

  #wait(text: string): void {
    this.#waiting ??= new TextBuffer()
    this.#waiting.add(text)
  }

  /** The object is complete. `objectFrom`: what stands before it in `raw` names the tool. */
  read(raw: string, objectFrom: number, isPlain: boolean): ReadCall | Refusal {
    if (this.#json === undefined) return this.#readNamed(raw.slice(objectFrom), isPlain)
    if (this.#names > 1 && this.#json.name !== null)
      return { error: 'malformed', problem: `"${this.#json.name}" is given ${this.#names} times` }
    if (this.#json.name === null && this.#names > 0) return this.#readKeyed(raw)
    const call = readCall(raw, isPlain, this.#json)
    if ('error' in call) return call
    if (this.name === undefined && this.#json.inside !== undefined) this.startNamed(call.name, call.id)
    // OpenAI's clients parse the arguments they are sent, so that a call without any is sent an empty object.
    if (this.#argumentsAt === undefined) this.addArguments(call.argumentsText)
    else call.argumentsText = raw.slice(this.#argumentsAt[0], this.#argumentsAt[1])
    return call
  }

  #readNamed(argumentsText: string, isPlain: boolean): ReadCall | Refusal {
    const found = readArguments(argumentsText, isPlain)
    if ('error' in found) return found
    return { name: this.name!, arguments: found.arguments, argumentsText, ...(this.id === undefined ? {} : { id: this.id }) }
  }

  /** `{"name": {…}}`: the first key is the name, and the value its arguments. */
  #startKeyed(key: string): 'wanted' | 'other' | 'stop' {
    this.#names++
    if (this.#names > 1) return this.#isCertain ? 'other' : 'stop'
    this.name = key
    this.#argumentsKey = key
    if (key === '') return 'other'
    this.#isCertain = true
    this.#tellName()
    return 'wanted'
  }

  #readKeyed(raw: string): ReadCall | Refusal {
    if (this.#names > 1) return { error: 'malformed', problem: 'a call has more than one name' }
    if (this.name === '') return { error: 'no-name', problem: 'the name is empty' }
    if (this.#argumentsAt === undefined) return { error: 'malformed', problem: 'a call has no arguments' }
    const argumentsText = raw.slice(...this.#argumentsAt)
    const found = readArguments(argumentsText, false)
    return 'error' in found ? found : { name: this.name!, arguments: found.arguments, argumentsText }
  }

  #startArguments(key: string, keys: readonly string[]): 'wanted' | 'other' {
    const before = this.#argumentsKey
    if (before !== undefined && keys.indexOf(key) > keys.indexOf(before)) return 'other'
    this.#argumentsKey = key
    this.#argumentsAt = undefined
    this.#waiting = undefined
    if (this.#areArgumentsTold) this.#events.tell({ type: 'reset', index: this.#index })
    this.#areArgumentsTold = false
    if (!this.#isCertain && this.name !== undefined) {
      this.#isCertain = true
      this.#tellName()
    }
    return 'wanted'
  }

  #tellName(): void {
    if (this.#isNameTold) return
    this.#isNameTold = true
    const { name, id } = this
    this.#events.tell({ type: 'call-name', index: this.#index, name: name!, ...(id === undefined ? {} : { id }) })
    if (this.#waiting === undefined) return
    this.#areArgumentsTold = true
    this.#events.tell({ type: 'arguments', index: this.#index, text: this.#waiting.toString() })
    this.#waiting = undefined
  }
}

function readString(text: string): string | undefined {
  // What is not JSON for other reasons is found when the object is read.
  if (text.startsWith('"') && !text.includes('\\')) return text.slice(1, -1)
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
