import { scoringRule } from '../../compat/results/scoring-rules.ts'
import type { PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import type { WhyRule } from '../../workbench/why/why-row.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'

/** How a side scores replies, as far as it can be executed here. */
export function ruleOf(setup: PairSetup, metric: string): WhyRule | undefined {
  registerScoringPlugIns()
  const rule = scoringRule(setup, metric)
  return rule && ((reply, { gold = '' }) => rule(reply, gold))
}
