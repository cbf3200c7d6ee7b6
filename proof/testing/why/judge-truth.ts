import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRunOrResults } from '../../../packages/rolecall/src/node/runs/foreign/open-run-or-results.ts'
import { openWhySide } from '../../../packages/rolecall/src/node/runs/why-side.ts'
import { explain, type WhyReport } from '../../../packages/rolecall/src/workbench/why/explain.ts'

/** A pair of result folders that differ in one known cause, and its true effect. */
export type TruePair = {
  a: string
  b: string
  metric: string | { a: string; b: string }
  cause: string
  change: number
  common_rows: number
  change_on_common_rows: number
  gained_rows: number[]
  lost_rows: number[]
  reply_changed_rows: number[]
}

/** What `why` says about a pair, and what of it is wrong. */
export type JudgedPair = { pair: TruePair; report: WhyReport; found: string; wrong: string[] }

/** Reads `truth.json` of a folder of results. */
export function readTruth(folder: string): TruePair[] {
  return (JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as { pairs: TruePair[] }).pairs
}

/** The same pair, the second run first. */
export function reversed(pair: TruePair): TruePair {
  const { a, b, metric, change, change_on_common_rows, gained_rows, lost_rows } = pair
  return {
    ...pair,
    a: b,
    b: a,
    metric: typeof metric === 'string' ? metric : { a: metric.b, b: metric.a },
    change: -change,
    change_on_common_rows: -change_on_common_rows,
    gained_rows: lost_rows,
    lost_rows: gained_rows,
  }
}

/** Explains a pair and compares cause, change and rows with the truth. */
export async function judgePair(folder: string, pair: TruePair): Promise<JudgedPair> {
  const metrics = typeof pair.metric === 'string' ? [pair.metric, pair.metric] : [pair.metric.a, pair.metric.b]
  const sides = await Promise.all(
    [pair.a, pair.b].map(async (name, index) =>
      openWhySide({ folder: (await openRunOrResults(join(folder, name))).folder, name, metric: metrics[index] }),
    ),
  )
  const report = explain(sides[0]!.side, sides[1]!.side)
  for (const { close } of sides) close()
  const found = report.causes[0]?.cause ?? 'none'
  const rows = (pick: 'gained' | 'lost' | 'changed') =>
    [...new Set(report.causes.flatMap((cause) => cause[pick]))].sort((one, other) => one - other)
  const sum = report.causes.reduce((total, { effect }) => total + effect, 0)
  const differs = (one: readonly number[], other: readonly number[]) => JSON.stringify(one) !== JSON.stringify(other)
  const wrong = [
    ...(found === pair.cause ? [] : [`cause ${found}`]),
    ...(report.causes.length > 1
      ? [
          `also ${report.causes
            .slice(1)
            .map(({ cause }) => cause)
            .join(', ')}`,
        ]
      : []),
    ...(Math.abs(report.difference - pair.change) > 1e-5 ? [`change ${report.difference}`] : []),
    ...(Math.abs(sum - report.difference) > 1e-9 ? [`parts add up to ${sum}`] : []),
    ...(report.common.rows === pair.common_rows ? [] : [`${report.common.rows} common rows`]),
    ...(Math.abs(report.common.difference - pair.change_on_common_rows) > 1e-5
      ? [`change on common rows ${report.common.difference}`]
      : []),
    ...(differs(rows('gained'), pair.gained_rows) ? [`gained ${rows('gained')}`] : []),
    ...(differs(rows('lost'), pair.lost_rows) ? [`lost ${rows('lost')}`] : []),
    ...(differs(rows('changed'), pair.reply_changed_rows) ? [`changed ${rows('changed')}`] : []),
  ]
  return { pair, report, found, wrong }
}
