import { resolve } from 'node:path'
import { type ChatMessage, fieldsInText, type Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Config, DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { EvaluationTask, TaskModel } from '../../evaluation/config/define-task.ts'
import { modelOf } from '../../evaluation/config/short/name-models.ts'
import type { Answer } from '../../evaluation/score/evaluate/evaluator.ts'
import { plainValue } from '../../model/agent/plain-value.ts'
import { readRows } from '../rows/read-rows.ts'

/** The column with the messages that a task's function has written. */
const promptColumn = 'task_prompt'

/** A task as a config; its paths are relative to the folder. */
export async function configOfTask(task: EvaluationTask, folder: string): Promise<Config> {
  const { name = 'task', data, prompt, score } = task
  const models = [task.model].flat().map((model) => taskModel(model, task))
  const evaluator = ({ prediction, row }: Answer) => score({ reply: replyText(prediction), row: plainRow(row) })
  const asked =
    typeof prompt === 'string'
      ? {
          ...(typeof data === 'string' ? { path: data } : { rows: data as readonly Record<string, unknown>[] }),
          reader_cfg: { input_columns: columnsIn(prompt) },
          infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt }] } } },
        }
      : {
          rows: await writtenRows(data, prompt, folder),
          reader_cfg: { input_columns: [promptColumn] },
          infer_cfg: { prompt_template: { messages: [{ expand_column: promptColumn }] } },
        }
  const dataset = { abbr: name, ...asked, eval_cfg: { evaluator } } as DatasetConfig
  return { models, datasets: [dataset] }
}

/** The columns that a text names in braces. */
function columnsIn(text: string): string[] {
  return [...new Set(fieldsInText(text).flatMap(({ name, is }) => (is === 'field' ? [name] : [])))]
}

function taskModel(model: TaskModel, { maxTokens, temperature }: EvaluationTask): ModelConfig {
  const config: ModelConfig = { ...modelOf(model, 'task › model') }
  if (maxTokens !== undefined) config.max_out_len = maxTokens
  if (temperature !== undefined) config.temperature = temperature
  return config
}

/** A function sees rows as programs do, and rows of a file are read whole. */
async function writtenRows(
  data: EvaluationTask['data'],
  prompt: Exclude<EvaluationTask['prompt'], string>,
  folder: string,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  const source = typeof data === 'string' ? plainRows(resolve(folder, data)) : data
  for await (const row of source) rows.push({ ...row, [promptColumn]: messagesOf(prompt(row), rows.length) })
  return rows
}

async function* plainRows(path: string): AsyncGenerator<Record<string, unknown>> {
  for await (const row of readRows(path)) yield plainRow(row)
}

function messagesOf(written: string | readonly ChatMessage[], index: number): readonly ChatMessage[] {
  if (typeof written === 'string') return [{ role: 'user', content: written }]
  if (Array.isArray(written) && written.length > 0) return written
  throw new PromptError('wrong-type', {
    where: `task › prompt, row ${index}`,
    problem: 'it gave neither a text nor messages',
    fix: "return a text, or [{ role: 'user', content: … }]; a prompt cannot be awaited",
  })
}

function plainRow(row: Row): Record<string, unknown> {
  const { [promptColumn]: _, ...rest } = plainValue(row) as Record<string, unknown>
  return rest
}

function replyText(prediction: Answer['prediction']): string {
  return typeof prediction === 'string' ? prediction : String(plainValue(prediction))
}
