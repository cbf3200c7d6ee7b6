import type { Records } from '../../node/runs/records/records.ts'
import { distributionOf } from './distribution.ts'
import { forEachRecord } from './for-each-record.ts'
import type { RunLengths } from './viewer-data.ts'

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
