import type { ModelReply } from '../model/language-model/language-model.ts'
import type { FairQueue } from '../node/fair-queue.ts'
import { Counter, type Gauge, Histogram, prometheusText } from '../node/metrics/prometheus.ts'
import type { Admission } from './admission.ts'
import type { BodyReader } from './body-reader.ts'
import type { ServedModel } from './served-model.ts'

/** The current requests and replies. */
export function serverGauges(models: readonly ServedModel[], admission: Admission, bodies: BodyReader): Gauge[] {
  const perModel = (value: (queue: FairQueue) => number) =>
    models.map(({ name, queue }) => ({ labels: { model: name }, value: value(queue) }))
  return [
    { name: 'rolecall_requests_reading', help: 'Requests whose body is being read.', values: [{ value: bodies.reading }] },
    { name: 'rolecall_requests_running', help: 'Running requests.', values: [{ value: admission.running }] },
    {
      name: 'rolecall_requests_waiting',
      help: 'Waiting requests.',
      values: [{ value: admission.admitted - admission.running }],
    },
    { name: 'rolecall_replies_running', help: 'Replies being generated.', values: perModel(({ running }) => running) },
    { name: 'rolecall_replies_waiting', help: 'Replies waiting for their model.', values: perModel(({ waiting }) => waiting) },
  ]
}

/** Collects metrics in Prometheus's text format. */
export class ServerMetrics {
  readonly #requests = new Counter('rolecall_requests_total', 'Requests by route and status.')
  readonly #prompt = new Counter('rolecall_prompt_tokens_total', 'Prompt tokens, including cached ones.')
  readonly #reused = new Counter('rolecall_reused_tokens_total', 'Prompt tokens found in the cache of an earlier request.')
  readonly #reply = new Counter('rolecall_completion_tokens_total', 'Reply tokens.')
  readonly #seconds = new Histogram('rolecall_request_seconds', 'Request duration, until the end of the stream.')
  readonly #first = new Histogram('rolecall_time_to_first_token_seconds', 'Time to first token, including queueing.')

  request(route: string, status: number, seconds: number): void {
    this.#requests.add({ route, status: String(status) }, 1)
    this.#seconds.add({ route }, seconds)
  }

  reply(model: string, { prompt, reused, reply }: ModelReply['tokens']): void {
    this.#prompt.add({ model }, prompt)
    this.#reused.add({ model }, reused)
    this.#reply.add({ model }, reply)
  }

  firstToken(model: string, seconds: number): void {
    this.#first.add({ model }, seconds)
  }

  /** All metrics as text. */
  format(gauges: readonly Gauge[]): string {
    return prometheusText([this.#requests, this.#prompt, this.#reused, this.#reply, this.#seconds, this.#first], gauges)
  }
}
