import { dictFromEntries, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { CheckConfig } from '../../score/checks/check-schema.ts'
import { type ScoringConfig, scoringOfChecks } from '../../score/checks/scoring-of-checks.ts'
import type { Evaluator } from '../../score/evaluate/evaluator.ts'
import { type EvaluatorConfig, evaluatorOf } from '../../score/evaluate/evaluators.ts'
import { postprocessorOf, type Reader, readerOf } from '../../score/postprocess/postprocessors.ts'

/** Another way to score the same replies. */
export type Alternative = {
  code: 'extraction' | 'code-fence'
  /** What the config would say. */
  fix: string
  scoring: ScoringConfig
  accepts(reply: string, gold: PyValue): boolean
}

/** Strictest first: of two that gain the same, the first is proposed. */
const checks: readonly { code: Alternative['code']; check: CheckConfig; fix: string }[] = [
  { code: 'code-fence', check: { exact: true, extract: 'fenced' }, fix: 'check: { exact: true, extract: fenced }' },
  { code: 'extraction', check: 'exact', fix: 'check: exact' },
  { code: 'extraction', check: 'iexact', fix: 'check: iexact' },
  { code: 'extraction', check: { exact: true, extract: 'free_answer' }, fix: 'check: { exact: true, extract: free_answer }' },
  { code: 'extraction', check: 'choice', fix: 'check: choice' },
  { code: 'extraction', check: 'number', fix: 'check: number' },
  { code: 'extraction', check: 'contains', fix: 'check: contains' },
  { code: 'extraction', check: 'icontains', fix: 'check: icontains' },
]

/** The checks that could score these replies, with the evaluators of a run. */
export function alternatives(): Alternative[] {
  return checks.map(({ code, check, fix }) => {
    const scoring = scoringOfChecks(check, 'check')
    return { code, fix, scoring, accepts: accepting(scoring) }
  })
}

/** Whether a scoring finds a reply right; an error of the row is not right. */
export function accepting({
  evaluator: config,
  pred_postprocessor: read,
  dataset_postprocessor: readGold,
}: ScoringConfig): (reply: string, gold: PyValue) => boolean {
  const evaluator: Evaluator<unknown> = evaluatorOf(config as EvaluatorConfig, true, 'doctor')
  const reader: Reader = readerOf(read, 'doctor')
  const gold = postprocessorOf(readGold, 'doctor')
  const isCleaned = readGold !== undefined
  const row = dictFromEntries([])
  return (reply, given) => {
    const { value, isFound } = reader(reply, row)
    if (!isFound) return false
    try {
      const reference = isCleaned && !isList(given) ? gold(pyStr(given)) : given
      return evaluator.judge({ prediction: value, reference, row }).score === 1
    } catch {
      return false
    }
  }
}
