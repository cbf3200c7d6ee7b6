import { fixed } from '../../evaluation/run/record/round.ts'
import type { Direction } from '../../evaluation/score/evaluate/metric.ts'
import { comparePaired, type PairedComparison } from '../../evaluation/score/statistics/paired.ts'
import { CauseLedger, type WhyCause } from './cause-ledger.ts'
import { type JoinedRows, joinRows } from './join-rows.ts'
import { type PromptCause, promptCauses } from './prompt-causes.ts'
import { replyDifference, replyTags } from './reply-difference.ts'
import { modelCauses, replyCause, type ScoringEvidence, scoringCause, stepOf } from './row-causes.ts'
import { baseMetric, hiddenPromptDifferences, promptDifferences, samplingDifferences, scoringDifferences } from './setup-causes.ts'
import type { WhyRow, WhySide } from './why-row.ts'

/** Why two scores differ: the difference, and the causes whose parts add up to it. */
export type WhyReport = {
  first: WhySubject
  second: WhySubject
  /** The second score minus the first. */
  difference: number
  /** Whether a higher or a lower score is better, by the metric of the first run. */
  direction: Direction
  /** On the rows that both scored; `changed`: rows with another score. */
  common: { rows: number; changed: number; first?: number; second?: number; difference: number; comparison?: PairedComparison }
  join: {
    matched: number
    onlyFirst: number[]
    onlySecond: number[]
    ambiguous: number[]
    by: JoinedRows['by']
    /** The second run's numbers of rows that have other numbers there, by those of the first. */
    renumbered: Readonly<Record<number, number>>
  }
  /** The largest effect first; a cause without effect is listed if the runs differ in it. */
  causes: WhyCause[]
  /** Rows with the same prompt and another answer, and with the same answer and another verdict. */
  samePromptOtherAnswer: number[]
  sameAnswerOtherVerdict: number[]
  notes: string[]
}

/** One of the two runs that are compared. */
export type WhySubject = Pick<WhySide, 'name' | 'model' | 'dataset' | 'metric'> & {
  harness: string
  rows: number
  scored: number
  score?: number
}

/**
 * Why two scores differ: joins the rows, then gives each row's change of score to the first step that explains it. Where a rule can be
 * executed on the other side's reply, the change is split between reply and scoring; otherwise causes that cannot be separated are
 * reported together (`max tokens + extraction`).
 */
export function explain(first: WhySide, second: WhySide): WhyReport {
  const sides = [first, second] as const
  const joined = joinRows(first, second)
  const ledger = new CauseLedger()
  const scored = sides.map((side) => scoresOf(side)) as [Float64Array, Float64Array]
  const common = joined.pairs.filter(([one, other]) => !Number.isNaN(scored[0][one]) && !Number.isNaN(scored[1][other]))
  countRows(ledger, sides, joined, scored, common)
  const found = attribute(ledger, sides, common, joined.pairs)
  const [commonFirst, commonSecond] = [common.map(([one]) => scored[0][one]!), common.map(([, other]) => scored[1][other]!)]
  const means = scored.map(meanOf) as [number | undefined, number | undefined]
  const [scoreFirst, scoreSecond] = [reportedScore(first, means[0]), reportedScore(second, means[1])]
  addWeighting(ledger, sides, means)
  const idOf = (side: WhySide) => (place: number) => side.row(place).id
  return {
    first: subjectOf(first, scored[0], scoreFirst),
    second: subjectOf(second, scored[1], scoreSecond),
    difference: (scoreSecond ?? 0) - (scoreFirst ?? 0),
    direction: first.direction ?? 'higher',
    common: {
      rows: common.length,
      changed: commonFirst.filter((score, index) => score !== commonSecond[index]).length,
      ...(common.length > 0 ? { first: mean(commonFirst), second: mean(commonSecond) } : {}),
      difference: common.length > 0 ? mean(commonSecond) - mean(commonFirst) : 0,
      ...(common.length > 1 ? { comparison: comparePaired(commonFirst, commonSecond) } : {}),
    },
    join: {
      matched: joined.pairs.length,
      onlyFirst: joined.onlyFirst.map(idOf(first)),
      onlySecond: joined.onlySecond.map(idOf(second)),
      ambiguous: joined.ambiguous.map(idOf(first)),
      by: joined.by,
      renumbered: Object.fromEntries(
        joined.pairs.map(([one, other]) => [first.row(one).id, second.row(other).id] as const).filter(([one, other]) => one !== other),
      ),
    },
    causes: ledger.causes(),
    ...found,
    notes: joined.skipped === 0 ? found.notes : [...found.notes, `${joined.skipped} rows could not be joined: too many rows are alike`],
  }
}

function scoresOf(side: WhySide): Float64Array {
  return Float64Array.from({ length: side.count }, (_, place) => side.row(place).score ?? Number.NaN)
}

