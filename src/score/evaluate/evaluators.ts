import { check } from '../../config/check.ts'
import { suggestName } from '../../nearest.ts'
import { PromptError } from '../../prompt-error.ts'
import { type ScoringPeers, type SplitWords, wordsFor } from '../split-words.ts'
import { bleu } from './bleu.ts'
import { circular, circularDataset } from './circular.ts'
import { humanEval } from './code-tests.ts'
import { editDistanceAccuracy } from './edit-distance.ts'
import * as equality from './equality.ts'
import type { Evaluator, EvaluatorDefinition } from './evaluator.ts'
import { aucroc, mcc } from './labels.ts'
import { averagePerplexity, bpc } from './likelihood.ts'
import { markedNumberEvaluator } from './marked-number.ts'
import { genericJudge, markingJudge } from './model-judge.ts'
import * as numeric from './numeric.ts'
import { type EvaluatorFunction, type OwnEvaluator, ownEvaluator } from './own-evaluator.ts'
import { pairwiseJudge } from './pairwise-judge.ts'
import { rouge } from './rouge.ts'
import { characterRouge, jiebaRouge } from './rouge-chinese.ts'
import * as shortAnswers from './short-answers.ts'
import { squad } from './squad.ts'

/** All evaluators, in the order of the docs. */
export const allEvaluators = [
  ...Object.values(equality),
  ...Object.values(shortAnswers),
  squad,
  ...Object.values(numeric),
  markedNumberEvaluator,
  editDistanceAccuracy,
  bleu,
  rouge,
  jiebaRouge,
  characterRouge,
  mcc,
  aucroc,
  circular,
  circularDataset,
  averagePerplexity,
  bpc,
  humanEval,
  genericJudge,
  markingJudge,
  pairwiseJudge,
] as readonly unknown[] as readonly EvaluatorDefinition[]

/** Evaluators by the names that OpenCompass has for them. */
export const evaluators: ReadonlyMap<string, EvaluatorDefinition> = new Map(
  allEvaluators.flatMap((one) => one.names.map((name) => [name, one] as const)),
)

/** What a config says: a type with options, or (in TypeScript) a function, alone or with what its scores mean. */
export type EvaluatorConfig =
  | ({ type?: string | undefined; judge?: undefined } & Record<string, unknown>)
  | EvaluatorFunction
  | OwnEvaluator

/** The evaluator that a config names; equal texts when none is named, the mean where there is nothing but perplexity. */
export function evaluatorOf(
  config: EvaluatorConfig | undefined,
  hasAnswers: boolean,
  where: string,
  peers: ScoringPeers = {},
  { place = `${where} › eval_cfg.evaluator`, compat }: { place?: string; compat?: 'opencompass' | undefined } = {},
): Evaluator<unknown> {
  if (typeof config === 'function' || isOwn(config)) return ownEvaluator(config, place)
  const { type, ...options } = config ?? {}
  const name = type?.split('.').at(-1) ?? (hasAnswers ? 'AccEvaluator' : 'AveragePPLEvaluator')
  const found = evaluators.get(name)
  if (found) {
    const words = found.needsWords ? wordsFor(name, peers, `${place}.type`) : none
    return found.with(check(found.options, options, place), words, compat)
  }
  throw new PromptError('unknown-evaluator', {
    where: `${place}.type`,
    problem: `"${name}" is not available`,
    fix: suggestName(name, [...evaluators.keys()]),
  })
}

const none: SplitWords = () => []

function isOwn(config: EvaluatorConfig | undefined): config is OwnEvaluator {
  return typeof config === 'object' && config !== null && 'judge' in config
}
