import type { EvaluationTask } from './evaluation/config/define-task.ts'
import type { RunTaskOptions, TaskResult } from './evaluation/run/task-result.ts'

/**
 * Runs a task: every row is asked, scored and recorded in a folder, as by `rolecall run`. A row without an answer counts as 0. It needs Node.
 */
export async function runTask<Row extends object>(task: EvaluationTask<Row>, options?: RunTaskOptions): Promise<TaskResult> {
  // Loaded on demand: browsers have no files, and the run engine is large.
  const files = await import('rolecall/files')
  return files.runTask(task, options)
}