/** Reported scores are rounded: a smaller difference from the mean of the rows is none. */
const rounding = 5e-4

function reportedScore({ reported }: WhySide, mean: number | undefined): number | undefined {
  return mean === undefined || reported === undefined || Math.abs(reported - mean) < rounding ? mean : reported
}

/** Where a side's score is not the mean of its rows, the rest of the difference is due to how rows are weighted, grouped or counted. */
function addWeighting(ledger: CauseLedger, sides: readonly [WhySide, WhySide], means: readonly (number | undefined)[]): void {
  for (const [index, side] of sides.entries()) {
    const mean = means[index]
    const reported = reportedScore(side, mean)
    if (mean === undefined || reported === undefined || reported === mean) continue
    const cause = ledger.of('gold and metric', 'weighting', '')
    cause.effect += index === 0 ? mean - reported : reported - mean
    const detail = `${side.name} reports ${fixed(reported, 4)}, and the mean of its rows is ${fixed(mean, 4)}: rows are weighted, grouped or counted otherwise`
    cause.detail = [cause.detail, detail].filter((text) => text !== '').join('; ')
  }
}

function subjectOf({ name, model, dataset, metric, setup, count }: WhySide, scores: Float64Array, score: number | undefined): WhySubject {
  const scored = scores.reduce((sum, one) => sum + Number(!Number.isNaN(one)), 0)
  return { name, model, dataset, metric, harness: setup.harness, rows: count, scored, ...(score === undefined ? {} : { score }) }
}

/** Rows that only one side scored: leaving them out, cause by cause, moves its mean to that of the common rows. */
function countRows(
  ledger: CauseLedger,
  sides: readonly [WhySide, WhySide],
  joined: JoinedRows,
  scored: readonly [Float64Array, Float64Array],
  common: JoinedRows['pairs'],
): void {
  for (const side of [0, 1] as const) {
    const partner = new Map(joined.pairs.map((pair) => [pair[side], pair[1 - side]!]))
    const shared = new Set(common.map((pair) => pair[side]))
    const places = [...scored[side].keys()].filter((place) => !Number.isNaN(scored[side][place]))
    let rest = places
    const groups = new Map<WhyCause, number[]>()
    for (const place of places) {
      if (shared.has(place)) continue
      const cause = rowCause(ledger, sides[1 - side]!, partner.get(place), joined.areCopies[side])
      const group = groups.get(cause) ?? []
      group.push(place)
      groups.set(cause, group)
    }
    for (const [cause, left] of groups) {
      const out = new Set(left)
      const kept = rest.filter((place) => !out.has(place))
      const [before, after] = [rest, kept].map((all) => (all.length === 0 ? 0 : mean(all.map((place) => scored[side][place]!)))) as [
        number,
        number,
      ]
      // Rows that only the first scored lift the difference when they are left out; those of the second do when they stay.
      cause.effect += side === 0 ? after - before : before - after
      for (const place of left) {
        const inFirst = side === 0 ? place : partner.get(place)
        if (inFirst === undefined) cause.onlySecond.push(sides[1].row(place).id)
        else cause.unmatched.push(sides[0].row(inFirst).id)
      }
      rest = kept
    }
  }
}

/** Why the other side did not score a row; `isCopy`: of another row that it has. */
function rowCause(ledger: CauseLedger, other: WhySide, partner: number | undefined, isCopy: boolean): WhyCause {
  const { status, limit } = other.setup.rows
  const isStopped = status !== undefined && status !== 'success'
  if (isStopped) return ledger.of('rows', 'stopped run', `${other.name} ended with status ${String(status)}`)
  const row = partner === undefined ? undefined : other.row(partner)
  if (row?.error !== undefined)
    return ledger.of(
      'rows',
      'request error',
      `${other.name}: ${
        row.error
          .split('\n')
          .find((line) => line.trim() !== '')
          ?.slice(0, 160) ?? ''
      }`,
    )
  if (row) return ledger.of('rows', 'unscored row', `${other.name} has no ${other.metric} for the row`)
  if (isCopy && limit === undefined) return ledger.of('rows', 'duplicate rows', `${other.name} has these rows once`)
  return ledger.of(
    'rows',
    'row subset',
    limit === undefined ? `${other.name} does not have the rows` : `${other.name} has limit ${String(limit)}`,
  )
}

type Found = Pick<WhyReport, 'samePromptOtherAnswer' | 'sameAnswerOtherVerdict' | 'notes'>

