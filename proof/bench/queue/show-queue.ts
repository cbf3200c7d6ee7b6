import { cores } from './processor-time.ts'
import type { QueueMeasurements } from './queue.ts'

/** The metrics as lines of the benchmark's output. */
export function showQueue(measured: QueueMeasurements | undefined): string {
  if (!measured)
    return 'queue                         left out: redis-server or valkey-server is needed, and bullmq and ioredis (ROLECALL_PEERS)'
  const { program, alone, fast, slow, join, few, many } = measured
  const line = (name: string, figure: string, beside: string) => `${name.padEnd(30)}${figure.padStart(12)}   ${beside}`
  const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
  const rows = (value: number) => `${value.toLocaleString('en')} rows`
  const { coordinator, workers, queue, server } = fast.costs
  return [
    line(
      'queue',
      rate(fast.perSecond),
      `2 workers on ${program}, server at 0 ms, ${rows(fast.rows)}; others had ${fast.others.toFixed(1)} of ${cores} processors`,
    ),
    line('queue, all processors', rate(fast.possiblePerSecond), `what ${cores} processors have time for at this cost`),
    line(
      'queue cost',
      `${fast.cost.toFixed(2)} ms`,
      `of processor time a row: coordinator ${coordinator.toFixed(2)}, workers ${workers.toFixed(2)}, ${program} ${queue.toFixed(2)}, server ${server.toFixed(2)}; a run without a queue ${alone.cpuMillisecondsPerRow.toFixed(2)} with start-up`,
    ),
    line(
      'queue 50 ms',
      rate(slow.perSecond),
      `×${slow.ofIdeal.toFixed(3)} of what 32 slots could do, ×${slow.ofBareLoops.toFixed(3)} of bare loops`,
    ),
    line(
      'queue join',
      `${join.fromReady.toFixed(2)} s`,
      `until a new worker asks its first row; ${join.fromStart.toFixed(2)} s from the start of its process`,
    ),
    line(
      'queue memory',
      `${many.peakMegabytes} MB`,
      `at the coordinator's peak with ${rows(many.rows)}; ${few.peakMegabytes} MB with ${rows(few.rows)}`,
    ),
    line(
      'queue cost, late/early',
      `×${(many.late / many.early).toFixed(2)}`,
      `a row costs ${many.late.toFixed(2)} ms at ${rows(many.rows)}, ${many.early.toFixed(2)} ms at ${rows(few.rows)}`,
    ),
  ].join('\n')
}
