import {
  dictEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
  stringifyJson,
  strip,
  stripEnd,
} from '../../base/python/index.ts'
import { plainReplies } from '../families/plain-replies.ts'
import { eventsOfCall, type Reply, type ReplyCall, type ReplyEvent, type ReplyPart, type TextRange } from '../reply.ts'
import type { ReplyMachine, ReplyMachineMaker, ReplySyntax } from '../syntax.ts'
import { ToolChecker } from '../tool-checker.ts'
import { type EventPlace, type ExactEvent, ResponseParser } from './response-parser.ts'
import { type ResponseTemplate, readResponseTemplate } from './response-template.ts'

/** The fields of a message that hold reasoning, as the makers of models name them. */
const thoughtFields: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning', 'thinking', 'thought', 'thoughts'])

/**
 * A model's own `response_template` as a syntax of replies: with it, `parseReply`, agents and sessions read replies as the model's makers say.
 * Its fields are text (`content`), reasoning (`reasoning_content`, `thinking`, …) and calls; others are reported as problems.
 *
 * @example
 * const call = { open: '<call>', close: '</call>', content: 'json', repeats: true, transform: { function: '{content}' } }
 * const syntax = responseSyntax({ start_anchor: 'bot: ', fields: { tool_calls: call, content: {} } })
 * parseReply(syntax, 'Wait.<call>{"name": "now", "arguments": {}}</call>').calls.length // => 1
 */
export function responseSyntax(template: object): ReplySyntax {
  const compiled = readResponseTemplate(template)
  const reader: ReplyMachineMaker = (options) => new ResponseReplies(compiled, options)
  return { ...plainReplies, name: 'response_template', reader }
}

type Words = {
  kind: 'text' | 'reasoning'
  text: string
  /** White space that is part of it only if more follows. */
  held: string
}

/** Reads a reply with a response template, in the events and parts of our own parser. */
class ResponseReplies implements ReplyMachine {
  readonly #parser: ResponseParser
  readonly #tools: ToolChecker | undefined
  readonly #readsCalls: boolean
  /** What was read, as far as a call that turns out to be text needs it. */
  #source: string
  readonly #words: Record<Words['kind'], Words> = {
    text: { kind: 'text', text: '', held: '' },
    reasoning: { kind: 'reasoning', text: '', held: '' },
  }
  readonly #calls: ReplyCall[] = []
  readonly #parts: ReplyPart[] = []
  readonly #problems: { problem: string; at: TextRange }[] = []
  #events: ReplyEvent[] = []
  /** The region that the last part belongs to. */
  #region = 0
  #regionStart = 0
  #lastRegion = -1

  constructor(template: ResponseTemplate, { prompt = '', tools, readsCalls = true }: Parameters<ReplyMachineMaker>[0]) {
    this.#tools = tools && new ToolChecker(tools)
    this.#readsCalls = readsCalls
    this.#parser = new ResponseParser(template, { prefix: prompt, ...(tools && { tools: tools as readonly PyValue[] }) })
    this.#source = this.#parser.begunLength === 0 ? '' : prompt.slice(-this.#parser.begunLength)
  }

  get reply(): Reply {
    const { text, reasoning } = this.#words
    return { text: text.text, reasoning: reasoning.text, calls: this.#calls, parts: this.#parts, problems: this.#problems, rest: '' }
  }

  push(text: string): ReplyEvent[] {
    this.#source += text
    this.#events = []
    this.#take(this.#parser.feed(text), this.#parser.places)
    return this.#events
  }

  end(): ReplyEvent[] {
    this.#events = []
    const { problems } = this.#parser.finish()
    this.#take(this.#parser.finalEvents, this.#parser.places)
    // Problems of a region came with its event.
    for (const { kind, field, problem } of problems) if (field === undefined || kind === 'missing') this.#report(problem, [0, 0])
    return this.#events
  }

  #take(events: readonly ExactEvent[], places: readonly EventPlace[]): void {
    for (const [index, event] of events.entries()) {
      const place = places[index]!
      const { field } = place
      const kind = kindOf(field.name)
      if (event.type === 'region_open') {
        this.#region++
        this.#regionStart = place.at[0]
      } else if (event.type === 'region_chunk') {
        if (kind !== undefined) this.#say(kind, event.text, place)
      } else if (kind === undefined) this.#close(event, place)
      else {
        if (event.problem !== undefined) this.#report(`${field.name}: ${event.problem}`, this.#rangeOf(place))
        if (kind === 'reasoning' && place.isCut) this.#markCut()
      }
    }
  }

  #rangeOf({ at: [start, end] }: EventPlace): TextRange {
    const begun = this.#parser.begunLength
    return [Math.max(0, start - begun), Math.max(0, end - begun)]
  }

  #report(problem: string, at: TextRange): void {
    this.#problems.push({ problem, at })
    this.#events.push({ type: 'problem', problem, at })
  }

  /** White space at both ends is not part of a text, unless its field says so. */
  #say(kind: Words['kind'], given: string, place: EventPlace): void {
    const words = this.#words[kind]
    let text = words.held + given
    words.held = ''
    if (place.field.isText && place.field.read(' ') === '') {
      const whole = words.text === '' ? strip(text) : stripEnd(text)
      if (whole === '') {
        words.held = words.text === '' ? '' : text
        return
      }
      const start = words.text === '' ? text.indexOf(whole) : 0
      words.held = text.slice(start + whole.length)
      text = whole
    }
    words.text += text
    this.#events.push({ type: kind, text })
    const last = this.#parts.at(-1)
    // White space that an earlier region ended with is not in this one's range.
    const end = place.at[1] - words.held.length
    const at = this.#rangeOf({ ...place, at: [Math.max(this.#regionStart, end - text.length), end] })
    if (last?.kind === kind && this.#lastRegion === this.#region)
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text, at: [last.at[0], at[1]] }
    else this.#parts.push({ kind, text, at })
    this.#lastRegion = this.#region
  }

  #markCut(): void {
    const last = this.#parts.at(-1)
    if (last?.kind === 'reasoning') this.#parts[this.#parts.length - 1] = { ...last, unterminated: true }
    else this.#parts.push({ kind: 'reasoning', text: '', unterminated: true, at: [0, 0] })
  }

  #close({ field: name, value, problem }: Extract<ExactEvent, { type: 'region_close' }>, place: EventPlace): void {
    const raw = this.#source.slice(...place.at)
    const calls = problem === undefined ? callsIn(value, writesCalls(place)) : undefined
    const isCall = calls !== undefined || writesCalls(place)
    if (isCall && !this.#readsCalls) {
      this.#say('text', raw, place)
      return
    }
    const at = this.#rangeOf(place)
    if (calls === undefined) {
      if (isCall) this.#call(malformedCall(raw, problem ?? `it is no call: ${shortened(value)}`, place, at))
      else this.#report(`the field ${name} is neither text nor reasoning nor calls: ${problem ?? shortened(value)}`, at)
      return
    }
    const cut = place.isCut ? { unterminated: true as const } : {}
    for (const call of calls) this.#call({ ...call, ...cut, ...(call.kind === 'malformed' ? { raw } : {}), at })
  }

  #call(given: ReplyCall): void {
    const call = this.#tools ? this.#tools.checked(given) : given
    const events = eventsOfCall(call, this.#calls.length)
    this.#calls.push(call)
    this.#parts.push(call)
    this.#lastRegion = -1
    for (const event of events) {
      if (event.type === 'problem') this.#problems.push({ problem: event.problem, at: event.at })
      this.#events.push(event)
    }
  }
}

