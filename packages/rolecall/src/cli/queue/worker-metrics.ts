import type { Taking } from '../../cluster/protocol.ts'
import type { WorkerEvent } from '../../cluster/work-for-runs.ts'
import { Counter, prometheusText } from '../../node/metrics/prometheus.ts'

/** The metrics of a worker for Prometheus, by queue: a run and the number of its model. */
export class WorkerMetrics {
  readonly #rows = new Counter('rolecall_worker_rows_total', 'Rows that this worker has answered.')
  readonly #failed = new Counter('rolecall_worker_failed_rows_total', 'Rows without an answer.')
  readonly #waits = new Counter('rolecall_worker_waits_total', 'Waits of requests, by reason: rate-limit, retry or server.')
  readonly #refusals = new Counter('rolecall_worker_refusals_total', 'Models of runs that this worker refused.')
  #queues: Readonly<Record<string, Taking>> = {}

  show(event: WorkerEvent): void {
    if (event.kind === 'wait') this.#waits.add({ for: event.wait.for }, 1)
    else if (event.kind === 'refuse') this.#refusals.add({ run: event.run, model: event.model }, 1)
    else if (event.kind === 'status') this.#count(event.status.queues)
    else if (event.kind === 'end') {
      const { [event.queue]: last, ...others } = this.#queues
      this.#count({ ...others, [event.queue]: event.status })
      this.#queues = others
    }
  }

  #count(queues: Readonly<Record<string, Taking>>): void {
    for (const [queue, { done, failed }] of Object.entries(queues)) {
      const last = this.#queues[queue]
      // A run that was started again counts from 0; a counter never falls.
      const before = last && done >= last.done && failed >= last.failed ? last : { done: 0, failed: 0 }
      this.#rows.add({ queue }, done - before.done)
      this.#failed.add({ queue }, failed - before.failed)
    }
    this.#queues = queues
  }

  format(): string {
    const each = (of: (taking: Taking) => number) =>
      Object.entries(this.#queues).map(([queue, taking]) => ({ labels: { queue }, value: of(taking) }))
    return prometheusText(
      [this.#rows, this.#failed, this.#waits, this.#refusals],
      [
        { name: 'rolecall_worker_slots', help: 'Rows that may be in flight.', values: each(({ slots }) => slots) },
        { name: 'rolecall_worker_in_flight', help: 'Rows in flight.', values: each(({ underWay }) => underWay) },
        { name: 'rolecall_worker_rows_per_second', help: 'Recent rows per second.', values: each(({ rate }) => rate) },
      ],
    )
  }
}
