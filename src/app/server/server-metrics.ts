import type { ModelReply } from '../../model/language-model/language-model.ts'

/** Upper bounds of histogram buckets, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

type Labels = Readonly<Record<string, string>>

/** A value sampled when metrics are read. */
export type Gauge = { name: string; help: string; values: readonly { labels?: Labels; value: number }[] }

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
    const collected = [this.#requests, this.#prompt, this.#reused, this.#reply, this.#seconds, this.#first].map((one) => one.format())
    const sampled = gauges.map(({ name, help, values }) =>
      family(
        name,
        'gauge',
        help,
        values.map(({ labels = {}, value }) => line(name, labels, value)),
      ),
    )
    return [...collected, ...sampled].join('')
  }
}

class Counter {
  readonly #values = new Map<string, { labels: Labels; value: number }>()

  constructor(
    readonly name: string,
    readonly help: string,
  ) {}

  add(labels: Labels, by: number): void {
    const key = JSON.stringify(labels)
    const known = this.#values.get(key)
    if (known) known.value += by
    else this.#values.set(key, { labels, value: by })
  }

  format(): string {
    return family(
      this.name,
      'counter',
      this.help,
      [...this.#values.values()].map(({ labels, value }) => line(this.name, labels, value)),
    )
  }
}

class Histogram {
  readonly #values = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>()

  constructor(
    readonly name: string,
    readonly help: string,
  ) {}

  add(labels: Labels, seconds: number): void {
    const key = JSON.stringify(labels)
    const known = this.#values.get(key) ?? { labels, counts: buckets.map(() => 0), sum: 0, count: 0 }
    this.#values.set(key, known)
    buckets.forEach((bound, index) => {
      if (seconds <= bound) known.counts[index]!++
    })
    known.sum += seconds
    known.count++
  }

  format(): string {
    const lines = [...this.#values.values()].flatMap(({ labels, counts, sum, count }) => [
      ...buckets.map((bound, index) => line(`${this.name}_bucket`, { ...labels, le: String(bound) }, counts[index]!)),
      line(`${this.name}_bucket`, { ...labels, le: '+Inf' }, count),
      line(`${this.name}_sum`, labels, sum),
      line(`${this.name}_count`, labels, count),
    ])
    return family(this.name, 'histogram', this.help, lines)
  }
}

function family(name: string, type: string, help: string, lines: readonly string[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(
    ([key, text]) => `${key}="${text.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`,
  )
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
}
