import { PromptError } from '@rolecall/core/internal/errors'
import { isDictValue, isListValue, type Value } from '@rolecall/core/internal/python'
import type { GroupMetric } from '../../evaluation/run/record/group-scores.ts'

/** `aggregate_metric_list` of a group; undefined if it has none. */
export function groupMetrics(given: Value | undefined, where: string): GroupMetric[] | undefined {
  if (given === undefined || given === null) return undefined
  const list = isListValue(given) ? given : [given]
  if (list.length === 0) return undefined
  return list.map((one, index): GroupMetric => {
    const place = `${where} › aggregate_metric_list[${index}]`
    if (!isDictValue(one)) throw badMetric(place, 'it is not a map')
    const keys = one as ReadonlyMap<string, Value>
    const metric = keys.get('metric')
    if (typeof metric !== 'string') throw badMetric(`${place}.metric`, 'it names no metric')
    const aggregation = keys.get('aggregation') ?? 'mean'
    if (aggregation !== 'mean')
      throw badMetric(
        `${place}.aggregation`,
        `a group can only take the mean, not ${typeof aggregation === 'string' ? `"${aggregation}"` : 'this'}`,
      )
    const filters = keys.get('filter_list') ?? null
    return {
      metric,
      filters: filters === null ? undefined : (isListValue(filters) ? filters : [filters]).map(String),
      weightBySize: (keys.get('weight_by_size') ?? true) !== false,
    }
  })
}

function badMetric(where: string, problem: string): PromptError {
  return new PromptError('bad-group', { where, problem, fix: 'write "metric: NAME", and "aggregation: mean" if anything' })
}
