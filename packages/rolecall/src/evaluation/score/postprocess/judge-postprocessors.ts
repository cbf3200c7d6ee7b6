import { check } from '@rolecall/core/internal/errors'
import { registerByName } from '../register-by-name.ts'
import type { JudgePostprocessor } from './judge-postprocessor.ts'

const registered = new Map<string, JudgePostprocessor>()

/** What computes metrics from the replies of a judge over all rows, by name; compatibility layers register theirs. */
export const judgePostprocessors: ReadonlyMap<string, JudgePostprocessor> = registered

/** Makes judge postprocessors available to configs under their names. */
export function registerJudgePostprocessors(added: readonly JudgePostprocessor[]): void {
  registerByName(registered, added)
}

/** The judge postprocessor that a config names, with its options checked; undefined if the name is not registered. */
export function judgePostprocessorOf(config: unknown, where: string): { postprocessor: JudgePostprocessor; options: unknown } | undefined {
  const { type, ...options } = typeof config === 'string' ? { type: config } : ((config ?? {}) as { type?: unknown })
  const postprocessor = typeof type === 'string' ? judgePostprocessors.get(type.split('.').at(-1)!) : undefined
  return postprocessor && { postprocessor, options: check(postprocessor.options, options, where) }
}
