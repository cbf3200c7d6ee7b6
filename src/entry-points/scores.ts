// `rolecall/scores`: answers → figures, as OpenCompass computes them, with intervals and comparisons.

// ── Evaluators ──
export { type Evaluation, evaluateAnswers } from '../score/evaluate/evaluate-answers.ts'
export type { Answer, Evaluator, Judgement } from '../score/evaluate/evaluator.ts'
export { type EvaluatorConfig, evaluatorOf, evaluators } from '../score/evaluate/evaluators.ts'
export type { EvaluatorFunction, OwnEvaluator, OwnJudgement } from '../score/evaluate/own-evaluator.ts'
export { gPassAtK, passAtK } from '../score/evaluate/pass-at-k.ts'
export { evaluateReplicas } from '../score/evaluate/replicas.ts'

// ── Postprocessors ──
export { type PostprocessorConfig, postprocessorOf } from '../score/postprocess/postprocessors.ts'
export type { ScoringPeers, SplitWords } from '../score/split-words.ts'

// ── Statistics ──
export { type Interval, meanInterval, wilsonInterval } from '../score/statistics/interval.ts'
export { comparePaired, type PairedComparison } from '../score/statistics/paired.ts'
