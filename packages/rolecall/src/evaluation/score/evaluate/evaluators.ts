import { check, PromptError } from '@rolecall/core/internal/errors'
import { type ScoringPeers, type SplitWords, wordsFor } from '../../../python/word-split/word-tokenize.ts'
import { notAvailable } from '../not-available.ts'
import { registerByName, suggestEntry } from '../register-by-name.ts'
import { bleu } from './bleu.ts'
import { checksEvaluator } from './checks-evaluator.ts'
import * as equality from './equality.ts'
import { type Evaluator, type EvaluatorDefinition, evaluatorsIn, type NestedEvaluator } from './evaluator.ts'
import { fields } from './fields.ts'
import { jsonCheck } from './json-check.ts'
import { averagePerplexity, bpc } from './likelihood.ts'
import { genericJudge, markingJudge } from './model-judge.ts'
import * as numeric from './numeric.ts'
import { type EvaluatorFunction, type OwnEvaluator, ownEvaluator } from './own-evaluator.ts'
import { pairwiseJudge } from './pairwise-judge.ts'
import { rouge } from './rouge.ts'
import { squad } from './squad.ts'
import { textCheck } from './text-check.ts'
import { toolCalls } from './tool-calls.ts'

const coreEvaluators = evaluatorsIn(equality, numeric, {
  squad,
  bleu,
  rouge,
  averagePerplexity,
  bpc,
  toolCalls,
  fields,
  genericJudge,
  markingJudge,
  pairwiseJudge,
  textCheck,
  jsonCheck,
  checksEvaluator,
})

const registered = new Map<string, EvaluatorDefinition>()
registerEvaluators(coreEvaluators)

/** The registered evaluators by name: the core ones, and those of compatibility layers such as `rolecall/opencompass`. */
export const evaluators: ReadonlyMap<string, EvaluatorDefinition> = registered

/** Makes evaluators available to configs under their names. */
export function registerEvaluators(definitions: readonly EvaluatorDefinition[]): void {
  registerByName(registered, definitions)
}

/** The evaluator with a name as configs write it, bare or with its module; the module disambiguates two classes of one name. */
export function evaluatorNamed(type: string): EvaluatorDefinition | undefined {
  const parts = type.split('.')
  for (let from = 0; from < parts.length; from++) {
    const found = evaluators.get(parts.slice(from).join('.'))
    if (found) return found
  }
  return undefined
}

/** The evaluator in a config: a type with options, or (in TypeScript) a function, alone or with the meaning of its scores. */
export type EvaluatorConfig =
  | ({ type?: string | undefined; judge?: undefined } & Record<string, unknown>)
  | EvaluatorFunction
  | OwnEvaluator

/** The evaluator that a config names; by default text equality, or the mean for perplexities. */
export function evaluatorOf(
  config: EvaluatorConfig | undefined,
  hasAnswers: boolean,
  where: string,
  peers: ScoringPeers = {},
  { place = `${where} › eval_cfg.evaluator`, compat }: { place?: string; compat?: 'opencompass' | undefined } = {},
): Evaluator<unknown> {
  if (typeof config === 'function' || isOwn(config)) return ownEvaluator(config, place)
  const { type, ...options } = config ?? {}
  const written = type ?? (hasAnswers ? 'AccEvaluator' : 'AveragePPLEvaluator')
  const name = written.split('.').at(-1)!
  const found = evaluatorNamed(written)
  if (found) {
    const checked = check(found.options, options, place)
    const { needsWords } = found
    const words = needsWords === true || needsWords?.(checked) ? wordsFor(name, peers, `${place}.type`) : none
    const nested: NestedEvaluator = (inner, at) =>
      evaluatorOf(inner as EvaluatorConfig, hasAnswers, where, peers, { place: `${where} › ${at}`, compat })
    const { ofNothing } = found
    return { ...found.with(checked, words, compat, nested), ...(compat && ofNothing ? { ofNothing } : {}) }
  }
  throw new PromptError('unknown-evaluator', {
    where: `${place}.type`,
    problem: notAvailable(name),
    fix: suggestEntry(
      name,
      evaluators,
      coreEvaluators,
      'use an evaluator of docs/scoring.md, or generate answers with `rolecall run --no-score` and score them elsewhere',
    ),
  })
}

const none: SplitWords = () => []

function isOwn(config: EvaluatorConfig | undefined): config is OwnEvaluator {
  return typeof config === 'object' && config !== null && 'judge' in config
}
