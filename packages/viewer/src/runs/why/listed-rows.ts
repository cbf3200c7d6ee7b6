import type { WhyView } from 'rolecall/internal/server/viewer/viewer-data'
import type { WhyCause } from 'rolecall/internal/workbench/why/cause-ledger'
import { betterAndWorse, type CauseRow, rowsOfCause, type WhyChange } from 'rolecall/internal/workbench/why/cause-rows'
import type { WhyReport } from 'rolecall/internal/workbench/why/explain'

/** A row of a list: its number, its places in the records of both runs, as far as they have it, and the filters that show it. */
export type ListedRow = {
  id: number
  places: readonly [first: number | undefined, second: number | undefined]
  change: WhyChange | 'same'
  kinds: readonly string[]
}

/** Lists that are not the rows of a cause. */
export const listKeys = ['matched', 'only-first', 'only-second', 'ambiguous', 'same-prompt', 'same-answer'] as const

/** The name of a cause in links. */
export function causeKey({ step, cause }: Pick<WhyCause, 'step' | 'cause'>): string {
  return `${step}: ${cause}`
}

/** The filter for rows with such a reply. */
export function tagKind(tag: string): string {
  return `tag ${tag}`
}

/** The rows of a list in a link; undefined if there is no such list. */
export function listedRows(view: WhyView, key: string): ListedRow[] | undefined {
  const { causes, join, samePromptOtherAnswer, sameAnswerOtherVerdict } = view.report
  const places = view.ids.map((ids) => new Map(ids.map((id, place) => [id, place]))) as [Map<number, number>, Map<number, number>]
  const listed = (row: Omit<CauseRow, 'change'> & { change: ListedRow['change'] }, kinds: readonly string[] = [row.change]): ListedRow => ({
    id: row.first ?? row.second!,
    places: [places[0].get(row.first ?? Number.NaN), places[1].get(row.second ?? Number.NaN)],
    change: row.change,
    kinds,
  })
  const cause = causes.find((one) => causeKey(one) === key)
  if (cause) {
    const lists = kindsOf(cause, view.report).map(([kind, ids]) => [kind, new Set(ids)] as const)
    return rowsOfCause(cause, view.report).map((row) => {
      if (row.first === undefined) return listed(row)
      return listed(
        row,
        lists.flatMap(([kind, ids]) => (ids.has(row.first!) ? [kind] : [])),
      )
    })
  }
  const alone = new Set(join.onlyFirst)
  const lists: Record<(typeof listKeys)[number], () => readonly number[]> = {
    matched: () => view.ids[0].filter((id) => !alone.has(id)),
    'only-first': () => join.onlyFirst,
    'only-second': () => join.onlySecond,
    ambiguous: () => join.ambiguous,
    'same-prompt': () => samePromptOtherAnswer,
    'same-answer': () => sameAnswerOtherVerdict,
  }
  const name = listKeys.find((one) => one === key)
  if (name === undefined) return undefined
  const ids = lists[name]()
  if (name === 'only-first') return ids.map((first) => listed({ first, change: 'one side only' }))
  if (name === 'only-second') return ids.map((second) => listed({ second, change: 'one side only' }))
  const changes = changesOf(view.report)
  return ids.map((first) => listed({ first, second: join.renumbered[first] ?? first, change: changes.get(first) ?? 'same' }))
}

/** How each row changed, over all causes. */
function changesOf(report: WhyReport): Map<number, WhyChange> {
  const { causes } = report
  const found = new Map<number, WhyChange>()
  for (const { changed } of causes) for (const id of changed) found.set(id, 'other reply')
  for (const { unmatched } of causes) for (const id of unmatched) found.set(id, 'one side only')
  const moved = causes.map((cause) => betterAndWorse(cause, report))
  for (const { better } of moved) for (const id of better) found.set(id, 'better')
  // Reply and scoring may move a row in opposite directions.
  for (const { worse } of moved) for (const id of worse) found.set(id, found.get(id) === 'better' ? 'other reply' : 'worse')
  return found
}

/** The filters of a cause with their rows, by numbers in the first run. */
function kindsOf(cause: WhyCause, report: WhyReport): [kind: string, ids: readonly number[]][] {
  const { changed, unmatched, replies } = cause
  const { better, worse } = betterAndWorse(cause, report)
  const changes: [WhyChange, readonly number[]][] = [
    ['better', better],
    ['worse', worse],
    ['other reply', changed],
    ['one side only', unmatched],
  ]
  return [...changes, ...Object.entries(replies).map(([tag, ids]): [string, number[]] => [tagKind(tag), ids])]
}
