import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sized } from './sizes.ts'
import { benchFolder, main, measure, type ProcessorTime, startServer, writeConfig, writeRows } from './whole-runs.ts'

// Processor time per row of `rolecall run` and of a bare loop over the same HTTP client, on a server that replies at once. Other programs
// slow both down and a single measurement varies by half, so they alternate, and the ratio of each pair is kept.

/** Runs of this many rows are compared: the differences between them have no start-up, and the last one hardly any compilation. */
const sizes = [sized(2000, 20), sized(20_000, 40), sized(40_000, 60)] as const
const pairs = sized(7, 1)

/** Milliseconds per row of one kind of processor time, a value for each pair. */
type PerRow = Readonly<Record<keyof ProcessorTime | 'all', readonly number[]>>

/** The rows between two sizes. */
type Stretch = { from: number; to: number; loop: PerRow; run: PerRow; ratios: readonly number[] }

export type ProcessorMeasurements = { stretches: readonly Stretch[] }

export async function measureProcessorTime(): Promise<ProcessorMeasurements> {
  const folder = benchFolder()
  const server = await startServer(folder, 0)
  try {
    for (const rows of sizes) await writeRows(folder, rows)
    const loop = (rows: number) => measure(folder, rows, ['loop.mjs', `rows-${rows}.jsonl`, server.url])
    const run = async (rows: number) => {
      const measured = await measure(folder, rows, [main, 'run', writeConfig(folder, rows, server.url), '--no-cache', '-w', 'outputs'])
      rmSync(join(folder, 'outputs'), { recursive: true })
      return measured
    }
    const [loops, runs]: [ProcessorTime[][], ProcessorTime[][]] = [[], []]
    const measureAll = async (program: typeof loop, all: ProcessorTime[][]) => {
      const measured: ProcessorTime[] = []
      for (const rows of sizes) measured.push((await program(rows)).processor)
      all.push(measured)
    }
    for (let pair = 0; pair < pairs; pair++) {
      if (pair % 2 === 0) await measureAll(loop, loops)
      await measureAll(run, runs)
      if (pair % 2 === 1) await measureAll(loop, loops)
    }
    return { stretches: [0, 1].map((at) => stretchOf(at, loops, runs)) }
  } finally {
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function stretchOf(at: number, loops: readonly ProcessorTime[][], runs: readonly ProcessorTime[][]): Stretch {
  const [from, to] = [sizes[at]!, sizes[at + 1]!]
  const perRow = (all: readonly ProcessorTime[][]): PerRow => {
    const each = (of: (time: ProcessorTime) => number) => all.map((one) => (of(one[at + 1]!) - of(one[at]!)) / (to - from))
    return {
      all: each(({ user, system }) => user + system),
      user: each(({ user }) => user),
      system: each(({ system }) => system),
      main: each((time) => time.main),
      others: each(({ others }) => others),
    }
  }
  const [loop, run] = [perRow(loops), perRow(runs)]
  return { from, to, loop, run, ratios: run.all.map((one, pair) => one / loop.all[pair]!) }
}

/** The measurements as lines of the benchmark's output. */
export function showProcessorTime({ stretches }: ProcessorMeasurements): string {
  return stretches
    .flatMap(({ from, to, loop, run, ratios }) => [
      `run-processor, rows ${from.toLocaleString('en')} to ${to.toLocaleString('en')}`,
      `  ${'ratio'.padEnd(28)}${`×${median(ratios).toFixed(2)}`.padStart(12)}   from ×${Math.min(...ratios).toFixed(2)} to ×${Math.max(...ratios).toFixed(2)} in ${ratios.length} pairs`,
      `  ${'bare loop'.padEnd(28)}${microseconds(loop)}`,
      `  ${'rolecall run'.padEnd(28)}${microseconds(run)}`,
    ])
    .join('\n')
}

function microseconds({ all, user, system, main: onMain, others }: PerRow): string {
  const shown = (values: readonly number[]) => (median(values) * 1000).toFixed(0)
  const spread = `${(Math.min(...all) * 1000).toFixed(0)} to ${(Math.max(...all) * 1000).toFixed(0)}`
  return `${`${shown(all)} µs`.padStart(12)}   ${spread}; main thread ${shown(onMain)}, others ${shown(others)}; user ${shown(user)}, system ${shown(system)}`
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
