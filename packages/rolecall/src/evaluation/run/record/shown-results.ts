import type { RunSummary } from './run-record.ts'

/** The results and groups that tables show: those that `summarizer.dataset_abbrs` lists, in its order; all if it lists none of them. */
export function shownResults(summary: RunSummary): RunSummary {
  const { shown, results, groups = [] } = summary
  const place = (name: string) => shown!.indexOf(name)
  if (!shown || ![...results.map(({ dataset }) => dataset), ...groups.map(({ group }) => group)].some((name) => place(name) >= 0))
    return summary
  const listed = results.filter(({ dataset }) => place(dataset) >= 0).sort((one, other) => place(one.dataset) - place(other.dataset))
  const listedGroups = groups.filter(({ group }) => place(group) >= 0).sort((one, other) => place(one.group) - place(other.group))
  const hidden = new Set(results.filter((one) => !listed.includes(one)).map(({ dataset }) => dataset))
  return {
    ...summary,
    results: listed,
    groups: listedGroups,
    groupNotes: [
      ...(summary.groupNotes ?? []),
      ...(hidden.size > 0
        ? [`${hidden.size} datasets that summarizer.dataset_abbrs does not list are in summary/summary.csv and .json`]
        : []),
    ],
  }
}
