// `rolecall/lm-eval`: tasks of lm-evaluation-harness. Importing it makes datasets with the key `lm_eval` known to prompts and runs.
import { registerLmEval } from './compat/lm-eval/register.ts'

registerLmEval()

export { type AnsweredRequest, evaluateTask, type TaskResults, type TaskSample } from './compat/lm-eval/evaluate-task.ts'
export type { Task } from './compat/lm-eval/task/task.ts'
export { taskFromYaml } from './compat/lm-eval/task/task-from-yaml.ts'
