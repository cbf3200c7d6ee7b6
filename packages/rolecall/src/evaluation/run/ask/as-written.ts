import { type Note, PromptError } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../../config/config-schema.ts'
import type { RowPrompt } from './row-prompts.ts'

/**
 * Does what only shows prompts: if the model's template leaves out a system turn, which a run refuses, it is done again with what the template
 * does write, and a note says so.
 */
export function asWritten<Value>(model: ModelConfig, work: (model: ModelConfig) => Value): { value: Value; notes: Note[] } {
  try {
    return { value: work(model), notes: [] }
  } catch (error) {
    if (!(error instanceof PromptError) || error.code !== 'system-rejected') throw error
    const value = work({ ...model, system_policy: 'drop' })
    const text = `${error.problem}: this is what it writes, and \`run\` refuses it; ${error.fix}`
    return { value, notes: [{ code: 'system-left-out', where: error.where, text }] }
  }
}

/** Prompts with further notes. */
export function withNotes(prompts: readonly RowPrompt[], notes: readonly Note[]): RowPrompt[] {
  return prompts.map((shown) => {
    const { rendered } = shown
    const { prompt } = rendered
    return { ...shown, rendered: { ...rendered, prompt: { ...prompt, notes: [...notes, ...prompt.notes] } } }
  })
}
