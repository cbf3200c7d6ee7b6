import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { check } from '@rolecall/core/internal/errors'
import * as z from '@rolecall/core/internal/schema'
import type { OwnJudgement } from '../score/evaluate/own-evaluator.ts'
import type { ModelUse } from './short/short-schema.ts'

/** A reply of the model, and the row that it answers. */
export type TaskAnswer<Row> = {
  /** What the model says, without its reasoning. */
  reply: string
  row: Row
}

/** A model by its short name (`embedded`, `gguf:FILE`, `openai:NAME@URL`, `ollama:NAME`, `ORG/NAME`), alone or with settings of a config. */
export type TaskModel = ModelUse

/** An evaluation: rows, what is asked about each, of which models, and how good a reply is. */
export type TaskDefinition<Row extends object> = {
  /** The name of its runs, `task` by default. */
  name?: string
  /** The rows, or a file of rows (.jsonl, .json, .csv, .tsv, .parquet). */
  data: readonly Row[] | string
  /** What is asked: a function of the row, which gives a text or messages, or a text with columns in braces. */
  prompt: ((row: Row) => string | readonly ChatMessage[]) | string
  /** The model, or several, which are compared. */
  model: TaskModel | readonly TaskModel[]
  /** How good a reply is: `true` or `false`, a number from 0 to 1, or either with details. */
  score: (answer: TaskAnswer<Row>) => OwnJudgement | PromiseLike<OwnJudgement>
  /** Maximum number of generated tokens of a reply. */
  maxTokens?: number
  /** The temperature of all models; by default that of each. */
  temperature?: number
}

/** An evaluation, for `runTask` and `rolecall run`. */
export type EvaluationTask<Row extends object = Record<string, unknown>> = TaskDefinition<Row> & { readonly kind: 'task' }

const isFunction = (value: unknown) => typeof value === 'function'
const model = z.union([z.string(), z.looseObject({})])

const taskSchema = z.strictObject({
  name: z.optional(z.string()),
  data: z.union([z.string(), z.array(z.looseObject({}))]),
  prompt: z.union([z.string(), z.custom<TaskDefinition<object>['prompt']>(isFunction, 'expected a text or a function')]),
  model: z.union([model, z.array(model)]),
  score: z.custom<TaskDefinition<object>['score']>(isFunction, 'expected a function'),
  maxTokens: z.optional(z.int()),
  temperature: z.optional(z.number()),
} satisfies { readonly [Key in keyof Required<TaskDefinition<object>>]: z.FieldSchemas[string] })

/**
 * An evaluation in TypeScript. `runTask` runs it, and so does `rolecall run FILE` on a module that exports it by default; both record every
 * row, and can resume.
 *
 * @example
 * const sums = task({
 *   data: [{ question: '2+3', answer: 5 }],
 *   prompt: ({ question }) => `What is ${question}?`,
 *   model: 'embedded',
 *   score: ({ reply, row }) => reply.includes(String(row.answer)),
 * })
 * sums.kind // => 'task'
 */
export function task<Row extends object = Record<string, unknown>>(definition: TaskDefinition<Row>): EvaluationTask<Row> {
  check(taskSchema, definition, 'task › ')
  return { ...definition, kind: 'task' }
}

/** Whether a value, such as what a module exports, is a task. */
export function isTask(value: unknown): value is EvaluationTask {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'task' && 'score' in value && isFunction(value.score)
  )
}
