import type { SummaryGroup } from '../../config/summary-group-schema.ts'
import { groupScores, type TaskMetricValues } from './group-scores.ts'
import { distinctModels, isSamePair, type ModelName, modelText } from './pair-name.ts'
import type { GroupResult, PairResult } from './run-record.ts'

/** The metric of a dataset or a group. */
type Part = Pick<PairResult, 'value' | 'unit' | 'direction' | 'interval'> & { scored: number }

export type GroupedResults = {
  groups: GroupResult[]
  /** Why a group has no value. */
  notes: string[]
}

/** The values of groups, for each model that ran on all of their datasets. Groups without any results are omitted. */
export function groupResults(groups: readonly SummaryGroup[], results: readonly PairResult[]): GroupedResults {
  const notes = new Set<string>()
  const models = distinctModels(results)
  const found = groups.flatMap((group) => models.flatMap((model) => groupOf(group, model) ?? []))
  return { groups: found, notes: [...notes] }

  function groupOf(group: SummaryGroup, model: ModelName, within: readonly string[] = []): GroupResult | undefined {
    const { name, subsets, weights, weighted_by = 'datasets' } = group
    const parts = subsets.map((subset) => partOf(subset, model, [...within, name]))
    if (parts.every((part) => part === undefined)) return undefined
    const missing = subsets.filter((_, place) => parts[place]?.value === undefined)
    const units = new Set(parts.map((part) => part?.unit))
    if (missing.length > 0) {
      notes.add(`group ${name} has no metric for ${modelText(model)}: there is none of ${missing.join(', ')}`)
      return undefined
    }
    if (units.size > 1) {
      notes.add(`group ${name} has no metric: percentages and other means cannot be averaged`)
      return undefined
    }
    if (new Set(parts.map((part) => part?.direction)).size > 1) {
      notes.add(`group ${name} has no metric: for some of its metrics higher is better, for others lower`)
      return undefined
    }
    const weightOf = (subset: string, place: number) =>
      weights ? (weights[subset] ?? 0) : weighted_by === 'rows' ? parts[place]!.scored : 1
    const all = subsets.reduce((sum, subset, place) => sum + weightOf(subset, place), 0)
    const shares = subsets.map((subset, place) => ({ ...parts[place]!, share: weightOf(subset, place) / all }))
    const value = shares.reduce((sum, part) => sum + part.share * part.value!, 0)
    const { unit, direction } = parts[0]!
    return {
      ...model,
      group: name,
      unit,
      direction,
      value,
      ...combined(shares, value),
      weightedBy: weights ? 'weights' : weighted_by,
      scored: parts.reduce((sum, part) => sum + part!.scored, 0),
      ...figuresOfTasks(group, model),
      datasets: subsets,
    }
  }

  /** The group's lm-evaluation-harness metrics, aggregated over its tasks. */
  function figuresOfTasks({ subsets, figures }: SummaryGroup, model: ModelName): Pick<GroupResult, 'figures'> {
    if (!figures) return {}
    const tasks = subsets.map(
      (subset): TaskMetricValues => results.find((one) => isSamePair(one, { ...model, dataset: subset }))?.figures ?? {},
    )
    const metrics = figures.map(({ metric, filters, weighted_by: by }) => ({ metric, filters, weightBySize: by !== 'datasets' }))
    return { figures: groupScores(tasks, metrics).figures }
  }

  function partOf(name: string, model: ModelName, within: readonly string[]): Part | undefined {
    const result = results.find((one) => isSamePair(one, { ...model, dataset: name }))
    const group = groups.find((one) => one.name === name)
    // A group that contains itself has no value.
    if (result) return { ...result, scored: result.rows - result.failed - (result.answers.noGold ?? 0) }
    const part = group && !within.includes(name) ? groupOf(group, model, within) : undefined
    return part && { ...part, direction: part.direction ?? 'higher', scored: part.scored ?? 0 }
  }
}

/** Datasets are independent, so the squares of their half intervals add up. */
function combined(parts: readonly (Part & { share: number })[], value: number): Pick<GroupResult, 'interval'> {
  if (parts.some(({ interval }) => !interval)) return {}
  const half = (side: 'low' | 'high') =>
    Math.sqrt(parts.reduce((sum, part) => sum + (part.share * (part.interval![side] - part.value!)) ** 2, 0))
  return { interval: { low: value - half('low'), high: value + half('high'), method: 'combined' } }
}
