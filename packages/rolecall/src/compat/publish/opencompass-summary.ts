import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { metricsOf, type PublishedRun } from './published-run.ts'

/** The table of OpenCompass's summaries: a line for each dataset and metric and for each group, a column for each model. */
export function openCompassTable({ pairs, groups = [], shown }: PublishedRun): string[][] {
  const models = [...new Set(pairs.map(({ result }) => modelText(result)))]
  const cellsOf = (scoreOf: (model: string) => number | undefined) => models.map((model) => scoreOf(model)?.toFixed(2) ?? '-')
  const linesOfDataset = (name: string) => {
    const ofDataset = pairs.filter(({ result }) => result.dataset === name)
    const { version = '-', mode = '-' } = ofDataset[0]?.dataset ?? {}
    const metrics = [...new Set(ofDataset.flatMap(({ result }) => metricsOf(result).map(({ metric }) => metric)))]
    return metrics.map((metric) => {
      const resultOf = (model: string) => ofDataset.find(({ result }) => modelText(result) === model)?.result
      const scoreOf = (model: string) => {
        const result = resultOf(model)
        return result && metricsOf(result).find((one) => one.metric === metric)?.value
      }
      return [name, version, metric, mode, ...cellsOf(scoreOf)]
    })
  }
  const lineOfGroup = (name: string) => {
    const own = groups.filter(({ group }) => group === name)
    const { datasets = [], weightedBy = 'datasets' } = own[0] ?? {}
    const [mode = 'mixed', ...others] = new Set(
      pairs.flatMap(({ result, dataset }) => (datasets.includes(result.dataset) ? [dataset.mode] : [])),
    )
    const metric = weightedBy === 'datasets' ? 'naive_average' : 'weighted_average'
    const scoreOf = (model: string) => own.find((one) => modelText(one) === model)?.value
    return [name, '-', metric, others.length === 0 ? mode : 'mixed', ...cellsOf(scoreOf)]
  }
  const lines = new Map<string, string[][]>()
  for (const { result } of pairs) if (!lines.has(result.dataset)) lines.set(result.dataset, linesOfDataset(result.dataset))
  for (const { group } of groups) if (!lines.has(group)) lines.set(group, [lineOfGroup(group)])
  const listed = shown?.flatMap((name) => lines.get(name)?.slice(0, 1) ?? [])
  return [['dataset', 'version', 'metric', 'mode', ...models], ...(listed ?? [...lines.values()].flat())]
}

/** `summary_*.csv`. */
export function openCompassSummary(run: PublishedRun): string {
  return openCompassTable(run)
    .map((cells) => `${cells.map(cellOf).join(',')}\n`)
    .join('')
}

/** `summary_*.md`. */
export function openCompassMarkdown(run: PublishedRun): string {
  const [heads = [], ...lines] = openCompassTable(run)
  const rows = [heads, heads.map(() => '-----'), ...lines]
  return rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('')
}

function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
