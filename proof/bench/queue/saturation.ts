import { parseArgs } from 'node:util'

// `node scripts/ts.mjs proof/bench/queue/saturation.ts [--workers 1000] [--slots 16] [--rows 10000000]`: which part of a queue saturates first, for models
// of several speeds. The constants were measured by `npm run bench -- queue` (docs/clusters.md); replace them with yours.

/** Milliseconds of CPU time per row. Both are single-threaded. */
const perRow = { coordinator: 0.15, redis: 0.07 }
/** Milliseconds of CPU time per second and worker: heartbeats and polling for runs. An estimate from three workers. */
const perWorker = { coordinator: 0.02, redis: 0.3 }
/** Bytes per row: its record on the coordinator's disk, and what Redis appends to its file (job and answer). */
const bytes = { record: 450, redis: 2400 }
/** Bytes of memory: of the coordinator per recorded row, of Redis per row in flight. */
const memory = { recorded: 30, underWay: 2400 }
/** Megabytes per second that a disk writes, a conservative value. */
const disk = 200

export type Load = { busy: { coordinator: number; redis: number; disk: number }; rowsPerSecond: number; first: string }

/** The utilisation of each part (1 is saturated) for a given latency of the model, and the rate allowed by the busiest part. */
export function loadOf(workers: number, slots: number, secondsPerRow: number): Load {
  const wanted = (workers * slots) / secondsPerRow
  const left = (part: 'coordinator' | 'redis') => 1000 - workers * perWorker[part]
  const most = {
    coordinator: left('coordinator') / perRow.coordinator,
    redis: left('redis') / perRow.redis,
    disk: (disk * 1e6) / Math.max(bytes.record, bytes.redis),
  }
  const busy = { coordinator: wanted / most.coordinator, redis: wanted / most.redis, disk: wanted / most.disk }
  const [first] = Object.entries(busy).sort(([, one], [, other]) => other - one)[0]!
  return { busy, rowsPerSecond: Math.min(wanted, ...Object.values(most)), first }
}

function main(): void {
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '1000' },
      slots: { type: 'string', default: '16' },
      rows: { type: 'string', default: '10000000' },
    },
  })
  const [workers, slots, rows] = [Number(values.workers), Number(values.slots), Number(values.rows)]
  const percent = (share: number) => `${Math.round(100 * share)} %`.padStart(11)
  console.log(`${workers.toLocaleString('en')} workers × ${slots} rows at once, ${rows.toLocaleString('en')} rows`)
  console.log('seconds a row     wanted/s  coordinator      Redis       disk       rows/s       hours   first')
  for (const seconds of [0.5, 1, 2, 5, 10, 30]) {
    const { busy, rowsPerSecond, first } = loadOf(workers, slots, seconds)
    const number = (value: number) => Math.round(value).toLocaleString('en').padStart(12)
    console.log(
      `${String(seconds).padStart(13)} ${number((workers * slots) / seconds)}  ${percent(busy.coordinator)}${percent(busy.redis)}${percent(busy.disk)} ${number(rowsPerSecond)} ${(rows / rowsPerSecond / 3600).toFixed(1).padStart(11)}   ${first}`,
    )
  }
  const megabytes = (value: number) => `${Math.round(value / 1e6).toLocaleString('en')} MB`
  console.log(
    `memory: coordinator ${megabytes(165e6 + rows * memory.recorded)}, Redis ${megabytes(3 * workers * slots * memory.underWay)}; records ${megabytes(rows * bytes.record)}`,
  )
}

main()
