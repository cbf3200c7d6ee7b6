import { type OpenMetrics, serveMetrics } from '../../node/metrics/serve-metrics.ts'
import type { EvaluationEvent } from '../../node/runs/evaluation-options.ts'
import type { JsonFailure } from '../print-json.ts'
import { colors, printable } from '../terminal.ts'

/** What follows the events of a run: `--events`, `--metrics`, `--otel`. */
export type RunWatcher = {
  show(event: EvaluationEvent): void
  /** The run has ended; called once or more often. */
  finish(failure: JsonFailure | undefined, unfinished?: number): void
}

type Flags = { events?: string; metrics?: string; otel?: string | true }

/** Opens what the flags ask for; `close` delivers what is left. */
export async function openWatchers({ events, metrics, otel }: Flags): Promise<RunWatcher & { close(): Promise<void> }> {
  const log = events === undefined ? undefined : new (await import('./event-log.ts')).EventLog(events)
  const sender = otel === undefined ? undefined : new (await import('./span-sender.ts')).SpanSender(otel === 'content')
  const counted = metrics === undefined ? undefined : new (await import('./run-metrics.ts')).RunMetrics()
  const server: OpenMetrics | undefined = counted && (await serveMetrics(metrics!, () => counted.format()))
  if (server) process.stderr.write(`metrics: ${server.url}\n`)
  let isFinished = false
  return {
    show(event) {
      for (const one of [log, counted, sender]) one?.show(event)
    },
    finish(failure, unfinished) {
      if (isFinished) return
      isFinished = true
      log?.finish(failure, unfinished)
      sender?.finish(failure)
    },
    async close() {
      server?.close()
      const problem = await sender?.close()
      if (problem !== undefined) process.stderr.write(`${colors.yellow('note')} ${printable(problem)}\n`)
    },
  }
}
