import { PromptError } from '@rolecall/core/internal/errors'
import { distinctModels, modelText } from '../../evaluation/run/record/pair-name.ts'
import type { GroupResult } from '../../evaluation/run/record/run-record.ts'
import { explainGroup, type GroupMember, type GroupReport, type GroupSide } from '../../workbench/why/explain-group.ts'
import { matchDatasets } from '../../workbench/why/match-datasets.ts'
import { type ExplainOptions, explainSides } from './explain-runs.ts'
import { openRunOrResults } from './foreign/open-run-or-results.ts'
import type { RunReader } from './run-reader.ts'
import { type NamedSide, openWhySide, shownName } from './why-side.ts'

/** The datasets to explain together: a group that a run reports, by name. */
export type ExplainGroupOptions = Omit<ExplainOptions, 'dataset'> & {
  group?: string | undefined
  /** The model of the second run, if it is another. */
  secondModel?: string | undefined
}

/** Whether both runs have several datasets, which are explained together unless one is chosen. */
export async function haveGroups(first: string, second: string, { model, dataset }: ExplainOptions): Promise<boolean> {
  if (dataset !== undefined) return false
  const counts = await Promise.all([first, second].map(async (name) => datasetsOf(await openRunOrResults(name), model).length))
  return counts.every((count) => count > 1)
}

/** Explains why two groups of datasets differ: each dataset row by row, then their weights. The parts add up to the difference. */
export async function explainGroups(first: string, second: string, options: ExplainGroupOptions): Promise<GroupReport> {
  const { group, metric, secondMetric = metric, model, secondModel = model } = options
  const runs = [await openRunOrResults(first), await openRunOrResults(second)] as const
  const one = openGroups(runs[0], first, runs[0].choice.model ?? model)
  const other = openGroups(runs[1], second, runs[1].choice.model ?? secondModel)
  const [left, right] = chooseGroups(one, other, group)
  const members: GroupMember[] = []
  const scores = [new Map<string, { score: number; rows: number }>(), new Map<string, { score: number; rows: number }>()] as const
  const metrics = ['', '']
  const notes = new Set<string>()
  for (const [own, theirs] of matchDatasets(left.datasets, right.datasets)) {
    const explained = await explainSides(
      { folder: one.run.folder, name: one.name, model: one.model, dataset: own, metric },
      { folder: other.run.folder, name: other.name, model: other.model, dataset: theirs, metric: secondMetric },
    ).catch(noCommonRows)
    if (!explained) {
      notes.add(`${own}: no row of it is in both runs, so that it counts as a dataset of each run alone`)
      continue
    }
    const { report } = explained
    explained.close()
    const values = [report.first, report.second].map(({ score, scored }) => (score === undefined ? undefined : { score, rows: scored }))
    if (!values[0] || !values[1]) continue
    scores[0].set(own, values[0])
    scores[1].set(theirs, values[1])
    metrics[0] ||= report.first.metric
    metrics[1] ||= report.second.metric
    members.push({ first: own, second: theirs, report })
    for (const note of report.notes) notes.add(note)
  }
  if (members.length === 0)
    throw new PromptError('no-common-rows', {
      where: `${first}, ${second}`,
      problem: `they have no dataset with common rows: ${left.datasets.join(', ')}; ${right.datasets.join(', ')}`,
      fix: 'choose one of each run: FOLDER#NAME',
    })
  const side = async (opened: OpenedGroups, chosen: ChosenGroup, index: 0 | 1): Promise<GroupSide> => {
    const found = scores[index]
    for (const dataset of chosen.datasets) {
      if (found.has(dataset) || !opened.datasets.includes(dataset)) continue
      const score = await scoreOf({
        folder: opened.run.folder,
        name: opened.name,
        model: opened.model,
        dataset,
        metric: index === 0 ? metric : secondMetric,
      })
      if (score) found.set(dataset, score)
    }
    const missing = chosen.datasets.filter((dataset) => !found.has(dataset))
    if (missing.length > 0) notes.add(`${shownName(opened.name)} has no scores of ${missing.join(', ')}`)
    const reported = missing.length === 0 ? chosen.reported?.[metrics[index]!] : undefined
    return { name: shownName(opened.name), model: opened.model, group: chosen.name, datasets: found, reported }
  }
  const report = explainGroup(await side(one, left, 0), await side(other, right, 1), members)
  return { ...report, notes: [...report.notes, ...notes] }
}

