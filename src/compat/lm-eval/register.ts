import { registerInferencers } from '../../evaluation/run/ask/inferencers.ts'
import { registerDatasetEvaluator } from '../../evaluation/run/dataset-evaluators.ts'
import { registerPromptSource } from '../../prompt/compile/prompt-sources.ts'
import { taskEvaluator } from './dataset/task-evaluator.ts'
import { generateTask, requestTask, scoreTask } from './dataset/task-inferencers.ts'
import { taskPrompts } from './dataset/task-prompts.ts'
import { readTaskSpec } from './dataset/task-spec.ts'

/** Registers the prompts, inferencers and metrics of lm-evaluation-harness tasks (datasets with the key `lm_eval`). Idempotent. */
export function registerLmEval(): void {
  registerPromptSource('lm_eval', (value, target) => taskPrompts(readTaskSpec(value, target.where), target))
  registerInferencers({ LmEvalGenInferencer: generateTask, LmEvalLikelihoodInferencer: scoreTask, LmEvalRequestInferencer: requestTask })
  registerDatasetEvaluator('lm_eval', (value, where) => taskEvaluator(readTaskSpec(value, where)))
}
