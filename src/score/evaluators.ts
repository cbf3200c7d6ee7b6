import { suggestName } from '../config/nearest.ts'
import { PromptError } from '../prompt-error.ts'
import { isList, type PyValue, pyStr } from '../python/index.ts'
import { generalPostprocess } from './postprocess/general.ts'

/** Judges answers one by one; what a table shows is made of the mean. */
export type Evaluator = {
  /** The name of its figure, as OpenCompass has it. */
  metric: string
  /** Whether the figure is a share of all rows in per cent, or a mean. */
  unit: 'percent' | 'mean'
  /** Whether a gold answer is needed. */
  needsReference: boolean
  /** 1 for right, 0 for wrong, or a value to be averaged. */
  judge(prediction: PyValue, reference: PyValue): number
}

/** Evaluators by the names that OpenCompass has for them. */
export const evaluators: Readonly<Record<string, Evaluator>> = {
  AccEvaluator: {
    metric: 'accuracy',
    unit: 'percent',
    needsReference: true,
    judge: (prediction, reference) => Number(pyStr(prediction) === pyStr(reference)),
  },
  EMEvaluator: { metric: 'score', unit: 'percent', needsReference: true, judge: exactMatch },
  AveragePPLEvaluator: {
    metric: 'average_ppl',
    unit: 'mean',
    needsReference: false,
    judge: (prediction) => (typeof prediction === 'number' ? prediction : Number.NaN),
  },
}

/** Right when the cleaned answer is one of the accepted ones, cleaned or as they are. A single one need not be a list. */
function exactMatch(prediction: PyValue, reference: PyValue): number {
  const accepted = (isList(reference) ? reference : [reference]).map((answer) => pyStr(answer))
  const cleaned = generalPostprocess(pyStr(prediction))
  return Number(accepted.some((answer) => cleaned === answer || cleaned === generalPostprocess(answer)))
}

/** The evaluator that a config names; equal texts when none is named, the mean where there is nothing but perplexity. */
export function evaluatorOf(type: string | undefined, hasAnswers: boolean, where: string): Evaluator {
  const name = type?.split('.').at(-1) ?? (hasAnswers ? 'AccEvaluator' : 'AveragePPLEvaluator')
  const found = Object.hasOwn(evaluators, name) ? evaluators[name] : undefined
  if (found) return found
  throw new PromptError('unknown-evaluator', {
    where: `${where} › eval_cfg.evaluator.type`,
    problem: `"${name}" is not available`,
    fix: suggestName(name, Object.keys(evaluators)),
  })
}
