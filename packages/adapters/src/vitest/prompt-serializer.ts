import type { ModelPrompt } from '@rolecall/core'
import { type PromptLinesOptions, promptLines } from './prompt-lines.ts'

/** What `expect.addSnapshotSerializer` takes, in Vitest and Jest. */
type Serializer = { test(value: unknown): boolean; serialize(value: unknown): string }

/** Prints prompts of `renderPrompt` in snapshots as `promptLines` does; with `origins`, who wrote what. */
export function promptSerializer(options: PromptLinesOptions = {}): Serializer {
  return { test: isPrompt, serialize: (value) => promptLines(value as ModelPrompt, options) }
}

/** Whether a value is a prompt of `renderPrompt`. */
export function isPrompt(value: unknown): value is ModelPrompt {
  return typeof value === 'object' && value !== null && 'rendered' in value && 'pieces' in value && 'stop' in value
}
