// `rolecall/runs`: models × datasets, row by row, with any storage for rows and answers. For disks, see `runEvaluation` of `rolecall/node`.
export { inferencers } from './evaluation/run/ask/inferencers.ts'
export { perplexity } from './evaluation/run/ask/perplexity.ts'
export type { EvaluationNotes } from './evaluation/run/evaluation-notes.ts'
export type { PairResult, RowAnswer, RowRecord, RunSummary } from './evaluation/run/record/run-record.ts'
export {
  type AnswerCache,
  type OpenRows,
  type Pair,
  planRun,
  type RowStore,
  type RunEnvironment,
  type RunEvent,
  type RunOptions,
  runPairs,
} from './evaluation/run/run-pairs.ts'
