import { costOf, judgeTokensOf } from '../../evaluation/run/record/cost.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import type { TokenUsage } from '../../evaluation/run/record/run-record.ts'
import { Counter, Histogram, prometheusText } from '../../node/metrics/prometheus.ts'
import type { EvaluationEvent } from '../../node/runs/evaluation-options.ts'

type Labels = { model: string; dataset: string }

/** The metrics of a run for Prometheus, counted from its events. Names of models and datasets are their only text. */
export class RunMetrics {
  readonly #rows = new Counter(
    'rolecall_run_rows_total',
    'Rows that are done, by where their answer is from: model, stored or cached; one that is sent again counts again.',
  )
  readonly #failed = new Counter('rolecall_run_failed_rows_total', 'Rows without an answer or a score; one that fails again counts again.')
  readonly #cut = new Counter('rolecall_run_cut_rows_total', 'Answers that ended at the limit of tokens.')
  readonly #prompt = new Counter('rolecall_run_prompt_tokens_total', 'Prompt tokens that were sent, cached ones included.')
  readonly #reply = new Counter('rolecall_run_completion_tokens_total', 'Generated tokens.')
  readonly #cost = new Counter('rolecall_run_cost_total', 'The cost of models and judges with a price.')
  readonly #seconds = new Histogram('rolecall_run_row_seconds', 'The time from the first request of a row to its answer.')
  readonly #waits = new Counter('rolecall_run_waits_total', 'Waits of requests, by reason: rate-limit, retry or server.')
  readonly #totals = new Map<string, { labels: Labels; value: number }>()
  readonly #scores = new Map<string, { labels: Labels & { metric: string }; value: number }>()
  #reached = 0

  show(event: EvaluationEvent): void {
    if (event.kind === 'wait') this.#waits.add({ for: event.wait.for }, 1)
    else if (event.kind === 'budget') this.#reached = 1
    else if (event.kind === 'row') this.#row(event)
    else if (event.kind === 'start' && event.total !== undefined) {
      const labels = labelsOf(event.pair)
      this.#totals.set(JSON.stringify(labels), { labels, value: event.total })
    } else if (event.kind === 'end' && event.result.value !== undefined) {
      const labels = { ...labelsOf(event.pair), metric: event.result.metric }
      this.#scores.set(JSON.stringify(labels), { labels, value: event.result.value })
    }
  }

  #row({ pair, record, from, judged, tokens = record.tokens }: EvaluationEvent & { kind: 'row' }): void {
    const labels = labelsOf(pair)
    this.#rows.add({ ...labels, from }, 1)
    if (record.error !== undefined) this.#failed.add(labels, 1)
    const judge = from !== 'stored' || judged ? judgeTokensOf(record) : undefined
    if (judge && pair.judge) this.#tokens({ ...labels, model: pair.judge.config.abbr ?? 'judge' }, judge, pair.judge.config.price)
    if (from !== 'model') return
    if ([record.finish].flat().includes('length')) this.#cut.add(labels, 1)
    this.#tokens(labels, tokens, pair.model.price)
    this.#seconds.add({ model: labels.model }, record.milliseconds / 1000)
  }

  #tokens(labels: Labels, tokens: TokenUsage, price: Parameters<typeof costOf>[1] | undefined): void {
    this.#prompt.add(labels, tokens.prompt)
    this.#reply.add(labels, tokens.reply)
    if (price === undefined) return
    const { amount, currency } = costOf(tokens, price)
    this.#cost.add({ ...labels, currency }, amount)
  }

  format(): string {
    return prometheusText(
      [this.#rows, this.#failed, this.#cut, this.#prompt, this.#reply, this.#cost, this.#seconds, this.#waits],
      [
        { name: 'rolecall_run_rows', help: 'All rows, as far as they are counted.', values: [...this.#totals.values()] },
        { name: 'rolecall_run_score', help: 'The scores of finished pairs.', values: [...this.#scores.values()] },
        { name: 'rolecall_run_limit_reached', help: '1 once a limit has ended the run.', values: [{ value: this.#reached }] },
      ],
    )
  }
}

function labelsOf({ name }: { name: Parameters<typeof modelText>[0] & { dataset: string } }): Labels {
  return { model: modelText(name), dataset: name.dataset }
}
