import type { Records } from '../../node/runs/records/records.ts'
import { forEachRecord } from './for-each-record.ts'
import type { Distribution, RunLengths } from './viewer-data.ts'

/** Distributions of prompt length, reply length and latency, in one pass over the records of each pair. */
export async function readLengths(pairs: readonly { pair: number; records: Records }[]): Promise<RunLengths> {
  const read: ({ pair: number } & PairLengths)[] = []
  for (const { pair, records } of pairs) read.push({ pair, ...(await readPair(records)) })
  const of = (key: 'promptTokens' | 'replyTokens' | 'milliseconds') =>
    distributionOf(read.map((one) => ({ pair: one.pair, values: one[key] })))
  return {
    promptTokens: of('promptTokens'),
    replyTokens: of('replyTokens'),
    milliseconds: of('milliseconds'),
    known: read.map(({ pair, known }) => ({ pair, rows: known })),
  }
}

type PairLengths = Record<'promptTokens' | 'replyTokens' | 'milliseconds', Float64Array> & { known: number }

async function readPair(records: Records): Promise<PairLengths> {
  const { count } = records
  const [prompts, replies, times] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  let [answered, generated, timed, known] = [0, 0, 0, 0]
  await forEachRecord(records, ({ tokens, milliseconds, cached, error }) => {
    // Rows that failed before anything was sent have no length.
    if (!tokens || (error !== undefined && tokens.prompt === 0)) return
    prompts[answered++] = tokens.prompt
    if (tokens.reply > 0) replies[generated++] = tokens.reply
    if (cached) known++
    else if (milliseconds !== undefined) times[timed++] = Math.round(milliseconds)
  })
  return {
    promptTokens: prompts.subarray(0, answered),
    replyTokens: replies.subarray(0, generated),
    milliseconds: times.subarray(0, timed),
    known,
  }
}

const maxBars = 24
/** Values above this multiple of the 95th percentile are outliers, which share the last bar. */
const outlierFactor = 4

/** Histograms of several pairs on one axis; pairs without values are omitted. */
export function distributionOf(values: readonly { pair: number; values: Float64Array }[]): Distribution {
  const sorted = values.filter((one) => one.values.length > 0).map((one) => ({ pair: one.pair, values: one.values.toSorted() }))
  const least = Math.min(...sorted.map((one) => one.values[0]!))
  const most = Math.max(...sorted.map((one) => one.values.at(-1)!))
  const nearlyAll = Math.max(...sorted.map((one) => quantile(one.values, 0.95)))
  if (sorted.length === 0) return { from: 0, step: 1, bars: 0, isOpen: false, pairs: [] }
  const isOpen = most > outlierFactor * Math.max(nearlyAll, 1)
  const top = isOpen ? 2 * nearlyAll : most
  const step = roundStep((top - least) / (maxBars - 1))
  const from = Math.floor(least / step) * step
  const bars = Math.min(maxBars + 1, Math.floor((top - from) / step) + 1)
  return {
    from,
    step,
    bars,
    isOpen,
    pairs: sorted.map(({ pair, values }) => {
      const counts = new Array<number>(bars).fill(0)
      for (const value of values) counts[Math.min(bars - 1, Math.floor((value - from) / step))]!++
      return { pair, counts, rows: values.length, median: quantile(values, 0.5), nearlyAll: quantile(values, 0.95), most: values.at(-1)! }
    }),
  }
}

/** A quantile of sorted values. */
function quantile(values: Float64Array, share: number): number {
  return values[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0
}

/** The next of 1, 2, 5, 10, 20, 50…: values are integers. */
function roundStep(least: number): number {
  if (least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((one) => one * power >= least) ?? 10)
}