function attribute(
  ledger: CauseLedger,
  sides: readonly [WhySide, WhySide],
  common: JoinedRows['pairs'],
  pairs: JoinedRows['pairs'],
): Found {
  const sampling = samplingDifferences(sides)
  const scoring = scoringDifferences(sides)
  const unrecorded = promptDifferences(sides).map((cause) => ({ step: 'prompt' as const, ...cause }))
  const hidden = hiddenPromptDifferences(sides).map((cause) => ({ step: 'prompt' as const, ...cause }))
  const isSameRun = sides[0].name === sides[1].name && sides[0].model === sides[1].model && sides[0].dataset === sides[1].dataset
  const models = modelCauses(sides)
  const isScoredAlike =
    scoring.length === 0 && sides[0].setup.harness === sides[1].setup.harness && baseMetric(sides[0].metric) === baseMetric(sides[1].metric)
  const found: Found = { samePromptOtherAnswer: [], sameAnswerOtherVerdict: [], notes: [] }
  let [isExtracted, withoutPrompt] = [false, 0]
  const size = common.length
  for (const [one, other] of common) {
    const [first, second] = [sides[0].row(one), sides[1].row(other)]
    const isRecorded = first.prompt !== undefined && second.prompt !== undefined
    const shown = isRecorded ? promptCauses(first, second, sides) : unrecorded
    const prompts = [...shown, ...hidden.filter(({ cause }) => !isShown(shown, cause))]
    const reply = replyDifference(first, second, sides[0].metric === sides[1].metric)
    const change = second.score! - first.score!
    isExtracted ||= first.isExtracted || second.isExtracted
    if (!isRecorded) withoutPrompt++
    // Listed even without effect: the runs differ in it.
    for (const { step, cause, detail } of prompts) ledger.of(step, cause, detail)
    if (reply === 'same') {
      if (change === 0) continue
      found.sameAnswerOtherVerdict.push(first.id)
      addChange(scoringCause(ledger, scoring, { first, second, read: [first.pred, second.pred], prompts }), first.id, change, size)
      continue
    }
    const isSamePrompt = prompts.length === 0 && (isRecorded || isSameRun)
    if (isSamePrompt && reply === 'text') found.samePromptOtherAnswer.push(first.id)
    const cause = replyCause(ledger, sides, { prompts, isSamePrompt, sampling, models, reply, first, second })
    cause.changed.push(first.id)
    for (const tag of new Set([...replyTags(first), ...replyTags(second)])) {
      cause.replies[tag] ??= []
      cause.replies[tag].push(first.id)
    }
    const between = isScoredAlike ? { score: second.score!, read: noAnswers } : betweenScore(sides, first, second)
    if (between !== undefined) {
      const { score, read } = between
      addChange(cause, first.id, score - first.score!, size)
      if (score !== second.score)
        addChange(scoringCause(ledger, scoring, { first, second, read, prompts }), first.id, second.score! - score, size)
    } else if (change !== 0) {
      const rules = scoring.length > 0 ? scoring : [{ cause: 'scorer', detail: 'its rules cannot be executed' }]
      const replyCauses = cause.parts?.map((one) => ({ cause: one, detail: '' })) ?? [cause]
      addChange(ledger.ofAll(cause.step, [...replyCauses, ...rules]), first.id, change, size)
    }
  }
  for (const { cause, detail } of sampling) ledger.of('sampling', cause, detail)
  for (const { cause, detail } of scoring) ledger.of(stepOf(cause), cause, detail)
  if (isExtracted) found.notes.push('one side recorded only extracted answers: replies that differ without changing them are not seen')
  if (withoutPrompt > 0) found.notes.push(`${withoutPrompt} rows have no recorded prompt on one side`)
  if (pairs.length > common.length) found.notes.push(`${pairs.length - common.length} joined rows are not scored on both sides`)
  return found
}

/** Prompts that show a difference may show what the setting of a template did. */
function isShown(shown: readonly PromptCause[], hidden: string): boolean {
  return shown.some(({ cause }) => cause === hidden || hidden === 'chat template')
}

const noAnswers = [undefined, undefined] as const

/**
 * The score of the second reply under the first side's rule, or from the reverse, with the answers that both sides read from that reply;
 * undefined if neither rule can be executed.
 */
function betweenScore(
  [one, other]: readonly [WhySide, WhySide],
  first: WhyRow,
  second: WhyRow,
): { score: number; read: ScoringEvidence['read'] } | undefined {
  const forward = second.reply === undefined ? undefined : one.rule?.(second.reply, first)
  if (forward) return { score: forward.score, read: [forward.pred, second.pred] }
  // The second rule on the first reply gives the scoring part, and the rest is the reply's.
  const reverse = first.reply === undefined ? undefined : other.rule?.(first.reply, second)
  return reverse && { score: first.score! + (second.score! - reverse.score), read: [first.pred, reverse.pred] }
}

function addChange(cause: WhyCause, id: number, change: number, rows: number): void {
  if (change === 0) return
  cause.effect += change / rows
  const list = change > 0 ? cause.gained : cause.lost
  // A row changes a cause at most twice in a row: by its reply and by its scoring.
  if (list.at(-1) !== id) list.push(id)
}

function meanOf(scores: Float64Array): number | undefined {
  const known = [...scores].filter((score) => !Number.isNaN(score))
  return known.length === 0 ? undefined : mean(known)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length
}