function kindOf(field: string): Words['kind'] | undefined {
  return field === 'content' ? 'text' : thoughtFields.has(field) ? 'reasoning' : undefined
}

const nowhere: TextRange = [0, 0]

/** The calls that a region's value holds; undefined if it holds something else. Only where calls are written is a name enough. */
function callsIn(value: PyValue, isPlaceOfCalls: boolean): ReplyCall[] | undefined {
  if (isList(value)) {
    const calls = value.map((each) => callIn(each, isPlaceOfCalls))
    return calls.every((call) => call !== undefined) ? calls : undefined
  }
  const call = callIn(value, isPlaceOfCalls)
  return call && [call]
}

/** Keys of a call without arguments; another key may hold them under another name. */
const keysBeside: ReadonlySet<PyValue> = new Set(['name', 'id', 'type', 'index'])

function callIn(value: PyValue, isPlaceOfCalls: boolean): ReplyCall | undefined {
  if (!isDict(value)) return undefined
  const inner = dictGet(value, 'function')
  const described: PyDict = isDict(inner) ? inner : value
  if (!dictHas(described, 'name')) return undefined
  const isBare = isPlaceOfCalls && dictEntries(described).every(([key]) => keysBeside.has(key))
  if (!dictHas(described, 'arguments') && !isBare) return undefined
  const name = dictGet(described, 'name')
  if (typeof name !== 'string' || name === '')
    return { kind: 'malformed', error: 'no-name', raw: '', problem: 'it does not say which tool', at: nowhere }
  const given = argumentsIn(dictGet(described, 'arguments') ?? null)
  if (given === undefined)
    return { kind: 'malformed', error: 'malformed', raw: '', name, problem: 'its arguments are a text that is not JSON', at: nowhere }
  const id = dictGet(value, 'id')
  const named = typeof id === 'string' && id !== '' ? { id } : {}
  return { kind: 'call', name, arguments: given, argumentsText: stringifyJson(given, { ensureAscii: false }), ...named, at: nowhere }
}

/** Arguments may be JSON in a text; no arguments are `{}`. */
function argumentsIn(given: PyValue): PyValue | undefined {
  if (given === null) return {}
  if (typeof given !== 'string') return given
  try {
    return parseJson(given)
  } catch {
    return undefined
  }
}

/** Whether what a region should have held is a call. */
function writesCalls({ field: { name, transform } }: EventPlace): boolean {
  return name === 'tool_calls' || (isDict(transform) && (dictHas(transform, 'function') || dictHas(transform, 'arguments')))
}

function malformedCall(raw: string, problem: string, { captures, isCut }: EventPlace, at: TextRange): ReplyCall {
  const name = captures.get('name')
  const named = typeof name === 'string' ? { name } : {}
  return {
    kind: 'malformed',
    error: isCut ? 'truncated' : 'malformed',
    raw: raw.trimStart(),
    problem,
    ...named,
    ...(isCut && { unterminated: true }),
    at,
  }
}

function shortened(value: PyValue): string {
  const text = stringifyJson(value, { ensureAscii: false })
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
