/** The metrics of a task: `"metric,filter"` → value, `"metric_stderr,filter"` → value or "N/A", and `sample_len`. */
export type TaskMetricValues = Readonly<Record<string, number | string>>

/** The metrics of a group, and the number of documents behind each. */
export type GroupScores = { figures: Record<string, number | string>; counts: Record<string, number> }

/** How a group aggregates a metric of its tasks. */
export type GroupMetric = { metric: string; filters: readonly string[] | undefined; weightBySize: boolean }

/**
 * The metrics of a group: for each metric and filter the mean over the tasks that have it, weighted by size or not, and the standard error
 * of the pooled documents. Filters that are not named are taken from the tasks' metrics.
 */
export function groupScores(tasks: readonly TaskMetricValues[], metrics: readonly GroupMetric[] | undefined): GroupScores {
  const group: GroupScores = { figures: {}, counts: {} }
  if (metrics === undefined) return group
  group.figures.sample_len = sum(tasks.map(({ sample_len = 0 }) => Number(sample_len)))
  for (const { metric, filters, weightBySize } of metrics) {
    for (const filter of filters ?? filtersOf(tasks, metric)) {
      const key = `${metric},${filter}`
      const having = tasks.filter((task) => Object.hasOwn(task, key))
      if (having.length === 0) continue
      const sizes = having.map(({ sample_len = 0 }) => Number(sample_len))
      const values = having.map((task) => Number(task[key]))
      const errors = having.map((task) => task[`${metric}_stderr,${filter}`])
      group.figures[key] = weightBySize ? weightedMean(values, sizes) : sum(values) / values.length
      group.figures[`${metric}_stderr,${filter}`] = errors.every((error) => typeof error === 'number')
        ? errorOfMean(errors, sizes, weightBySize)
        : 'N/A'
      group.counts[key] = sum(sizes)
    }
  }
  return group
}

function filtersOf(tasks: readonly TaskMetricValues[], metric: string): string[] {
  const start = `${metric},`
  const found = tasks.flatMap((task) => Object.keys(task).filter((key) => key.startsWith(start) && !key.includes('_stderr')))
  return [...new Set(found.map((key) => key.slice(start.length)))].sort()
}

function weightedMean(values: readonly number[], sizes: readonly number[]): number {
  return sum(values.map((value, index) => value * sizes[index]!)) / sum(sizes)
}

/** The standard error of a group's mean: of the pooled documents, or of a plain mean of independent metrics. */
function errorOfMean(errors: readonly number[], sizes: readonly number[], weightBySize: boolean): number {
  if (!weightBySize) return Math.sqrt(sum(errors.map((error) => error ** 2))) / errors.length
  const all = sum(sizes)
  const squares = sum(errors.map((error, index) => (sizes[index]! - 1) * error ** 2 * sizes[index]!))
  return Math.sqrt(squares / (all - sizes.length)) / Math.sqrt(all)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
