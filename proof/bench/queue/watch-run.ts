import { setTimeout as sleep } from 'node:timers/promises'
import { isSmoke } from '../sizes.ts'
import type { Asked } from '../whole-runs.ts'
import { cores, machineTime, processorTime } from './processor-time.ts'

/** The processes of a run on a queue. */
export const parts = ['coordinator', 'workers', 'queue', 'server'] as const
export type Part = (typeof parts)[number]

export type Pids = Readonly<Record<Part, readonly number[]>>

/** The progress of a run at a point in time, and its cost so far in milliseconds. */
export type Sample = { rows: number; at: number; machine: number; costs: Readonly<Record<Part, number>> }

/** The cost of an interval of a run. */
export type Stretch = {
  rows: number
  perSecond: number
  /** Milliseconds of CPU time per row. */
  costs: Readonly<Record<Part, number>>
  cost: number
  /** CPUs used by other programs meanwhile. */
  others: number
  /** Rows per second that all CPUs of this machine could process without other load. */
  possiblePerSecond: number
}

/** Samples a run until it ends. */
export async function watchRun(pids: Pids, asked: () => Promise<Asked>, ended: Promise<unknown>): Promise<Sample[]> {
  const samples: Sample[] = []
  let isOver = false
  const over = () => {
    isOver = true
  }
  ended.then(over, over)
  while (!isOver) {
    const { count } = await asked()
    try {
      samples.push({
        rows: count,
        at: performance.now(),
        machine: machineTime(),
        costs: each((part) => sum(pids[part].map(processorTime))),
      })
    } catch {
      // The coordinator has just ended.
    }
    await Promise.race([sleep(100), ended.catch(() => undefined)])
  }
  await ended
  return samples
}

const none = Number.NaN
const notMeasured: Stretch = { rows: 0, perSecond: none, costs: each(() => none), cost: none, others: none, possiblePerSecond: none }

/** The interval between two row counts. */
export function stretch(samples: readonly Sample[], from: number, to: number): Stretch {
  const first = samples.find(({ rows }) => rows >= from)
  const last = samples.findLast(({ rows }) => rows <= to)
  if (!first || !last || last.rows <= first.rows) {
    // The smallest run ends between two samples.
    if (isSmoke) return notMeasured
    throw new Error(`the run went too fast to be watched from ${from} to ${to} rows`)
  }
  const rows = last.rows - first.rows
  const elapsed = last.at - first.at
  const costs = each((part) => (last.costs[part] - first.costs[part]) / rows)
  const cost = sum(Object.values(costs))
  return {
    rows,
    perSecond: (rows / elapsed) * 1000,
    costs,
    cost,
    others: Math.max(0, last.machine - first.machine - cost * rows) / elapsed,
    possiblePerSecond: (1000 * cores) / cost,
  }
}

function each(of: (part: Part) => number): Record<Part, number> {
  return Object.fromEntries(parts.map((part) => [part, of(part)])) as Record<Part, number>
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
