import { PromptError } from '../../base/errors/prompt-error.ts'
import type { PythonPattern } from '../../base/pattern/python/python-pattern.ts'
import { StepBudget, StepsSpent } from '../../base/pattern/step-budget.ts'
import type { PyDict, PyValue } from '../../base/python/index.ts'
import { type ArgumentTypes, argumentTypes } from './cast-arguments.ts'
import { MarkerScan } from './marker-scan.ts'
import { MessageBuilder, type ResponseProblem } from './message-builder.ts'
import {
  isCheckedTemplate,
  type ResponseField,
  type ResponseMarker,
  type ResponseTemplate,
  readResponseTemplate,
} from './response-template.ts'

/** What happens while a reply is received, as transformers reports it. */
export type ExactEvent =
  | { type: 'region_open'; field: string }
  /** `dirty`: the text is raw material, such as JSON. */
  | { type: 'region_chunk'; field: string; text: string; dirty: boolean }
  /** `problem`: the region's text is not what the template expects, so that there is no value. */
  | { type: 'region_close'; field: string; value: PyValue; problem?: string }

export type ExactResponseOptions = {
  /** The prompt, which may have begun the reply; `''` if the reply is complete. */
  prefix: string
  /** The tools that were offered: arguments that the model writes as text get their types. */
  tools?: PyValue
  /** The results of transformers also where they lose something (text, whole messages); see docs/fidelity.md. */
  compat?: boolean
}

/** What an event does not say: where its text is, counted from the start anchor, and how its region ended. */
export type EventPlace = {
  at: readonly [start: number, end: number]
  field: ResponseField
  captures: ReadonlyMap<string, PyValue>
  /** The reply ended before the region was closed. */
  isCut?: true
}

/** Steps of all patterns that read a reply: so many, and so many more for each character that arrives. */
const [baseSteps, stepsPerCharacter] = [2_000_000, 30]

/** What a reply says, as a message, and what was wrong with it. */
export type ExactResponse = { message: PyDict; problems: readonly ResponseProblem[] }

/**
 * Reads a reply with a `response_template`, piece by piece. The result does not depend on how the reply is cut into pieces.
 *
 * @example
 * const parser = new ResponseParser({ start_anchor: 'A:', fields: { content: { close: '<end>' } } }, { prefix: '' })
 * parser.feed('Hi<e') // => [{ type: 'region_open', field: 'content' }, { type: 'region_chunk', field: 'content', text: 'Hi', dirty: false }]
 * parser.feed('nd>') // => [{ type: 'region_close', field: 'content', value: 'Hi' }]
 * parser.finish().message // => { content: 'Hi' }
 */
export class ResponseParser {
  /** What the prompt had already begun. */
  readonly initialEvents: readonly ExactEvent[]
  /** The events of the end of the reply. */
  finalEvents: readonly ExactEvent[] = []
  readonly #template: ResponseTemplate
  readonly #builder: MessageBuilder
  readonly #scan: MarkerScan
  /** One for the whole reply, so that neither its pieces nor its marks multiply what patterns may take. */
  readonly #budget = new StepBudget(baseSteps)
  #field: ResponseField | undefined
  #isOpen = false
  #captures: ReadonlyMap<string, PyValue> = new Map()
  #body = ''
  #events: ExactEvent[] = []
  /** Of the last events, one each. */
  places: EventPlace[] = []
  /** How much of the reply the prompt had already written. */
  readonly begunLength: number
  #regionStart = 0
  #isFinished = false

  constructor(template: ResponseTemplate | object, { prefix, tools, compat = false }: ExactResponseOptions) {
    if (typeof prefix !== 'string')
      throw new PromptError('response-prefix', {
        where: 'parseExactResponse › prefix',
        problem: 'the prompt that was sent is missing, and it may have begun the reply, as with "<think>"',
        fix: 'give the prompt, or "" if the reply is complete',
      })
    this.#template = isCheckedTemplate(template) ? template : readResponseTemplate(template)
    const types: ArgumentTypes = argumentTypes(tools)
    this.#builder = new MessageBuilder(this.#template, types, compat, this.#budget)
    this.#scan = new MarkerScan(this.#template.lookback, this.#budget)
    this.#field = this.#template.implicit
    this.#watch()
    const begun = this.#begunIn(prefix, compat)
    this.begunLength = begun.length
    this.initialEvents = begun === '' ? [] : this.feed(begun)
  }

