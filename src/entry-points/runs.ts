// `rolecall/runs`: models × datasets, row by row, wherever rows and answers are kept. On disk: `runEvaluation` of `rolecall/node`.
export { compileTaskPrompt } from '../ask/compile-task-prompt.ts'
export { inferencers } from '../ask/inferencers.ts'
export { perplexity } from '../ask/perplexity.ts'
export type { PairResult, RowAnswer, RowRecord, RunSummary } from '../record/run-record.ts'
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
} from '../run/run-pairs.ts'
