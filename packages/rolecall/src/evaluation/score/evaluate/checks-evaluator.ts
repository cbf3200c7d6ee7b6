import { PromptError } from '@rolecall/core/internal/errors'
import { compactJson, dictGet, type PyValue, pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { checkKindNames, checksSchema } from '../checks/check-schema.ts'
import { type CheckScoring, scoringOfCheck } from '../checks/scoring-of-check.ts'
import type { PostprocessorsConfig } from '../postprocess/postprocessor.ts'
import { type Reader, readerOf } from '../postprocess/postprocessors.ts'
import { type Answer, defineEvaluator, type Evaluator, type Judgement, type NestedEvaluator } from './evaluator.ts'
import { columnOf } from './given.ts'
import { judgeOptions } from './judge-options.ts'

/** A check that is ready to judge. */
type OpenCheck = {
  name: string
  weight: number
  evaluator: Evaluator<unknown>
  read: Reader
  readGold: Reader
  value?: unknown
  column?: string | undefined
}

/** What became of one check of a row. */
type Outcome = { name: string; weight: number; score: number; undecided: boolean; reason?: PyValue | undefined }
type Kept = { score: number; outcomes: readonly Pick<Outcome, 'name' | 'score'>[] }

const checkOptions = z.looseObject({
  name: z.string(),
  evaluator: z.union([z.looseObject({}), z.custom<() => unknown>((value) => typeof value === 'function')]),
})

const columnDoc =
  'The column with further checks of each row, as JSON or a kind alone: `{"contains": "12"}`. Checks that would run code or a model cannot come from rows.'

/** Several checks of each reply, one score. */
export const checksEvaluator = defineEvaluator<
  {
    checks: Record<string, unknown>[]
    column?: string | undefined
    threshold?: number | undefined
    judge_cfg?: Record<string, unknown> | undefined
  },
  Kept
>({
  names: ['ChecksEvaluator'],
  does: "Judges each reply by several checks: right when all of them hold; where a check has a weight or is graded, the weighted mean; with `threshold`, right when that mean reaches it. Every check's own share is a further metric. `check:` of a config becomes this evaluator.",
  example: {
    options: {
      checks: [
        { name: 'contains', evaluator: { type: 'TextEvaluator', check: 'contains' } },
        { name: 'short', evaluator: { type: 'TextEvaluator', check: 'regex', value: '^.{0,20}$' } },
      ],
    },
    answers: ['It is 12.', 'It is certainly 12, I think.'],
    gold: ['12', '12'],
    figures: { pass_rate: 50 },
  },
  options: z.strictObject({
    checks: z
      ._default(z.array(checkOptions), [])
      .check(z.describe('The checks, each with its name, evaluator and postprocessors, and its weight.')),
    column: z.optional(z.string()).check(z.describe(columnDoc)),
    threshold: z.optional(z.number()).check(z.describe('The weighted mean from which a reply is right.')),
    judge_cfg: z.optional(judgeOptions.judge_cfg),
  }),
  with({ checks, column, threshold, judge_cfg }, _words, _compat, nested) {
    const common = (checks as unknown[] as CheckScoring[]).map((one, index) => opened(one, nested, `checks[${index}]`, judge_cfg))
    const judges = common.filter(({ evaluator }) => evaluator.asks)
    if (judges.length > 1) throw severalJudges()
    if (common.length === 0 && column === undefined)
      throw new PromptError('missing', {
        where: 'checks',
        problem: 'there is no check',
        fix: 'add one, or name the column with the checks of each row',
      })
    const isGraded = threshold === undefined && common.some(({ weight, evaluator }) => weight !== 1 || evaluator.kind !== 'verdict')
    const metric = isGraded ? 'score' : 'pass_rate'
    const cache = new Map<string, OpenCheck[]>()
    const ofRow = (row: Answer['row']) =>
      column === undefined ? [] : checksOfRow(columnOf(row, column), `the column "${column}"`, cache, nested)
    const judgement = (outcomes: readonly Outcome[], answer: Answer): Judgement<Kept> => summed(outcomes, answer, isGraded, threshold)
    const asks = judges[0]?.evaluator.asks
    const all = (row: Answer['row']) => {
      const checks = [...common, ...ofRow(row)]
      if (checks.length > 0) return checks
      throw new PromptError('missing', { where: 'the row', problem: 'it has no check', fix: `write one into its column "${column}"` })
    }
    const isLater = common.some(({ evaluator }) => evaluator.judgeLater)
    return {
      metric,
      kind: isGraded ? 'graded' : 'verdict',
      unit: 'percent',
      needsReference: common.some(
        ({ evaluator, value, column: own }) => evaluator.needsReference && value === undefined && own === undefined,
      ),
      ...(common.length === 1 && column === undefined ? {} : { goldIsNoReply: true as const }),
      ...(common.some(({ evaluator }) => evaluator.readsCalls) ? { readsCalls: true as const } : {}),
      ...(asks ? { asks } : {}),
      interval: 'scores',
      beside: common.length > 1 ? common.map(({ name }) => ({ metric: name, unit: 'percent' })) : [],
      judge: (answer) =>
        judgement(
          all(answer.row).map((check) => outcomeOf(check, judgeOne(check, answer))),
          answer,
        ),
      ...(isLater
        ? {
            judgeLater: async (answer: Answer) => {
              const outcomes: Outcome[] = []
              for (const check of all(answer.row)) {
                const given = answerFor(check, answer)
                outcomes.push(outcomeOf(check, await (check.evaluator.judgeLater?.(given) ?? check.evaluator.judge(given))))
              }
              return judgement(outcomes, answer)
            },
          }
        : {}),
      summarise(kept) {
        const mean = (scores: readonly number[]) => (100 * scores.reduce((sum, score) => sum + score, 0)) / scores.length
        const shareOf = (name: string) =>
          kept.flatMap(({ outcomes }) => outcomes.filter((one) => one.name === name).map(({ score }) => score))
        const names = common.length > 1 ? common.map(({ name }) => name) : []
        return {
          [metric]: mean(kept.map(({ score }) => score)),
          ...Object.fromEntries(names.map((name) => [name, mean(shareOf(name))])),
        }
      },
    }
  },
})

function opened(check: CheckScoring, nested: NestedEvaluator, where: string, judge: Record<string, unknown> | undefined): OpenCheck {
  const { name, weight = 1, evaluator, pred_postprocessor: read, dataset_postprocessor: readGold, value, column } = check
  const isJudge = 'type' in evaluator && evaluator.type === 'GenericLLMEvaluator'
  const made = nested(
    (isJudge ? { ...evaluator, judge_cfg: judge ?? {} } : evaluator) as Parameters<NestedEvaluator>[0],
    `${where}.evaluator`,
  )
  if (made.runs || made.embeds || made.readsSamples || made.kind === 'quantity') {
    throw new PromptError('cannot-combine', {
      where: `${where}.evaluator`,
      problem: 'it does not judge a reply alone as right, wrong or between',
      fix: 'use it as the only evaluator of a dataset',
    })
  }
  return {
    name,
    weight,
    evaluator: made,
    read: readerOf(read as PostprocessorsConfig | undefined, `${where}.pred_postprocessor`),
    readGold: readerOf(readGold as PostprocessorsConfig | undefined, `${where}.dataset_postprocessor`),
    ...(value === undefined ? {} : { value }),
    column,
  }
}

function severalJudges(): PromptError {
  return new PromptError('several-judges', {
    where: 'checks',
    problem: 'several of them ask a judge, and a reply is judged once',
    fix: 'put the questions into one check, or judge in datasets of their own',
  })
}

/** More kinds of checks than this are compiled again. */
const mostChecks = 1_000

/** The checks that a row brings along. Data names no code, no evaluator and no model. */
function checksOfRow(given: PyValue, where: string, cache: Map<string, OpenCheck[]>, nested: NestedEvaluator): OpenCheck[] {
  if (given === null || given === '') return []
  const text = typeof given === 'string' && /^\s*[[{]/.test(given) ? given : compactJson(given)
  const known = cache.get(text)
  if (known) return known
  const written: unknown = parsed(text, where)
  const result = checksSchema['~standard'].validate(written)
  if (result instanceof Promise || result.issues) throw badCheck(where, `it is no check: ${text.slice(0, 200)}`)
  const made = [result.value].flat().map((one) => {
    const foreign = typeof one === 'object' ? ['python', 'ts', 'judge', 'type', 'calls', 'extract'].find((kind) => kind in one) : undefined
    if (
      foreign !== undefined ||
      typeof one === 'function' ||
      (typeof one === 'string' && !(checkKindNames as readonly string[]).includes(one))
    )
      throw badCheck(where, `"${foreign ?? String(one)}" cannot come from a row`)
    return opened(scoringOfCheck(one, where), nested, where, undefined)
  })
  if (cache.size >= mostChecks) cache.clear()
  cache.set(text, made)
  return made
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badCheck(where, `it is not JSON: ${text.slice(0, 200)}`)
  }
}

function badCheck(where: string, problem: string): PromptError {
  return new PromptError('bad-check', { where, problem, fix: 'write e.g. {"contains": "12"}, a list of such checks, or "exact"' })
}

function judgeOne(check: OpenCheck, answer: Answer): Judgement {
  return check.evaluator.judge(answerFor(check, answer))
}

/** What one check is given: the reply as it reads it, and its expected answer. */
function answerFor({ evaluator, read, readGold, value, column }: OpenCheck, answer: Answer): Answer {
  const { prediction, answered, said, row } = answer
  if (evaluator.asks) return answer
  const reply = answered ?? (said !== undefined && !evaluator.readsCalls ? said : prediction)
  const { value: seen } = typeof reply === 'string' ? read(reply, row) : { value: evaluator.readsCalls ? reply : pyStr(reply) }
  const gold = value !== undefined ? (value as PyValue) : column === undefined ? answer.reference : (dictGet(row, column) ?? null)
  const { answered: _, ...rest } = answer
  return { ...rest, prediction: seen, reference: typeof gold === 'string' ? readGold(gold, row).value : gold }
}

function outcomeOf({ name, weight }: OpenCheck, { score, undecided, unscored, detail }: Judgement): Outcome {
  if (unscored)
    throw new PromptError('cannot-combine', {
      where: name,
      problem: 'it scores all rows together, not one',
      fix: 'use it as the only evaluator of a dataset',
    })
  return { name, weight, score, undecided: undecided === true, reason: detail.reason }
}

function summed(outcomes: readonly Outcome[], answer: Answer, isGraded: boolean, threshold: number | undefined): Judgement<Kept> {
  const weights = outcomes.reduce((sum, { weight }) => sum + weight, 0)
  const mean = weights === 0 ? 1 : outcomes.reduce((sum, { weight, score }) => sum + weight * score, 0) / weights
  const holds = threshold === undefined ? outcomes.every(({ score }) => score === 1) : mean >= threshold
  const failed = outcomes.filter(({ score }) => score < 1)
  const detail: Record<string, PyValue> = {
    pred: answer.answered ?? answer.prediction,
    answer: answer.reference,
    ...(answer.answered === undefined ? {} : { judge: answer.prediction }),
    checks: Object.fromEntries(outcomes.map(({ name, score }) => [name, score])),
    ...(failed.length === 0
      ? {}
      : { failed_checks: failed.map(({ name, reason }) => (reason === undefined ? name : `${name}: ${pyStr(reason)}`)) }),
    ...(isGraded ? {} : { correct: holds }),
  }
  const score = isGraded ? mean : Number(holds)
  const keep = { score, outcomes: outcomes.map(({ name, score: each }) => ({ name, score: each })) }
  return { score, detail, keep, ...(outcomes.some(({ undecided }) => undecided) ? { undecided: true as const } : {}) }
}
