import { PromptError } from '@rolecall/core/internal/errors'
import type { PostprocessorsConfig } from '../postprocess/postprocessor.ts'
import type { CheckConfig, ChecksConfig } from './check-schema.ts'
import { type CheckScoring, scoringOfCheck, type WrittenEvaluator } from './scoring-of-check.ts'

/** An `eval_cfg`. */
export type ScoringConfig = {
  evaluator: WrittenEvaluator
  pred_postprocessor?: PostprocessorsConfig
  dataset_postprocessor?: PostprocessorsConfig
}

/** What checks also need: the column with the checks of each row, and the model that judges. */
export type ChecksContext = { column?: string | undefined; judge?: object | undefined; threshold?: number | undefined }

/** The `eval_cfg` that one check or several stand for. One alone is its own evaluator; several are judged together, row by row. */
export function scoringOfChecks(given: ChecksConfig | undefined, where: string, context: ChecksContext = {}): ScoringConfig {
  const { judge, threshold } = context
  const all: readonly CheckConfig[] = given === undefined ? [] : Array.isArray(given) ? given : [given]
  const inRows = all.flatMap((one) => columnOfChecks(one) ?? [])
  const column = context.column ?? inRows[0]
  if (inRows.length > 1 || (inRows.length > 0 && context.column !== undefined))
    throw new PromptError('unclear-check', {
      where,
      problem: 'several columns have the checks of a row',
      fix: 'put them into one column, as a list',
    })
  const listed = all.filter((one) => columnOfChecks(one) === undefined)
  const checks = withNames(listed.map((one, index) => scoringOfCheck(one, Array.isArray(given) ? `${where}[${index}]` : where)))
  const [only] = checks
  if (only && checks.length === 1 && column === undefined && threshold === undefined && only.value === undefined && isAlone(only))
    return single(only, judge)
  const judgeModel = judge ?? (checks.some(({ evaluator }) => isJudge(evaluator)) ? {} : undefined)
  return {
    evaluator: {
      type: 'ChecksEvaluator',
      checks,
      ...(column === undefined ? {} : { column }),
      ...(threshold === undefined ? {} : { threshold }),
      ...(judgeModel === undefined ? {} : { judge_cfg: judgeModel }),
    },
  }
}

/** `{ column: checks }` alone: the checks of each row are in this column. */
function columnOfChecks(given: CheckConfig): string | undefined {
  if (typeof given !== 'object' || Object.keys(given).length !== 1 || !('column' in given)) return undefined
  return given.column
}

/** An expected answer in another column is read by the evaluator of texts itself. */
function isAlone({ column, evaluator, weight }: CheckScoring): boolean {
  return weight === undefined && (column === undefined || ('type' in evaluator && evaluator.type === 'TextEvaluator'))
}

function single({ evaluator, pred_postprocessor, dataset_postprocessor }: CheckScoring, judge: object | undefined): ScoringConfig {
  return {
    evaluator: isJudge(evaluator) ? { ...evaluator, judge_cfg: judge ?? {} } : evaluator,
    ...(pred_postprocessor === undefined ? {} : { pred_postprocessor }),
    ...(dataset_postprocessor === undefined ? {} : { dataset_postprocessor }),
  }
}

function isJudge(evaluator: WrittenEvaluator): evaluator is { type: string } & Record<string, unknown> {
  return 'type' in evaluator && evaluator.type === 'GenericLLMEvaluator'
}

/** Two checks of one kind are numbered. */
function withNames(checks: readonly CheckScoring[]): CheckScoring[] {
  const counts = new Map<string, number>()
  return checks.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1
    counts.set(one.name, count)
    return count === 1 ? one : { ...one, name: `${one.name}-${count}` }
  })
}
