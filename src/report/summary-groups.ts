import { z } from 'zod'
import { PromptError } from '../prompt-error.ts'
import type { GroupResult, PairResult } from './run-record.ts'

export const summaryGroupSchema = z
  .strictObject({
    name: z.string().describe('What the group is called.'),
    subsets: z.array(z.string()).min(1).describe('The datasets of the group, by their abbr.'),
    weights: z
      .record(z.string(), z.number().nonnegative())
      .optional()
      .describe('How much each dataset counts, by its abbr; all the same by default.'),
  })
  .describe('Several datasets as one figure: the mean, or a weighted one.')

export type SummaryGroup = z.input<typeof summaryGroupSchema>

/** The figures of groups, for each model that was run on all of their datasets. */
export function groupResults(groups: readonly SummaryGroup[], results: readonly PairResult[]): GroupResult[] {
  const known = new Set(results.map(({ dataset }) => dataset))
  return groups.flatMap(({ name, subsets, weights }) => {
    const missing = subsets.filter((dataset) => !known.has(dataset))
    if (missing.length === subsets.length) return []
    return [...new Set(results.map(({ model }) => model))].flatMap((model) => {
      const parts = subsets.flatMap((dataset) => results.find((result) => result.model === model && result.dataset === dataset) ?? [])
      if (parts.length < subsets.length || parts.some(({ value }) => value === undefined)) return []
      const weightOf = (dataset: string) => (weights ? (weights[dataset] ?? 0) : 1)
      const all = subsets.reduce((sum, dataset) => sum + weightOf(dataset), 0)
      if (all === 0) {
        throw new PromptError('no-weights', {
          where: `summarizer.summary_groups › ${name}.weights`,
          problem: 'none of the datasets counts',
          fix: 'give each of the subsets a weight, by its abbr',
        })
      }
      const shares = parts.map((part) => ({ ...part, share: weightOf(part.dataset) / all }))
      const value = shares.reduce((sum, part) => sum + part.share * part.value!, 0)
      return [{ model, group: name, value, ...combined(shares, value), datasets: subsets }]
    })
  })
}

/** Datasets are independent of each other, so that the squares of their half intervals add up. */
function combined(parts: readonly (PairResult & { share: number })[], value: number): Pick<GroupResult, 'interval'> {
  if (parts.some(({ interval }) => !interval)) return {}
  const half = (side: 'low' | 'high') =>
    Math.sqrt(parts.reduce((sum, part) => sum + (part.share * (part.interval![side] - part.value!)) ** 2, 0))
  return { interval: { low: value - half('low'), high: value + half('high'), method: 'combined' } }
}
