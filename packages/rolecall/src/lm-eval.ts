// `rolecall/lm-eval`: lm-evaluation-harness tasks. Importing it registers the dataset key `lm_eval` for prompts and runs.
import { registerLmEval } from './compat/lm-eval/register.ts'

registerLmEval()

export { type AnsweredRequest, evaluateTask, type TaskResults, type TaskSample } from './compat/lm-eval/evaluate-task.ts'
export type { LmEvalNotes } from './compat/lm-eval/lm-eval-notes.ts'
export type { Task } from './compat/lm-eval/task/task.ts'
export { taskFromYaml } from './compat/lm-eval/task/task-from-yaml.ts'
