import { registerPromptSource } from '@rolecall/core/internal/compile'
import { registerInferencers } from '../../evaluation/run/ask/inferencers.ts'
import { registerDatasetEvaluator } from '../../evaluation/run/dataset-evaluators.ts'
import type { ScoringPeers } from '../../python/word-split/word-tokenize.ts'
import { taskEvaluator } from './dataset/task-evaluator.ts'
import { generateTask, requestTask, scoreTask } from './dataset/task-inferencers.ts'
import { taskPrompts } from './dataset/task-prompts.ts'
import { readTaskSpec } from './dataset/task-spec.ts'
import { setTaskPeers } from './python/jieba-module.ts'

/**
 * Registers the prompts, inferencers and metrics of lm-evaluation-harness tasks (datasets with the key `lm_eval`). Idempotent. `peers` finds
 * the optional packages that functions of tasks can use.
 */
export function registerLmEval(peers?: () => ScoringPeers): void {
  if (peers) setTaskPeers(peers)
  registerPromptSource('lm_eval', (value, target) => taskPrompts(readTaskSpec(value, target.where), target))
  registerInferencers({ LmEvalGenInferencer: generateTask, LmEvalLikelihoodInferencer: scoreTask, LmEvalRequestInferencer: requestTask })
  registerDatasetEvaluator('lm_eval', (value, where) => taskEvaluator(readTaskSpec(value, where)))
}
