import { PromptError } from '@rolecall/core/internal/errors'
import type { Axes } from '../../config/axes.ts'
import { type Direction, gain } from '../../score/evaluate/metric.ts'
import { type ModelName, modelText } from './pair-name.ts'
import type { RunSummary } from './run-record.ts'
import { showWithUnit } from './show-metric.ts'

/** The worst acceptable value: `accuracy=0.8`, for one dataset `gsm8k:accuracy=80%`, or for a group `mmlu=0.6`. */
export type MetricCheck = { text: string; name: string; value: number; isPercent: boolean }

/** The result of a check. */
export type CheckedMetric = ModelName & {
  /** The check as given. */
  check: string
  /** The dataset or the group. */
  dataset: string
  metric: string
  unit: string
  direction: Direction
  /** Undefined if the pair has no value: the check fails then. */
  value?: number
  /** In the metric's unit. */
  worst: number
  passed: boolean
}

/** Parses `NAME=NUMBER` or `NAME=NUMBER%`. */
export function readMetricCheck(text: string): MetricCheck {
  const found = /^(.+)=\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*(%?)$/i.exec(text.trim())
  if (!found) throw wrong(text, 'this is not a name and a number', 'write e.g. accuracy=0.8, gsm8k:accuracy=80% or average_ppl=2.5')
  return { text, name: found[1]!.trim(), value: Number(found[2]), isPercent: found[3] === '%' }
}

/** A metric that the run will have, and the names a check can use for it. */
type Known = { dataset: string; metric: string; unit: string; axes?: Axes | undefined }

/** Refuses checks that no metric will match, before anything is sent. */
export function refuseUnknownChecks(checks: readonly MetricCheck[], figures: readonly Known[], groups: readonly string[]): void {
  for (const check of checks) {
    const meant = figures.filter((figure) => isMeant(check, figure))
    if (meant.length === 0 && !groups.includes(check.name)) {
      const names = [...new Set([...figures.map(({ metric }) => metric), ...groups])]
      throw wrong(
        check.text,
        `there is no metric "${check.name}"`,
        `write one of: ${names.join(', ')}; or DATASET:METRIC, or PLACE:METRIC with the name of a prompt or model`,
      )
    }
    for (const { unit } of meant) worstOf(check, unit)
  }
}

/** Every metric that a check matches, and whether it passed. */
export function checkMetrics(
  checks: readonly MetricCheck[],
  { results, groups = [] }: Pick<RunSummary, 'results' | 'groups'>,
): CheckedMetric[] {
  const figures = [
    ...results.flatMap((result) =>
      result.baseline ? [] : [{ ...result, value: result.value }, ...(result.beside ?? []).map((figure) => ({ ...result, ...figure }))],
    ),
    ...groups.map((group) => ({ ...group, dataset: group.group, metric: group.group, direction: group.direction ?? ('higher' as const) })),
  ]
  return checks.flatMap((check) =>
    figures
      .filter((figure) => isMeant(check, figure))
      .map(({ model, format, dataset, metric, unit, direction, value }): CheckedMetric => {
        const worst = worstOf(check, unit)
        const passed = value !== undefined && gain(worst, value, direction) >= 0
        return {
          model,
          format,
          check: check.text,
          dataset,
          metric,
          unit,
          direction,
          value,
          worst,
          passed,
        }
      }),
  )
}

/** `tiny on sums: accuracy 66.7 % is worse than 80.0 %`. */
export function checkText({ value, worst, unit, direction, passed, metric, dataset, ...name }: CheckedMetric): string {
  const than = `${passed ? 'is not worse than' : 'is worse than'} ${showWithUnit({ value: worst, unit })}`
  const lower = direction === 'lower' ? ' (lower is better)' : ''
  const figure =
    value === undefined ? `there is no ${metric}, where` : `${metric === dataset ? '' : `${metric} `}${showWithUnit({ value, unit })}`
  return value === undefined
    ? `${modelText(name)} on ${dataset}: ${figure} ${showWithUnit({ value: worst, unit })} is required`
    : `${modelText(name)} on ${dataset}: ${figure} ${than}${lower}`
}

/** `careful:accuracy` is the accuracy of every result at this place of an axis. */
function isMeant({ name }: MetricCheck, { dataset, metric, axes = {} }: Pick<Known, 'dataset' | 'metric' | 'axes'>): boolean {
  return name === metric || [dataset, ...Object.values(axes)].some((place) => name === `${place}:${metric}`)
}

/** In the metric's unit: fractions may also be given in percent. */
function worstOf({ text, value, isPercent }: MetricCheck, unit: string): number {
  if (unit !== 'percent') {
    if (!isPercent) return value
    throw wrong(text, `the metric is in ${unit || 'another unit'}, not in per cent`, 'leave out the %')
  }
  if (isPercent) return value
  if (value >= -1 && value <= 1) return 100 * value
  throw wrong(text, `${value} is not a share`, `write a share from 0 to 1, or ${value}%`)
}

function wrong(text: string, problem: string, fix: string): PromptError {
  return new PromptError('wrong-check', { where: `--fail-under ${text}`, problem, fix })
}
