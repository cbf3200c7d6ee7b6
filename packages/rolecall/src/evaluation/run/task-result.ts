import * as z from '@rolecall/core/internal/schema'
import type { RunSummary } from './record/run-record.ts'

/** How a task is run. */
export type RunTaskOptions = {
  /** The maximum number of rows; below 1, their share. */
  limit?: number
  /** Resumes an earlier run: `latest`, its time, or its path. Rows with the same prompt, model and settings are not sent again. */
  reuse?: string
  /** Where results go, into a folder named after the time; by default `outputs/NAME` in the working folder. */
  workDir?: string
  /** How many rows are sent concurrently; by default as many as the model serves. */
  workers?: number
  /** Also record the prompts that were sent. */
  prompts?: boolean
  /** The folder of the answer cache, by default the user's; false disables it. */
  cache?: string | false
  /** When aborted, rows in flight are abandoned. */
  signal?: AbortSignal
}

/** The keys of `RunTaskOptions`. */
export const runTaskKeys = {
  limit: z.optional(z.number()),
  reuse: z.optional(z.string()),
  workDir: z.optional(z.string()),
  workers: z.optional(z.int()),
  prompts: z.optional(z.boolean()),
  cache: z.optional(z.union([z.string(), z.boolean()])),
  signal: z.optional(z.custom<AbortSignal>((value) => typeof value === 'object' && value !== null, 'expected an AbortSignal')),
} satisfies { readonly [Key in keyof Required<RunTaskOptions>]: z.FieldSchemas[string] }

/** One reply of a task. */
export type TaskRow = {
  model: string
  /** The row's index in the data, from 0. */
  id: number
  reply: string
  /** Undefined if there is no answer, or no score. */
  score?: number | undefined
  error?: string | undefined
}

/** What a task came to. */
export type TaskResult = {
  /** The mean over all rows and models, from 0 to 1. */
  score: number
  rows: readonly TaskRow[]
  /** The folder of the run, for `rolecall view`, `compare` and `why`. */
  folder: string
  /** Its summary: a result for each model, with intervals and costs. */
  summary: RunSummary
  /** Models that have rows left to send. */
  unfinished: number
}
