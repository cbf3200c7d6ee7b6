import { isListValue, isNumber, Tuple, type Value } from '../jinja/values/value.ts'
import type { SummaryGroup } from '../report/summary-groups.ts'
import { isMutableDict } from './run/dicts.ts'

/** The groups of a summarizer that are about datasets of the config: several datasets as one figure. Which metric they name is not needed. */
export function summaryGroupsOf(summarizer: Value | undefined, datasets: ReadonlySet<unknown>): SummaryGroup[] {
  if (summarizer === undefined || !isMutableDict(summarizer)) return []
  const groups = summarizer.get('summary_groups')
  return groups !== undefined && isListValue(groups) ? groups.flatMap((group) => groupOf(group, datasets)) : []
}

function groupOf(group: Value, datasets: ReadonlySet<unknown>): SummaryGroup[] {
  if (!isMutableDict(group)) return []
  const name = group.get('name')
  const given = group.get('subsets')
  if (typeof name !== 'string' || given === undefined || !isListValue(given)) return []
  const subsets = given.map((subset) => (isListValue(subset) ? subset[0] : subset instanceof Tuple ? subset.items[0] : subset))
  // Groups of groups, and those of datasets that are not asked here, would have no figure.
  if (subsets.length === 0 || !subsets.every((subset): subset is string => typeof subset === 'string' && datasets.has(subset))) return []
  const weights = group.get('weights')
  if (weights === undefined || !isMutableDict(weights)) return [{ name, subsets }]
  const entries = [...weights].flatMap(([key, weight]) =>
    typeof key === 'string' && isNumber(weight) ? [[key, Number(weight)] as const] : [],
  )
  return [{ name, subsets, weights: Object.fromEntries(entries) }]
}
