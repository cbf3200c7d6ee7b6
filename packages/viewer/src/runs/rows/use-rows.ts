import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { MainMetric } from 'rolecall/internal/evaluation/run/record/main-metric'
import { chooseRows, countChoices, countShows, tableOf, withKnownColumn } from 'rolecall/internal/server/viewer/rows/choose-rows'
import {
  filterOf,
  measures,
  type Order,
  type RowFilter,
  readRange,
  renamedShows,
  shows,
  sorts,
} from 'rolecall/internal/server/viewer/rows/row-filter'
import type { RowColumns, ScoreColumn, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { findRows, loadColumns, loadRecordList } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import type { Route } from '../../route.ts'
import { useAnnotations } from '../review/use-annotations.ts'
import { useScores } from '../use-run.ts'

/** Filter values in the address that do not exist; columns are known once loaded. */
export function unknownIn(query: Route['query'], columns: RowColumns | undefined) {
  const { show, sort, column, value } = query
  const unless = (known: readonly string[], name: string | undefined) => (name === undefined || known.includes(name) ? undefined : name)
  const values = columns?.columns.find(({ name }) => name === column)?.values
  const isKnown = column === undefined || columns === undefined || (value !== undefined && values?.includes(value) === true)
  return {
    show: unless([...shows, ...renamedShows.keys()], show) ?? measures.find((one) => query[one] !== undefined && !readRange(query[one])),
    sort: unless(sorts, sort),
    column: isKnown ? undefined : [column, value].filter(Boolean).join(': '),
  }
}

/** The rows of a pair: which are shown, in which order, and the counts per kind. */
export function useRows(
  site: Site,
  at: readonly [run: number, pair: number],
  query: Route['query'],
  figure: MainMetric | undefined,
  stamp?: string,
) {
  const [run, pair] = at
  const scores = useScores(run, pair, stamp)
  // Visible rows and scores are requested first; sorting and filtering need all rows to be read.
  const first = useLoad((signal) => loadRecordList(run, pair, 0, signal), [run, pair])
  const column = first.isLoading ? undefined : scores.column
  const { columns, error: columnsError } = useColumns(run, pair, column)
  const { text, pattern } = query
  const found = useLoad(
    async (signal) =>
      text !== undefined && column
        ? await findRows(site, at, { text, isPattern: pattern !== undefined }, column.ids.length, signal)
        : undefined,
    [text, pattern, column],
  )
  const annotations = useAnnotations(site, run, pair)
  const annotated = annotations.all?.rows
  const table = useMemo(() => column && tableOf(column, figure, annotated), [column, figure?.kind, figure?.direction, annotated])
  const { filter: linked, order } = filterOf(query)
  const filter = withKnownColumn(linked, columns)
  const unknown = unknownIn(query, columns)
  const searched = useMemo(() => (text === undefined ? undefined : new Set(found.value?.places)), [text, found.value])
  const on = [table, columns, JSON.stringify(filter), searched]
  const whole = { ...filter, found: searched }
  const places = useMemo(() => (table ? chooseRows(table, columns, whole, order) : []), [...on, order.by, order.isDescending])
  const counts = useMemo(() => (table ? countShows(table, columns, whole) : []), on)
  const choices = useMemo(() => (table && columns ? countChoices(table, columns, whole) : undefined), on)
  return {
    column,
    columns,
    first: first.value,
    annotations,
    places,
    counts,
    choices,
    filter,
    order,
    unknown,
    error: scores.error ?? found.error ?? (needsColumns(filter, order) ? columnsError : undefined),
    /** What a search could not look at. */
    lacks: text === undefined ? undefined : found.value?.lacks,
    isSearching: found.isLoading && text !== undefined,
    /** Nothing can be counted yet. */
    isLoading:
      column === undefined ||
      (needsAnnotations(filter) && annotations.all === undefined && annotations.error === undefined) ||
      (columns === undefined && columnsError === undefined && needsColumns(filter, order)),
  }
}

/** Whether rows are chosen or sorted by values that are loaded after the first rows. */
function needsColumns({ show, note, reason, column, ranges = {} }: RowFilter, { by }: Order): boolean {
  const isFiltered = [note, reason, column, ranges.tokens, ranges.time].some((one) => one !== undefined)
  return isFiltered || ['limit', 'cached', 'noted'].includes(show) || by === 'tokens' || by === 'time'
}

/** Whether rows are chosen by what reviewers noted. */
function needsAnnotations({ show, tag }: RowFilter): boolean {
  return tag !== undefined || ['reviewed', 'overrated', 'underrated', 'starred', 'annotated'].includes(show)
}

/** Reloads the columns from time to time while rows are added. */
const readAgainAfter = 5000

function useColumns(run: number, pair: number, column: ScoreColumn | undefined): { columns?: RowColumns; error?: Error } {
  const [shown, setShown] = useState<{ columns?: RowColumns; error?: Error }>({})
  const last = useRef(0)
  useEffect(() => {
    if (!column) return
    const abort = new AbortController()
    const wait = Math.max(0, last.current + readAgainAfter - Date.now())
    const timer = setTimeout(() => {
      last.current = Date.now()
      loadColumns(run, pair, abort.signal).then(
        (columns) => abort.signal.aborted || setShown({ columns }),
        (error: Error) => abort.signal.aborted || setShown(({ columns }) => (columns ? { columns } : { error })),
      )
    }, wait)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [run, pair, column])
  return shown
}