/** The other datasets of a group are explained even if one has no common rows. */
function noCommonRows(error: unknown): undefined {
  if (!(error instanceof PromptError && error.code === 'no-common-rows')) throw error
}

/** The score of a dataset that only one run has. */
async function scoreOf(named: NamedSide): Promise<{ score: number; rows: number } | undefined> {
  const { side, close } = await openWhySide(named)
  try {
    let [sum, rows] = [0, 0]
    for (let place = 0; place < side.count; place++) {
      const { score } = side.row(place)
      if (score === undefined) continue
      sum += score
      rows++
    }
    return rows === 0 ? undefined : { score: sum / rows, rows }
  } finally {
    close()
  }
}

type ChosenGroup = { name: string; datasets: readonly string[]; reported?: Readonly<Record<string, number>> }
type OpenedGroups = { run: RunReader; name: string; model: string; datasets: string[]; groups: ChosenGroup[] }

function datasetsOf(run: RunReader, model: string | undefined): string[] {
  return [...new Set(run.select({ model }).map(({ dataset }) => dataset))]
}

function openGroups(run: RunReader, name: string, wanted: string | undefined): OpenedGroups {
  const [model, ...others] = distinctModels(run.select({ model: wanted })).map(modelText)
  if (model === undefined || others.length > 0)
    throw new PromptError('several-models', {
      where: name,
      problem: model === undefined ? `it has no model "${wanted}"` : `it has ${others.length + 1} models, and one is explained at a time`,
      fix: `choose with --model: ${distinctModels(run.pairs).map(modelText).join(', ')}`,
    })
  const datasets = datasetsOf(run, model)
  const groups = (run.foreign?.groups ?? ownGroups(run)).filter(
    (group) => (group.model === undefined || group.model === model) && group.datasets.some((dataset) => datasets.includes(dataset)),
  )
  return { run, name, model, datasets, groups }
}

/** The groups of an own run's summary; datasets of groups within them are theirs. */
function ownGroups(run: RunReader): (ChosenGroup & { model?: string })[] {
  const groups = run.summary()?.groups ?? []
  const metrics = run.pairs.flatMap(({ figure }) => figure?.metric ?? [])
  const datasetsIn = ({ datasets, model }: GroupResult, within: readonly string[] = []): string[] =>
    datasets.flatMap((name) => {
      const inner = within.includes(name) ? undefined : groups.find((one) => one.group === name && one.model === model)
      return inner ? datasetsIn(inner, [...within, name]) : [name]
    })
  return groups.map((group) => {
    const value = group.unit === 'percent' ? group.value / 100 : group.value
    return {
      name: group.group,
      model: modelText(group),
      datasets: [...new Set(datasetsIn(group))],
      reported: Object.fromEntries(metrics.map((metric) => [metric, value])),
    }
  })
}

/** The named group of each run, else the largest that one of them reports, else all datasets. */
function chooseGroups(first: OpenedGroups, second: OpenedGroups, wanted: string | undefined): [ChosenGroup, ChosenGroup] {
  const named = ({ groups }: OpenedGroups, name: string | undefined) => groups.find((group) => group.name === name)
  const largest = (runs: readonly OpenedGroups[]) =>
    runs.flatMap(({ groups }) => groups).sort((one, other) => other.datasets.length - one.datasets.length)[0]
  const inBoth = first.groups.filter(({ name }) => named(second, name))
  const name = wanted ?? (inBoth.length > 0 ? largest([{ ...first, groups: inBoth }]) : largest([first, second]))?.name
  const [one, other] = [named(first, name), named(second, name)]
  if (wanted !== undefined && !one && !other) {
    const known = [...new Set([...first.groups, ...second.groups].map((group) => group.name))]
    throw new PromptError('no-group', {
      where: '--group',
      problem: `neither run reports a group "${wanted}"`,
      fix: known.length > 0 ? `choose one of ${known.join(', ')}` : 'leave it out to explain all datasets together',
    })
  }
  const all = (run: OpenedGroups): ChosenGroup => ({ name: 'all datasets', datasets: run.datasets })
  // A run that does not report the group has its datasets under the same or similar names.
  const like = (run: OpenedGroups, group: ChosenGroup): ChosenGroup => {
    const matched = matchDatasets(group.datasets, run.datasets).map(([, own]) => own)
    return { name: group.name, datasets: matched.length > 0 ? matched : run.datasets }
  }
  return [one ?? (other ? like(first, other) : all(first)), other ?? (one ? like(second, one) : all(second))]
}
