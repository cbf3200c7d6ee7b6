import { randomBytes } from 'node:crypto'
import { rowSpan, runSpan, tracesRequest } from '../../compat/publish/row-spans.ts'
import { ownVersion } from '../../node/own-files.ts'
import { collectorOf } from '../../node/runs/collector.ts'
import type { EvaluationEvent } from '../../node/runs/evaluation-options.ts'
import type { JsonFailure } from '../print-json.ts'

/** Spans in one request. */
const batch = 200

/** Spans that wait for a collector which does not answer; further ones are dropped. */
const mostWaiting = 10_000

/** How long a request to the collector may take, in milliseconds. */
const patience = 10_000

/** Sends a span for each row that a model answers to an OpenTelemetry collector. A collector that fails does not stop the run. */
export class SpanSender {
  readonly #collector: ReturnType<typeof collectorOf>
  readonly #content: boolean
  readonly #root = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') }
  readonly #started = Date.now()
  #name = ''
  #spans: object[] = []
  #sending: Promise<void> = Promise.resolve()
  #isSending = false
  #dropped = 0
  #problem: string | undefined

  constructor(content: boolean, environment: Readonly<Record<string, string | undefined>> = process.env) {
    this.#collector = collectorOf('traces', environment)
    this.#content = content
  }

  show(event: EvaluationEvent): void {
    if (event.kind === 'folder') this.#name = event.folder.split(/[\\/]/).slice(-2).join('/')
    if (event.kind !== 'row' || event.from !== 'model') return
    const place = { traceId: this.#root.traceId, spanId: randomBytes(8).toString('hex'), parentSpanId: this.#root.spanId }
    const time = { end: Date.now(), milliseconds: event.record.milliseconds }
    this.#add(rowSpan(event.pair, event.record, place, time, this.#content))
  }

  /** The span of the run is the last one. */
  finish(failure: JsonFailure | undefined): void {
    const end = Date.now()
    this.#add(runSpan(this.#name, this.#root, { end, milliseconds: end - this.#started }, failure?.exit_code ?? 0))
  }

  /** Sends what is left; returns what was not delivered, if anything. */
  async close(): Promise<string | undefined> {
    await this.#sending
    let isAnswering = true
    while (isAnswering && this.#spans.length > 0) isAnswering = await this.#send()
    // The end of a run does not wait for a collector that fails.
    this.#dropped += this.#spans.splice(0).length
    if (this.#dropped === 0) return undefined
    const { origin, pathname } = this.#collector.address
    return `${this.#dropped} spans were not sent to ${origin}${pathname}: ${this.#problem}`
  }

  #add(span: object): void {
    if (this.#spans.length >= mostWaiting) {
      this.#dropped++
      return
    }
    this.#spans.push(span)
    if (this.#spans.length < batch || this.#isSending) return
    this.#isSending = true
    this.#sending = this.#send().then(() => {
      this.#isSending = false
    })
  }

  /** Whether the collector took the spans. */
  async #send(): Promise<boolean> {
    const spans = this.#spans.splice(0, batch)
    const { address, headers } = this.#collector
    try {
      const body = JSON.stringify(tracesRequest(spans, ownVersion()))
      const reply = await fetch(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(patience) })
      await reply.body?.cancel()
      if (reply.ok) return true
      this.#problem = `the collector answered ${reply.status}`
    } catch (error) {
      const { message, cause } = error as Error
      // A host name with several addresses fails without a message.
      this.#problem = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message
    }
    this.#dropped += spans.length
    return false
  }
}
