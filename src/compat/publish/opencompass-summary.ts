import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { metricsOf, type PublishedRun } from './published-run.ts'

/** OpenCompass's `summary_*.csv`: a line for each dataset and metric, a column for each model. */
export function openCompassSummary({ pairs }: PublishedRun): string {
  const models = [...new Set(pairs.map(({ result }) => modelText(result)))]
  const datasets = [...new Set(pairs.map(({ result }) => result.dataset))]
  const lines = datasets.flatMap((name) => {
    const ofDataset = pairs.filter(({ result }) => result.dataset === name)
    const { version = '-', mode } = ofDataset[0]!.dataset
    const metrics = [...new Set(ofDataset.flatMap(({ result }) => metricsOf(result).map(({ metric }) => metric)))]
    return metrics.map((metric) => {
      const values = models.map((model) => {
        const pair = ofDataset.find(({ result }) => modelText(result) === model)
        const value = pair && metricsOf(pair.result).find((one) => one.metric === metric)?.value
        return value === undefined ? '-' : value.toFixed(2)
      })
      return [name, version, metric, mode, ...values]
    })
  })
  return [['dataset', 'version', 'metric', 'mode', ...models], ...lines].map((cells) => `${cells.map(cellOf).join(',')}\n`).join('')
}

function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
