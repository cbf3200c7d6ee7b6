import { check, PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { forget, inWords, isThenable, ownFunctionError, thrownBy, unwritable } from '../own-function.ts'
import type { Answer, Evaluator, Judgement } from './evaluator.ts'
import type { Direction, Metric, ScoreKind } from './metric.ts'

/** What a function may return for an answer: right or wrong, a value, or either with details. */
export type OwnJudgement = boolean | number | { score: boolean | number; detail?: Record<string, PyValue> }

/** A function that judges one answer, synchronously or asynchronously. */
export type EvaluatorFunction = (answer: Answer) => OwnJudgement | PromiseLike<OwnJudgement>

/** A function that judges answers, and the meaning of its scores. */
export type OwnEvaluator = {
  judge: EvaluatorFunction
  /** The name of the metric; `score` by default. */
  metric?: string | undefined
  /** `graded` by default. */
  kind?: ScoreKind | undefined
  /** `percent` by default, for scores between 0 and 1; otherwise the unit. */
  unit?: string | undefined
  /** The lowest and highest score; 0 and 1 by default, any number for a quantity. */
  range?: readonly [least: number, greatest: number] | undefined
  /** Whether higher or lower values are better; `higher` by default. */
  direction?: Direction | undefined
  /** How long a promise may take before its row is an error; 300 by default. */
  timeout_seconds?: number | undefined
}

const defaultTimeout = 300

const bound = z.custom<number>((value) => typeof value === 'number' && !Number.isNaN(value), 'expected a number')

const ownSchema = z.strictObject({
  judge: z.custom<EvaluatorFunction>((value) => typeof value === 'function', 'expected a function'),
  metric: z.optional(z.string().check(z.minLength(1))),
  kind: z.optional(z.enum(['verdict', 'graded', 'quantity'])),
  unit: z.optional(z.string().check(z.minLength(1))),
  range: z.optional(z.tuple([bound, bound])),
  direction: z.optional(z.enum(['higher', 'lower'])),
  timeout_seconds: z.optional(z.custom<number>((value) => typeof value === 'number' && value > 0, 'expected a number above 0')),
})

/** An evaluator that calls a user's function. */
export function ownEvaluator(config: EvaluatorFunction | OwnEvaluator, where: string): Evaluator<unknown> {
  const given: OwnEvaluator = typeof config === 'function' ? { judge: config } : check(ownSchema, config, where)
  const scores = scoresOf(given, where)
  const judgementOf = (answer: Answer, judged: unknown): Judgement => {
    const { score, detail } = partsOf(judged, where, scores)
    return { score: checkedScore(score, where, scores), detail: { pred: answer.prediction, answer: answer.reference, ...detail } }
  }
  const call = (answer: Answer): unknown => {
    try {
      return given.judge(answer)
    } catch (error) {
      throw thrownBy(where, 'it threw', error)
    }
  }
  return {
    ...metricOf(given, scores),
    needsReference: false,
    judge(answer) {
      const judged = call(answer)
      if (!isThenable(judged)) return judgementOf(answer, judged)
      forget(judged)
      throw ownFunctionError(
        where,
        'it returned a promise, which is not awaited here',
        'judge synchronously, or use it in a run (rolecall run)',
      )
    },
    judgeLater(answer) {
      const judged = call(answer)
      if (!isThenable(judged)) return judgementOf(answer, judged)
      return inTime(judged, given.timeout_seconds ?? defaultTimeout, where).then((value) => judgementOf(answer, value))
    },
  }
}

/** The limit of timers; a longer timeout counts as none. */
const longestTimer = 2 ** 31 - 1

/** The result of a promise; a row error if it is rejected or times out: a run must not wait forever. */
function inTime(promise: PromiseLike<unknown>, seconds: number, where: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(
        ownFunctionError(where, `its promise was not settled within ${seconds} s`, 'settle it, or give it more time (timeout_seconds)'),
      )
    const timer = 1000 * seconds > longestTimer ? undefined : setTimeout(late, 1000 * seconds)
    promise.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(thrownBy(where, 'its promise was rejected with', error))
      },
    )
  })
}

