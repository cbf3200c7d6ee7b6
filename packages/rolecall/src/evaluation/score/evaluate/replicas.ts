import { dictGet, type PyDict, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { evaluateAnswers } from './evaluate-answers.ts'
import type { Evaluator, Figures } from './evaluator.ts'
import { gPassAtK, mgPassAtK } from './pass-at-k.ts'

export type ReplicaDetail = { example_abbr: string } & Record<string, PyValue>

const shares = [0, 0.25, 0.5, 0.75, 1]

/** Evaluates a dataset that was repeated n times: the mean of the runs, and G-Pass@k for every row. */
export function evaluateReplicas(given: {
  evaluator: Evaluator<unknown>
  k: number | readonly number[]
  n: number
  /** Rows with their `subdivision` and `idx`, repeated n times. */
  dataset: readonly PyDict[]
  predictions: readonly PyValue[]
  references: readonly PyValue[]
}): { figures: Figures; details: ReplicaDetail[] } {
  const { evaluator, n, dataset } = given
  const judged = evaluateAnswers(evaluator, given.predictions, given.references, dataset)
  const size = Math.floor(dataset.length / n)
  const runs = Array.from({ length: n }, (_, run) => {
    const part = <Item>(items: readonly Item[]) => items.slice(run * size, (run + 1) * size)
    return evaluateAnswers(evaluator, part(given.predictions), part(given.references), part(dataset)).figures
  })
  const averages = Object.keys(runs[0]!).map((key) => {
    const mean = runs.reduce((sum, figures) => sum + figures[key]!, 0) / n
    return [n > 1 ? `${key} (${n} runs average)` : key, mean] as const
  })
  const ks = typeof given.k === 'number' ? [given.k] : given.k
  const groups = groupBy(
    dataset.keys(),
    (index) => `${pyStr(dictGet(dataset[index]!, 'subdivision'))}_${pyStr(dictGet(dataset[index]!, 'idx'))}`,
  )
  const details = [...groups].map(([example, places]): ReplicaDetail => {
    const correct = places.filter((place) => judged.scores[place]! === 1).length
    const columns = Object.keys(judged.details[places[0]!]!).map((key) => [key, places.map((place) => judged.details[place]![key] ?? null)])
    return { example_abbr: example, ...passFigures(n, correct, ks), ...Object.fromEntries(columns) }
  })
  return { figures: { ...Object.fromEntries(averages), ...meansOf(details) }, details }
}

export function passFigures(n: number, c: number, ks: readonly number[]): Figures {
  if (n <= 1 || Math.max(...ks) <= 1) return {}
  const figures: Figures = {}
  for (const k of ks) {
    for (const t of shares) figures[`G-Pass@${k}_${t.toFixed((t * 4) % 2 === 1 ? 2 : 1)}`] = gPassAtK({ n, c, k, t })
    figures[`mG-Pass@${k}`] = mgPassAtK({ n, c, k })
  }
  return figures
}

/** The means over all rows, and over each subdivision, whose name ends at the first underscore as in the reference. */
function meansOf(details: readonly ReplicaDetail[]): Figures {
  const metrics = Object.keys(details[0]!).filter((key) => key.includes('G-Pass@'))
  const groups = groupBy(details, ({ example_abbr: name }) => name.split('_')[0]!)
  const mean = (rows: readonly ReplicaDetail[], metric: string) =>
    (100 * rows.reduce((sum, row) => sum + (row[metric] as number), 0)) / rows.length
  return Object.fromEntries([
    ...[...groups.keys()].sort().flatMap((group) => metrics.map((metric) => [`${group}/${metric}`, mean(groups.get(group)!, metric)])),
    ...metrics.map((metric) => [metric, mean(details, metric)]),
  ])
}

/** Groups items by key, in order of first occurrence. (`Map.groupBy` is not in Node 20.) */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