  /** The part of a prompt that belongs to the reply. */
  #begunIn(prefix: string, compat: boolean): string {
    const { anchor } = this.#template
    if (prefix === '') return ''
    const end = this.#endOfAnchor(anchor, prefix)
    if (end === undefined) return ''
    if (end >= 0) return prefix.slice(end)
    if (compat) return prefix
    this.#builder.problems.push({
      kind: 'no-anchor',
      problem: 'the prompt has no start anchor, so that nothing of it was taken for the reply',
    })
    return ''
  }

  /** Where the last anchor of a prompt ends, or -1. Undefined if the search took too long, which is reported. */
  #endOfAnchor(anchor: PythonPattern, prefix: string): number | undefined {
    let end = -1
    try {
      anchor.begin(prefix, true, true, 0, new StepBudget(baseSteps + stepsPerCharacter * prefix.length))
      for (let from = 0; from <= prefix.length; ) {
        const start = anchor.find(from)
        if (start < 0) return end
        end = anchor.end
        from = end > start ? end : end + 1
      }
      return end
    } catch (error) {
      if (!(error instanceof StepsSpent)) throw error
      const problem = 'the start anchor of the template takes too long to find, so that nothing of the prompt was taken for the reply'
      this.#builder.problems.push({ kind: 'budget', problem })
      return undefined
    }
  }

  /** Reads the next piece of the reply. */
  feed(chunk: string): ExactEvent[] {
    if (this.#isFinished) throw new Error('the reply is finished')
    this.#events = []
    this.places = []
    this.#budget.add(stepsPerCharacter * chunk.length)
    this.#scan.add(chunk)
    this.#read(false)
    return this.#events
  }

  /** Ends the reply. */
  finish(): ExactResponse {
    if (this.#isFinished) throw new Error('the reply is finished')
    this.#isFinished = true
    this.#events = []
    this.places = []
    this.#scan.finish()
    this.#read(true)
    this.#close(undefined, this.#scan.position)
    this.finalEvents = this.#events
    return this.#builder.finish()
  }

  #read(isEnd: boolean): void {
    try {
      for (let marker = this.#next(isEnd); marker; marker = this.#next(isEnd)) this.#cross(marker)
    } catch (error) {
      if (!(error instanceof StepsSpent)) throw error
      this.#builder.problems.push({
        kind: 'budget',
        problem: 'a pattern of the template takes too long; the rest of the reply was not searched for marks',
      })
      this.#scan.stop()
      this.#text(this.#scan.rest())
    }
  }

  #next(isEnd: boolean): ResponseMarker | undefined {
    const marker = this.#scan.next(isEnd, this.#isOpen)
    this.#text(this.#scan.before)
    return marker
  }

  #text(text: string): void {
    if (text === '' || this.#field === undefined) return
    const { name, isDirty } = this.#field
    const end = this.#scan.markStart
    if (!this.#isOpen) this.#open(this.#field, new Map(), end - text.length)
    this.#body += text
    this.#events.push({ type: 'region_chunk', field: name, text, dirty: isDirty })
    this.#place(this.#field, end - text.length, end)
  }

  #place(field: ResponseField, start: number, end: number): void {
    this.places.push({ at: [start, end], field, captures: this.#captures })
  }

  #open(field: ResponseField, captures: ReadonlyMap<string, PyValue>, at: number): void {
    this.#isOpen = true
    this.#regionStart = at
    this.#captures = captures
    this.#body = ''
    this.#events.push({ type: 'region_open', field: field.name })
    this.#place(field, at, at)
  }

  #cross({ isOpen, field, pattern }: ResponseMarker): void {
    const groups = new Map<string, PyValue>([...pattern.names.keys()].map((name) => [name, pattern.group(name) ?? null]))
    this.#close(isOpen ? new Map() : groups, isOpen ? this.#scan.markStart : this.#scan.position)
    this.#field = isOpen ? field : this.#template.implicit
    if (isOpen) this.#open(field, groups, this.#scan.markStart)
    this.#watch()
  }

  /** `groups`: those of the mark that closes it; undefined at the end of the reply. */
  #close(groups: ReadonlyMap<string, PyValue> | undefined, end: number): void {
    const field = this.#field
    if (!this.#isOpen || field === undefined) return
    this.#isOpen = false
    const isCut = groups === undefined && field.open !== undefined && field.close !== undefined
    const closed = this.#builder.close(field, this.#body, new Map([...(groups ?? []), ...this.#captures]), isCut)
    this.#body = ''
    this.#events.push({ type: 'region_close', field: field.name, ...closed })
    this.places.push({ at: [this.#regionStart, end], field, captures: this.#captures, ...(isCut && { isCut: true }) })
  }

  #watch(): void {
    const field = this.#field
    this.#scan.watch(field?.open === undefined ? this.#template.outside : field.inside)
  }
}

/**
 * Reads a complete reply with a `response_template`: the message, and what was wrong with the reply.
 *
 * @example
 * const template = { start_anchor: 'A:', fields: { n: { open: '<n>', close: '</n>', content: 'int' }, content: {} } }
 * parseExactResponse('Four: <n>4</n>', template, { prefix: '' }).message // => { content: 'Four:', n: 4 }
 */
export function parseExactResponse(reply: string, template: ResponseTemplate | object, options: ExactResponseOptions): ExactResponse {
  const parser = new ResponseParser(template, options)
  parser.feed(reply)
  return parser.finish()
}
