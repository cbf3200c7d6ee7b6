/** Upper bounds of histogram buckets, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

type Labels = Readonly<Record<string, string>>

/** A value sampled when metrics are read. */
export type Gauge = { name: string; help: string; values: readonly { labels?: Labels; value: number }[] }

/** Metrics in Prometheus's text format. */
export function prometheusText(collected: readonly { format(): string }[], gauges: readonly Gauge[]): string {
  const sampled = gauges.map(({ name, help, values }) =>
    family(
      name,
      'gauge',
      help,
      values.map(({ labels = {}, value }) => line(name, labels, value)),
    ),
  )
  return [...collected.map((one) => one.format()), ...sampled].join('')
}

export class Counter {
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

export class Histogram {
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
