import { check } from '../../../base/errors/check.ts'
import { nearestName, suggestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type ScoringPeers, type SplitWords, wordsFor } from '../../../base/python/word-split/word-tokenize.ts'
import { characterRouge, jiebaRouge } from '../../../compat/opencompass/evaluators/chinese-rouge.ts'
import * as announcedAnswers from '../../../compat/opencompass/evaluators/choice/announced-answers.ts'
import { circular, circularDataset } from '../../../compat/opencompass/evaluators/choice/circular-evaluators.ts'
import * as equalAnswers from '../../../compat/opencompass/evaluators/choice/equal-answers.ts'
import * as exams from '../../../compat/opencompass/evaluators/choice/exam-points.ts'
import * as groupedAccuracy from '../../../compat/opencompass/evaluators/choice/grouped-accuracy.ts'
import * as optionLetters from '../../../compat/opencompass/evaluators/choice/option-letters.ts'
import { superGpqa } from '../../../compat/opencompass/evaluators/choice/supergpqa.ts'
import * as competitions from '../../../compat/opencompass/evaluators/code/competitions.ts'
import * as mbpp from '../../../compat/opencompass/evaluators/code/mbpp.ts'
import * as predictedOutput from '../../../compat/opencompass/evaluators/code/predicted-output.ts'
import * as freeText from '../../../compat/opencompass/evaluators/free-text.ts'
import * as instructions from '../../../compat/opencompass/evaluators/instructions/ifeval.ts'
import * as longBench from '../../../compat/opencompass/evaluators/long-context/longbench.ts'
import * as lveval from '../../../compat/opencompass/evaluators/long-context/lveval.ts'
import * as needleWords from '../../../compat/opencompass/evaluators/long-context/needle-words.ts'
import * as needleBench from '../../../compat/opencompass/evaluators/long-context/needlebench.ts'
import { piLlm } from '../../../compat/opencompass/evaluators/long-context/pi-llm.ts'
import * as agentSteps from '../../../compat/opencompass/evaluators/math/agent-steps.ts'
import * as formulas from '../../../compat/opencompass/evaluators/math/formulas.ts'
import { olympiadBench } from '../../../compat/opencompass/evaluators/math/olympiad.ts'
import { tabmwp } from '../../../compat/opencompass/evaluators/math/tabmwp.ts'
import * as verified from '../../../compat/opencompass/evaluators/math/verified.ts'
import * as pmmEval from '../../../compat/opencompass/evaluators/pmmeval.ts'
import * as grids from '../../../compat/opencompass/evaluators/reasoning/grids.ts'
import * as judgeChoices from '../../../compat/opencompass/evaluators/reasoning/judge-choices.ts'
import { korBench } from '../../../compat/opencompass/evaluators/reasoning/korbench.ts'
import * as yesOrNo from '../../../compat/opencompass/evaluators/science/binary-classification.ts'
import * as biodata from '../../../compat/opencompass/evaluators/science/biodata.ts'
import * as distances from '../../../compat/opencompass/evaluators/science/distances.ts'
import * as molecules from '../../../compat/opencompass/evaluators/science/molecule-accuracy.ts'
import * as shortAnswers from '../../../compat/opencompass/evaluators/short-answers.ts'
import { bleu } from './bleu.ts'
import { cascade } from './cascade.ts'
import { humanEval } from './code-tests.ts'
import { editDistanceAccuracy } from './edit-distance.ts'
import * as equality from './equality.ts'
import type { Evaluator, EvaluatorDefinition, NestedEvaluator } from './evaluator.ts'
import { fields } from './fields.ts'
import { aucroc, mcc } from './labels.ts'
import { averagePerplexity, bpc } from './likelihood.ts'
import { markedNumberEvaluator } from './marked-number.ts'
import { genericJudge, markingJudge } from './model-judge.ts'
import * as numeric from './numeric.ts'
import { type EvaluatorFunction, type OwnEvaluator, ownEvaluator } from './own-evaluator.ts'
import { pairwiseJudge } from './pairwise-judge.ts'
import { rouge } from './rouge.ts'
import { squad } from './squad.ts'
import { bfclEvaluator, toolCalls } from './tool-calls.ts'

/** The definitions that modules export; what else they export is for their neighbours. */
function families(...modules: readonly object[]): unknown[] {
  return modules.flatMap((module) => Object.values(module)).filter((one) => typeof one === 'object' && 'names' in one)
}

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
  toolCalls,
  fields,
  bfclEvaluator,
  genericJudge,
  markingJudge,
  cascade,
  pairwiseJudge,
  ...families(equalAnswers, optionLetters, announcedAnswers, groupedAccuracy, exams, { superGpqa }),
  ...families(longBench, lveval, needleWords, needleBench, { piLlm }),
  ...families(freeText, grids, judgeChoices, { korBench }),
  ...families(formulas, verified, agentSteps, { tabmwp, olympiadBench }),
  ...families(molecules, distances, yesOrNo, biodata),
  ...families(pmmEval),
  ...families(mbpp, predictedOutput, competitions),
  ...families(instructions),
] as readonly unknown[] as readonly EvaluatorDefinition[]

/** Evaluators by the names that OpenCompass has for them. */
export const evaluators: ReadonlyMap<string, EvaluatorDefinition> = new Map(
  allEvaluators.flatMap((one) => one.names.map((name) => [name, one] as const)),
)

/** The evaluator of a name as configs write it, bare or with its module; of two classes of one name the module tells which. */
export function evaluatorNamed(type: string): EvaluatorDefinition | undefined {
  const parts = type.split('.')
  for (let from = 0; from < parts.length; from++) {
    const found = evaluators.get(parts.slice(from).join('.'))
    if (found) return found
  }
  return undefined
}

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
  const written = type ?? (hasAnswers ? 'AccEvaluator' : 'AveragePPLEvaluator')
  const name = written.split('.').at(-1)!
  const found = evaluatorNamed(written)
  if (found) {
    const checked = check(found.options, options, place)
    const { needsWords } = found
    const words = needsWords === true || needsWords?.(checked) ? wordsFor(name, peers, `${place}.type`) : none
    const nested: NestedEvaluator = (inner, at) =>
      evaluatorOf(inner as EvaluatorConfig, hasAnswers, where, peers, { place: `${where} › ${at}`, compat })
    return found.with(checked, words, compat, nested)
  }
  throw new PromptError('unknown-evaluator', {
    where: `${place}.type`,
    problem: `"${name}" is not available`,
    fix:
      nearestName(name, [...evaluators.keys()]) === undefined
        ? 'ask with `rolecall run --no-score` and score the answers elsewhere, or name one of those in docs/scoring.md'
        : suggestName(name, [...evaluators.keys()]),
  })
}

const none: SplitWords = () => []

function isOwn(config: EvaluatorConfig | undefined): config is OwnEvaluator {
  return typeof config === 'object' && config !== null && 'judge' in config
}
