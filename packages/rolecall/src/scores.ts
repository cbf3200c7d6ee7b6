// `rolecall/scores`: computes metrics from answers like OpenCompass, with intervals and comparisons.

// ── Evaluators ──
export { type Evaluation, evaluateAnswers } from './evaluation/score/evaluate/evaluate-answers.ts'
export type { Answer, Evaluator, Judgement } from './evaluation/score/evaluate/evaluator.ts'
export { type EvaluatorConfig, evaluators } from './evaluation/score/evaluate/evaluators.ts'
export type { EvaluatorFunction, OwnEvaluator, OwnJudgement } from './evaluation/score/evaluate/own-evaluator.ts'
export { gPassAtK, passAtK } from './evaluation/score/evaluate/pass-at-k.ts'
export { evaluateReplicas } from './evaluation/score/evaluate/replicas.ts'
// ── Postprocessors ──
export type { PostprocessorConfig, PostprocessorsConfig } from './evaluation/score/postprocess/postprocessor.ts'
export { type EvaluatorOptions, evaluatorFrom, postprocessorFrom, type ScorerOptions } from './evaluation/score/scorer-from-config.ts'
// ── Statistics ──
export { type Interval, meanInterval, wilsonInterval } from './evaluation/score/statistics/interval.ts'
export { comparePaired, type PairedComparison } from './evaluation/score/statistics/paired.ts'
export type { ScoringPeers, SplitWords } from './python/word-split/word-tokenize.ts'
