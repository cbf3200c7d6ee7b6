export { redisQueue } from './app/cluster/redis-queue.ts'
export { type WorkerEvent, type WorkerOptions, workForRuns } from './app/cluster/work-for-runs.ts'
export { findConfig, type LoadedConfig, loadConfig } from './app/node/config/load-config.ts'
export { type JupyterOptions, jupyterInterpreter } from './app/node/interpreters/jupyter/jupyter-interpreter.ts'
export { type PythonSandbox, type PythonSandboxOptions, pythonSandbox } from './app/node/interpreters/python/python-sandbox.ts'
export { scoringPeers } from './app/node/jieba-words.ts'
export { embeddedTokenizer, loadEmbedded } from './app/node/models/load-embedded.ts'
export { type LoadOpenAIOptions, loadOpenAI } from './app/node/models/load-openai.ts'
export { loadTokenizer } from './app/node/models/load-tokenizer.ts'
export { type ModelFlags, modelConfigOf, type OpenModel, openModel } from './app/node/models/model-flags.ts'
export { type NodeClientOptions, nodeClient } from './app/node/models/node-client.ts'
export { openRows, type RowSource } from './app/node/rows/open-rows.ts'
export { readRows } from './app/node/rows/read-rows.ts'
export { type ChangedRow, type ComparedRuns, compareRunFolders } from './app/node/runs/compare-run-folders.ts'
export type { EvaluationEvent, EvaluationOptions, EvaluationRun } from './app/node/runs/evaluation-options.ts'
export { mergeRuns } from './app/node/runs/merge-runs.ts'
export { nodeEnvironment } from './app/node/runs/node-environment.ts'
export { openRecords, type RecordOutline, Records } from './app/node/runs/records/records.ts'
export {
  type EvaluationEvent,
  type EvaluationEvent,
  type EvaluationOptions,
  type EvaluationOptions,
  type EvaluationRun,
  type EvaluationRun,
  runEvaluation,
  runEvaluation,
  runEvaluation,
} from './app/node/runs/run-evaluation.ts'
export { findRuns, type PairFiles, type RunInfo, readRunInfo, runFiles } from './app/node/runs/run-layout.ts'
export { type ScoredRun, scoreRun } from './app/node/runs/score-run.ts'
export { withGuardedTemplates } from './app/node/templates/guard-config.ts'
export { isolatedTemplate } from './app/node/templates/isolated-template.ts'
export { type AppOptions, createApp } from './app/server/create-app.ts'
export type { Listening } from './app/server/listen.ts'
export { type ServeOptions, serve } from './app/server/serve.ts'
export type { ModelToServe } from './app/server/served-model.ts'
export type { ServerLimits } from './app/server/server-context.ts'
