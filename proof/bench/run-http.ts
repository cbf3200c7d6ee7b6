import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sized } from './sizes.ts'
import { benchFolder, type Mock, main, measure, type RunMeasurement, start, startServer, writeConfig, writeRows } from './whole-runs.ts'

// Whole evaluations against a local server, compared with a bare loop over the same HTTP client: the server, the loop and `rolecall run`
// are separate processes.

export type HttpMeasurements = {
  bare: RunMeasurement
  run: RunMeasurement
  /** Wall-clock time per row without start-up, relative to the bare loop; `run-processor` measures processor time. */
  overhead: number
  /** A run of one row: the start-up time. */
  start: RunMeasurement
  short: RunMeasurement
  cached: RunMeasurement
  /** A server that takes 50 ms per request: the bare loop and a run with start-up, and the run's rate after start-up. */
  slowBare: RunMeasurement
  slowServer: RunMeasurement
  slowRate: number
  /** The growth of peak memory with ten times as many rows. */
  memoryGrowthMegabytes: number
  /** From process start to the first request, with all rows but one on disk. */
  resumeSeconds: number
}

export type HttpSizes = { short: number; long: number; many: number }

/** 2,000 and 20,000 rows, and 10,000 and 100,000 for memory and resuming. */
export const fullSizes: HttpSizes = { short: sized(2000, 20), long: sized(20_000, 40), many: sized(100_000, 200) }

export async function measureRunsOverHttp({ short, long, many }: HttpSizes = fullSizes): Promise<HttpMeasurements> {
  const folder = benchFolder()
  const [fast, slow] = [await startServer(folder, 0), await startServer(folder, 50)]
  try {
    for (const rows of new Set([short, long, many / 10, many])) await writeRows(folder, rows)
    const bareShort = await measure(folder, short, ['loop.mjs', `rows-${short}.jsonl`, fast.url])
    const bare = await measure(folder, long, ['loop.mjs', `rows-${long}.jsonl`, fast.url])
    const asking = (rows: number, url: string, ...flags: string[]) =>
      measure(folder, rows, [main, 'run', writeConfig(folder, rows, url), ...flags])
    const first = await asking(short, fast.url, '--no-cache')
    const run = await asking(long, fast.url, '--no-cache')
    await asking(short, fast.url, '--cache', join(folder, 'cache'))
    const cached = await asking(short, fast.url, '--cache', join(folder, 'cache'))
    const start = await asking(short, fast.url, '--no-cache', '--limit', '1')
    const slowBare = await measure(folder, short, ['loop.mjs', `rows-${short}.jsonl`, slow.url])
    const slowServer = await asking(short, slow.url, '--no-cache')
    const some = many / 10 === short ? first : await asking(many / 10, fast.url, '--no-cache')
    const all = await asking(many, fast.url, '--no-cache', '-w', 'many')
    return {
      bare,
      run,
      overhead: (run.seconds - first.seconds) / (bare.seconds - bareShort.seconds),
      start,
      short: first,
      cached,
      slowBare,
      slowServer,
      slowRate: Math.round(short / (slowServer.seconds - start.seconds)),
      memoryGrowthMegabytes: all.peakMegabytes - some.peakMegabytes,
      resumeSeconds: await timeToFirstRequest(folder, many, fast),
    }
  } finally {
    fast.stop()
    slow.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The metrics as lines of the benchmark's output. */
export function showRuns(measured: HttpMeasurements): string {
  const { bare, run, start, short, cached, slowBare, slowServer, slowRate, overhead, memoryGrowthMegabytes, resumeSeconds } = measured
  const line = (name: string, { rows, seconds, perSecond, cpuMillisecondsPerRow, peakMegabytes }: RunMeasurement) =>
    `${name.padEnd(30)}${`${perSecond.toLocaleString('en')}/s`.padStart(12)}   ${rows.toLocaleString('en')} rows in ${seconds.toFixed(2)} s, ${cpuMillisecondsPerRow.toFixed(2)} ms of processor time a row, ${peakMegabytes} MB`
  return [
    line('run-http bare loop', bare),
    line('run-http', run),
    line('run-http short', short),
    line('run-http cached', cached),
    `${'run-http start'.padEnd(30)}${`${start.seconds.toFixed(2)} s`.padStart(12)}   for a run of one row`,
    line('run-http 50 ms, bare loop', slowBare),
    line('run-http 50 ms', slowServer),
    `${'run-http 50 ms, overhead'.padEnd(30)}${`×${(slowServer.seconds / slowBare.seconds).toFixed(2)}`.padStart(12)}   of the bare loop's time with start-up; ${slowRate}/s once started`,
    `${'run-http overhead'.padEnd(30)}${`×${overhead.toFixed(2)}`.padStart(12)}   of the bare loop's time for each row`,
    `${'run-http memory'.padEnd(30)}${`${memoryGrowthMegabytes} MB`.padStart(12)}   more at the peak of ten times as many rows`,
    `${'run-http resume'.padEnd(30)}${`${resumeSeconds.toFixed(2)} s`.padStart(12)}   until the first request, with all other rows on disk`,
  ].join('\n')
}

/** Adds one row to a dataset whose other rows are on disk, resumes the run, and waits for the request. */
async function timeToFirstRequest(folder: string, rows: number, server: Mock): Promise<number> {
  const file = join(folder, `rows-${rows}.jsonl`)
  const line = readFileSync(file, 'utf8').split('\n', 1)[0]!
  writeFileSync(file, `${line.replace('Question 0', 'Question new')}\n`, { flag: 'a' })
  const { count: before } = await server.asked()
  const begin = performance.now()
  const { ended } = start(folder, [main, 'run', join(folder, `config-${rows}.json`), '--no-cache', '-w', 'many', '-r'])
  let seconds = Number.NaN
  const watch = (async () => {
    while ((await server.asked()).count === before) await new Promise((resolve) => setTimeout(resolve, 5))
    seconds = (performance.now() - begin) / 1000
  })()
  await Promise.all([ended, watch])
  const { count: after } = await server.asked()
  if (after !== before + 1) throw new Error(`resuming asked ${after - before} rows instead of one`)
  return seconds
}
