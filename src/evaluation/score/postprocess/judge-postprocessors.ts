import { check } from '../../../base/errors/check.ts'
import { alignbench } from '../../../compat/opencompass/postprocessors/judge/alignbench.ts'
import * as checklists from '../../../compat/opencompass/postprocessors/judge/checklists.ts'
import * as marks from '../../../compat/opencompass/postprocessors/judge/judge-marks.ts'
import * as letters from '../../../compat/opencompass/postprocessors/judge/letters.ts'
import * as pairs from '../../../compat/opencompass/postprocessors/judge/pairs.ts'
import * as subjects from '../../../compat/opencompass/postprocessors/judge/subjects.ts'
import type { JudgePostprocessor } from './judge-postprocessor.ts'

/** All of them, in the order of the docs. */
export const allJudgePostprocessors = [
  ...Object.values(letters),
  ...Object.values(subjects),
  ...Object.values(marks),
  alignbench,
  checklists.followbench,
  checklists.hellobench,
  checklists.advancedIf,
  checklists.clbenchJudge,
  checklists.aaLcr,
  checklists.atlasJudge,
  ...Object.values(pairs),
] as readonly unknown[] as readonly JudgePostprocessor[]

/** What the words of a judge come to over all rows, by the names that OpenCompass has for it. */
export const judgePostprocessors: ReadonlyMap<string, JudgePostprocessor> = new Map(
  allJudgePostprocessors.flatMap((one) => one.names.map((name) => [name, one] as const)),
)

/** One that a config names, with its options checked; undefined where the name is that of no such thing. */
export function judgePostprocessorOf(config: unknown, where: string): { postprocessor: JudgePostprocessor; options: unknown } | undefined {
  const { type, ...options } = typeof config === 'string' ? { type: config } : ((config ?? {}) as { type?: unknown })
  const postprocessor = typeof type === 'string' ? judgePostprocessors.get(type.split('.').at(-1)!) : undefined
  return postprocessor && { postprocessor, options: check(postprocessor.options, options, where) }
}
