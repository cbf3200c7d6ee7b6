import { check } from '@rolecall/core/internal/errors'
import * as z from '@rolecall/core/internal/schema'
import type { EvaluationTask } from '../../evaluation/config/define-task.ts'
import { type RunTaskOptions, runTaskKeys, type TaskResult, type TaskRow } from '../../evaluation/run/task-result.ts'
import { plainValue } from '../../model/agent/plain-value.ts'
import { runEvaluation } from '../runs/run-evaluation.ts'
import { openRun } from '../runs/run-reader.ts'
import { configOfTask } from './config-of-task.ts'

/** Runs a task, records every row in a folder, and gives its score. A row without an answer or a score counts as 0. */
export async function runTask<Row extends object>(task: EvaluationTask<Row>, options: RunTaskOptions = {}): Promise<TaskResult> {
  check(z.strictObject(runTaskKeys), options, 'runTask › options › ')
  const { name = 'task' } = task
  const { folder, summary, unfinished } = await runEvaluation(await configOfTask(task as EvaluationTask, process.cwd()), {
    name,
    ...options,
  })
  const rows = openRun(folder).pairs.flatMap((pair): TaskRow[] =>
    [...pair.scoredRows()].map(({ id, prediction, score, error }) => ({
      model: pair.model,
      id,
      reply: typeof prediction === 'string' ? prediction : String(plainValue(prediction ?? '')),
      score,
      error,
    })),
  )
  const score = rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + (row.score ?? 0), 0) / rows.length
  return { score, rows, folder, summary, unfinished }
}
