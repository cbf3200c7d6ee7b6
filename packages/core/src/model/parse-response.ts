import { type ChecksOf, checkOptionsOf, isAnything, isBoolean, isString } from '../base/errors/check-options.ts'
import { dictEntries, isDict, isList, PyFloat, type PyValue } from '../base/python/index.ts'
import {
  type ExactEvent,
  parseExactResponse,
  ResponseParser,
  type ResponseProblem,
  readResponseTemplate,
} from '../reply/response-template/index.ts'

/** A value of JSON, in which integers that a number cannot hold are bigints. */
export type ExactJson = null | boolean | number | bigint | string | readonly ExactJson[] | { readonly [key: string]: ExactJson }

/** A message as its response template describes it, e.g. `{ role, content, reasoning_content, tool_calls }`. */
export type ResponseMessage = { readonly [key: string]: ExactJson }

/** The message of a reply, and what was wrong with the reply; the message has everything else. */
export type ParsedResponse = { message: ResponseMessage; problems: readonly ResponseProblem[] }

/** What happens while a reply is received, as `transformers` reports it. */
export type ResponseEvent =
  | Exclude<ExactEvent, { type: 'region_close' }>
  | { type: 'region_close'; field: string; value: ExactJson; problem?: string }

/** How a reply is read by a response template. */
export type ResponseOptions = {
  /** The prompt that the reply answers, which may have begun it (`<think>`); `''` if the reply is complete. */
  prefix: string
  /** The tools that were offered: arguments that the model writes as text get the types of their schemas. */
  tools?: readonly object[] | null
  /** The message of transformers also where it loses text, calls or whole messages. */
  compat?: boolean
}

/**
 * Reads a complete reply with a model's `response_template`, as `transformers` does.
 *
 * @example
 * const template = { start_anchor: 'bot: ', fields: { content: { close: '</s>' }, n: { open: '<n>', close: '</n>', content: 'int' } } }
 * parseResponse('Four: <n>4</n>', template, { prefix: '' }).message // => { content: 'Four:', n: 4 }
 */
export function parseResponse(reply: string, template: object, options: ResponseOptions): ParsedResponse {
  const { message, problems } = parseExactResponse(reply, template, exactOptions(options, 'parseResponse'))
  return { message: plain(message) as ResponseMessage, problems }
}

/**
 * Reads a reply piece by piece, with the events of `transformers`. The message does not depend on the pieces.
 *
 * @example
 * const stream = new ResponseStream({ start_anchor: 'bot: ', fields: { content: { close: '</s>' } } }, { prefix: '' })
 * stream.feed('Hi</').map(({ type }) => type) // => ['region_open', 'region_chunk']
 * stream.feed('s>').map(({ type }) => type) // => ['region_close']
 * stream.finish().message // => { content: 'Hi' }
 */
export class ResponseStream {
  /** What the prompt had already begun. */
  readonly initialEvents: readonly ResponseEvent[]
  readonly #parser: ResponseParser

  constructor(template: object, options: ResponseOptions) {
    this.#parser = new ResponseParser(readResponseTemplate(template), exactOptions(options, 'ResponseStream'))
    this.initialEvents = this.#parser.initialEvents.map(plainEvent)
  }

  feed(chunk: string): ResponseEvent[] {
    return this.#parser.feed(chunk).map(plainEvent)
  }

  /** Ends the reply: its message, and the last events. */
  finish(): ParsedResponse & { events: readonly ResponseEvent[] } {
    const { message, problems } = this.#parser.finish()
    return { message: plain(message) as ResponseMessage, problems, events: this.#parser.finalEvents.map(plainEvent) }
  }
}

const optionChecks = { prefix: isString, tools: isAnything, compat: isBoolean } satisfies ChecksOf<ResponseOptions>

function exactOptions(options: ResponseOptions, where: string) {
  checkOptionsOf(options, optionChecks, `${where} › options`)
  const { prefix, tools, compat } = options
  return { prefix, ...(tools ? { tools: tools as readonly PyValue[] } : {}), ...(compat === undefined ? {} : { compat }) }
}

function plainEvent(event: ExactEvent): ResponseEvent {
  return event.type === 'region_close' ? { ...event, value: plain(event.value) } : event
}

function plain(value: PyValue): ExactJson {
  if (value instanceof PyFloat) return value.value
  if (isList(value)) return value.map(plain)
  return isDict(value) ? Object.fromEntries(dictEntries(value).map(([key, item]) => [key, plain(item)])) : value
}