/** The valid scores of rows. */
type Scores = { kind: ScoreKind; unit: string; least: number; greatest: number }

function scoresOf({ kind = 'graded', unit, range }: OwnEvaluator, where: string): Scores {
  const [least, greatest] = range ?? (kind === 'quantity' ? [-Infinity, Infinity] : [0, 1])
  const isShare = least >= 0 && greatest <= 1
  if (!(least < greatest)) throw wrong('range', `${least} is not less than ${greatest}`, 'write the least score first: [0, 1]')
  if (kind === 'verdict' && (least !== 0 || greatest !== 1)) {
    throw wrong('range', 'the scores of a verdict are 1 for right and 0 for wrong', "leave the range out, or set kind: 'graded'")
  }
  if (unit === 'percent' && !isShare) {
    throw wrong('unit', 'scores in percent lie between 0 and 1', 'divide the scores, or say what they are measured in')
  }
  if (unit === undefined && (kind === 'quantity' || !isShare)) {
    throw wrong('unit', 'the unit of the metric is missing', "set it, e.g. unit: 'words' or 'points'")
  }
  return { kind, unit: unit ?? 'percent', least, greatest }

  function wrong(key: string, problem: string, fix: string): PromptError {
    return new PromptError('own-evaluator', { where: `${where}.${key}`, problem, fix })
  }
}

/** The range of a metric is that of its displayed value, which is in percent if the scores are fractions. */
function metricOf({ metric = 'score', direction }: OwnEvaluator, { kind, unit, least, greatest }: Scores): Metric {
  const times = unit === 'percent' ? 100 : 1
  return { metric, kind, unit, range: [times * least, times * greatest], ...(direction ? { direction } : {}) }
}

function partsOf(judged: unknown, where: string, scores: Scores): { score: unknown; detail?: Record<string, PyValue> } {
  if (typeof judged !== 'object' || judged === null) return { score: judged }
  const { score, detail } = judged as { score?: unknown; detail?: unknown }
  if (score === undefined) throw ownFunctionError(where, `it gave ${inWords(judged)}, which has no score`, whatToGive(scores))
  if (detail === undefined) return { score }
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) {
    throw ownFunctionError(where, `the detail it gave is ${inWords(detail)}`, 'give an object: { score: 1, detail: { found: 3 } }')
  }
  const why = unwritable(detail)
  if (why !== undefined) throw ownFunctionError(where, `the detail it gave cannot be written: ${why}`, 'give plain values')
  return { score, detail: detail as Record<string, PyValue> }
}

function checkedScore(given: unknown, where: string, scores: Scores): number {
  const { kind, least, greatest } = scores
  if (typeof given !== 'number' && typeof given !== 'boolean') {
    const type = typeof given === 'string' ? 'the text ' : ''
    throw ownFunctionError(where, `it gave ${type}${inWords(given)}, which is no score`, whatToGive(scores))
  }
  const score = Number(given)
  if (!Number.isFinite(score)) throw ownFunctionError(where, `it gave ${score}, which is no score`, whatToGive(scores))
  if (score < least || score > greatest) {
    throw ownFunctionError(
      where,
      `it gave ${score}, which is not between ${least} and ${greatest}`,
      `${whatToGive(scores)}, or set its range`,
    )
  }
  if (kind === 'verdict' && score !== 0 && score !== 1) {
    throw ownFunctionError(where, `it gave ${score}, which is neither right nor wrong`, `${whatToGive(scores)}, or set kind: 'graded'`)
  }
  return score
}

function whatToGive({ kind, least, greatest }: Scores): string {
  if (kind === 'verdict') return 'give true or false'
  const isOpen = least === -Infinity || greatest === Infinity
  return isOpen ? 'give a number, or { score, detail }' : `give a number from ${least} to ${greatest}, true or false, or { score, detail }`
}
