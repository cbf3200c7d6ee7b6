import { isMutableDict } from '../../../base/python/interpreter/containers.ts'
import { isListValue, isNumber, Tuple, type Value } from '../../../base/python/values/value.ts'
import type { SummaryGroup } from '../../../evaluation/config/summary-group-schema.ts'

/** The summarizer's groups over datasets of the config, or over such groups. Their metric names are not needed. */
export function summaryGroupsOf(summarizer: Value | undefined, datasets: ReadonlySet<unknown>): SummaryGroup[] {
  if (summarizer === undefined || !isMutableDict(summarizer)) return []
  const groups = summarizer.get('summary_groups')
  if (groups === undefined || !isListValue(groups)) return []
  const found: SummaryGroup[] = []
  // Groups precede the groups that contain them.
  for (const group of groups) found.push(...groupOf(group, new Set([...datasets, ...found.map(({ name }) => name)])))
  return found
}

function groupOf(group: Value, known: ReadonlySet<unknown>): SummaryGroup[] {
  if (!isMutableDict(group)) return []
  const name = group.get('name')
  const given = group.get('subsets')
  if (typeof name !== 'string' || given === undefined || !isListValue(given)) return []
  const subsets = given.map((subset) => (isListValue(subset) ? subset[0] : subset instanceof Tuple ? subset.items[0] : subset))
  // Groups over datasets that are not in this config would have no metric.
  if (subsets.length === 0 || !subsets.every((subset): subset is string => typeof subset === 'string' && known.has(subset))) return []
  const weights = group.get('weights')
  if (weights === undefined || !isMutableDict(weights)) return [{ name, subsets }]
  // OpenCompass ignores datasets without a weight.
  const weightOf = (subset: string) => {
    const weight = weights.get(subset)
    return weight !== undefined && isNumber(weight) ? Number(weight) : 0
  }
  return [{ name, subsets, weights: Object.fromEntries(subsets.map((subset) => [subset, weightOf(subset)])) }]
}
