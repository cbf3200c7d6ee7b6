import type { ModelReply } from '../model/language-model/language-model.ts'
import { Counter, type Gauge, Histogram, prometheusText } from '../node/metrics/prometheus.ts'

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
