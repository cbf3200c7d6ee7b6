import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RowColumns, ScoreColumn, Site } from '../../../../src/app/server/viewer/viewer-data.ts'
import type { MainMetric } from '../../../../src/evaluation/run/record/main-metric.ts'
import { findRows, loadColumns, loadRecordList } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import type { Route } from '../../route.ts'
import { useScores } from '../use-run.ts'
import { chooseRows, countShows, type Order, type RowFilter, type Show, type Sort, shows, sorts, tableOf } from './choose-rows.ts'

/** The filters and order in the address. */
export function choiceOf({ show: linked, note, column, value, sort, descending }: Route['query']): { filter: RowFilter; order: Order } {
  const show = renamed.get(linked ?? '') ?? linked
  return {
    filter: {
      show: isShow(show) ? show : 'all',
      note,
      column: column !== undefined && value !== undefined ? { name: column, value } : undefined,
    },
    order: {
      by: (sorts as readonly (string | undefined)[]).includes(sort) ? (sort as Sort) : 'number',
      isDescending: descending !== undefined,
    },
  }
}

/** The names of filters in links of earlier versions. */
const renamed: ReadonlyMap<string, Show> = new Map([['error', 'failed']])

function isShow(name: string | undefined): name is Show {
  return (shows as readonly (string | undefined)[]).includes(name)
}

/** Filter values in the address that do not exist; columns are known once loaded. */
export function unknownIn({ show, sort, column, value }: Route['query'], columns: RowColumns | undefined) {
  const unless = (known: readonly string[], name: string | undefined) => (name === undefined || known.includes(name) ? undefined : name)
  const values = columns?.columns.find(({ name }) => name === column)?.values
  const isKnown = column === undefined || columns === undefined || (value !== undefined && values?.includes(value) === true)
  return {
    show: unless([...shows, ...renamed.keys()], show),
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
  rows?: number,
) {
  const [run, pair] = at
  const { column, error } = useScores(run, pair, rows)
  // Visible rows and scores are requested first; sorting and filtering need all rows to be read.
  const first = useLoad(() => loadRecordList(run, pair, 0), [run, pair])
  const { columns, error: columnsError } = useColumns(run, pair, first.isLoading ? undefined : column)
  const { text, pattern } = query
  const found = useLoad(
    async (signal) =>
      text !== undefined && column
        ? await findRows(site, at, { text, isPattern: pattern !== undefined }, column.ids.length, signal)
        : undefined,
    [text, pattern, column],
  )
  const table = useMemo(() => column && tableOf(column, figure), [column, figure?.kind, figure?.direction])
  const { filter, order } = choiceOf(query)
  const unknown = unknownIn(query, columns)
  if (unknown.column !== undefined) filter.column = undefined
  const searched = useMemo(() => (text === undefined ? undefined : new Set(found.value?.places)), [text, found.value])
  const on = [table, columns, filter.show, filter.note, filter.column?.name, filter.column?.value, searched]
  const whole = { ...filter, found: searched }
  const places = useMemo(() => (table ? chooseRows(table, columns, whole, order) : []), [...on, order.by, order.isDescending])
  const counts = useMemo(() => (table ? countShows(table, columns, whole) : []), on)
  return {
    column,
    columns,
    first: first.value,
    table,
    places,
    counts,
    filter,
    order,
    unknown,
    error: error ?? found.error ?? (needsColumns(filter, order) ? columnsError : undefined),
    /** What a search could not look at. */
    lacks: text === undefined ? undefined : found.value?.lacks,
    isSearching: found.isLoading && text !== undefined,
    /** Nothing can be counted yet. */
    isLoading: column === undefined || (columns === undefined && columnsError === undefined && needsColumns(filter, order)),
  }
}

/** Whether rows are chosen or sorted by values that are loaded after the first rows. */
function needsColumns({ show, note, column }: RowFilter, { by }: Order): boolean {
  return show === 'limit' || show === 'noted' || note !== undefined || column !== undefined || by === 'tokens' || by === 'time'
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
        (columns) => setShown({ columns }),
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
