import type { Program } from '../score/evaluate/evaluator.ts'
import type { DataNote } from './examine/data-note.ts'
import type { AnsweredRow } from './layers/layer.ts'
import type { PairContext } from './pair-context.ts'
import type { PairTally } from './record/pair-tally.ts'
import type { Computed } from './record/run-record.ts'
import { lacksTokens } from './record/trim-scores.ts'
import type { RunEvent } from './run-event.ts'
import type { OpenRows } from './run-types.ts'

/** A pair while its rows are answered. */
export type Running = {
  context: PairContext
  opened: OpenRows
  /** What its rows showed before the first request. */
  findings: readonly DataNote[]
  tally: PairTally
  /** Runs a program over all rows. */
  compute: (program: Program) => Promise<Computed | undefined>
  started: number
  total: number | undefined
  /** Rows that an earlier part recorded and that are not counted yet. */
  kept: number
  pending: number
  missing: number
  /** Rows scored token by token whose log-probabilities are not all kept. */
  withoutTokens: number
  isRead: boolean
}

/** Counts an answered row. */
export function count(
  running: Running,
  { record, keep, from, tokens, judged }: AnsweredRow,
  emit: (event: RunEvent) => void | Promise<void>,
): void | Promise<void> {
  if (!record || from === 'nowhere') {
    running.missing++
    return undefined
  }
  const { tally, total, context, kept } = running
  tally.add(record, keep)
  if (context.pair.inferencer.needs === 'score' && record.prediction !== null && lacksTokens(record)) running.withoutTokens++
  const spent = tokens || judged ? { ...(tokens ? { tokens } : {}), ...(judged ? { judged } : {}) } : undefined
  return emit({ kind: 'row', pair: context.pair, record, done: tally.rows, total, from, ...(kept > 0 ? { kept } : {}), ...spent })
}

/** Computes the metrics that need a program over all rows; undefined if there are none. */
export function computed({ tally, compute }: Running): Promise<void> | undefined {
  const program = tally.summaryProgram
  return program === undefined ? undefined : compute(program).then((found) => tally.use(found))
}

/** The result of a pair after its last row. */
export function endOf(running: Running, now: number): RunEvent {
  const { context, opened, tally, started, missing } = running
  tally.addOverlap(opened.overlap?.() ?? 0)
  context.deferred.settle()
  context.store?.end?.()
  const { scores, compared, clusters } = tally
  const { model, judge } = context.pair
  const prices = { model: model.price, judge: judge?.config.price }
  const result = tally.result((now - started) / 1000, opened.skipped(), prices)
  const added = [...(opened.notes?.() ?? []), ...tokenNotes(running), ...scoreNotes(running), ...emptyNotes(running, result.answers.empty)]
  const notes = [
    ...result.notes,
    ...running.findings.map(({ code, text, rows }) => ({ code, text, rows, ofDataset: true as const })),
    ...added.map(({ code, text, rows }) => ({ code, text, rows, ofPair: true as const })),
  ]
  return { kind: 'end', pair: context.pair, result: { ...result, notes }, scores, compared, clusters, missing }
}

/** Noted if less is kept than requested, and when a run is rescored. */
function tokenNotes({ context: { options }, withoutTokens: rows }: Running): DataNote[] {
  if (rows === 0 || (!options.offline && (options.logProbabilities ?? 'all') !== 'all')) return []
  return [{ code: 'log-probabilities', text: 'the run that scored these rows did not record the log-probability of every token', rows }]
}

/** Replies that a stop sequence may have ended before they began. */
function emptyNotes({ context: { plan } }: Running, rows: number): DataNote[] {
  const { stopTexts = [] } = plan.generation
  if (rows === 0 || stopTexts.length === 0) return []
  const stops = stopTexts.map((stop) => JSON.stringify(stop)).join(', ')
  return [{ code: 'empty-replies', text: `the replies are empty: a stop sequence (${stops}) may have ended them at once`, rows }]
}

function scoreNotes({ context: { pair }, tally: { rows } }: Running): DataNote[] {
  if (!pair.hasNoScore || rows === 0) return []
  const text = 'no evaluator is named, and no column with right answers (reader_cfg.output_column): answers are not scored'
  return [{ code: 'not-scored', text, rows }]
}
