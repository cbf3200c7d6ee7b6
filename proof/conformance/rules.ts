import type { Rule } from './rule.ts'
import { internlm2Rules } from './rules/internlm2.ts'
import { lmEvalRules } from './rules/lm-eval.ts'
import { mlcRules } from './rules/mlc.ts'
import { opencompassRules } from './rules/opencompass.ts'
import { codeRules, familyRules, serverRules } from './rules/replies.ts'
import { responseRules } from './rules/response-templates.ts'
import { scoringRules } from './rules/scoring.ts'
import { trainingRules } from './rules/training.ts'
import { webLlmRules } from './rules/web-llm.ts'

/** Every difference from a reference system. A verdict can name no other. */
export const rules = {
  ...opencompassRules,
  ...internlm2Rules,
  ...serverRules,
  ...codeRules,
  ...familyRules,
  ...mlcRules,
  ...webLlmRules,
  ...scoringRules,
  ...trainingRules,
  ...lmEvalRules,
  ...responseRules,
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

/** Whether an outcome is of the kind that a rule promises. */
export function givesSo(rule: RuleName, ours: { value: unknown } | { error: { code: string } }): boolean {
  const { gives }: Rule = rules[rule]
  return [gives].flat().includes('error' in ours ? ours.error.code : 'value')
}
