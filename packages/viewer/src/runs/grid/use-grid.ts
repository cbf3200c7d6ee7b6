import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type CellRows, joinGrid, type MatchedRows, type RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import { tableOf } from 'rolecall/internal/server/viewer/rows/choose-rows'
import type { PairAnnotations, RowColumns, RunStatus, ScoreColumn } from 'rolecall/internal/server/viewer/viewer-data'
import { loadColumns, loadComparison, loadScores, loadState } from '../../data/runs.ts'
import { datasetsOf, type GridColumn } from './grid-columns.ts'

const lookAgainAfter = 1000
/** Columns are read from all rows: less often while rows are added. */
const readAgainAfter = 5000

/** The state of some runs, polled while one of them is running. */
export function useRunStates(runs: readonly number[]): { states: ReadonlyMap<number, RunStatus>; error?: Error } {
  const [shown, setShown] = useState<{ states: ReadonlyMap<number, RunStatus>; error?: Error }>({ states: new Map() })
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const states = await Promise.all(runs.map((run) => loadState(run, abort.signal)))
        setShown({ states: new Map(runs.map((run, index) => [run, states[index]!])) })
        if (states.some(({ isLive }) => isLive)) timer = setTimeout(look, lookAgainAfter)
      } catch (error) {
        if (abort.signal.aborted) return
        setShown(({ states }) => ({ states, error: error as Error }))
        timer = setTimeout(look, lookAgainAfter)
      }
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [runs.join()])
  return shown
}

/** A pair of a run, as a key. */
export function cellKey(run: number, pair: number): string {
  return `${run}.${pair}`
}

type Loaded = {
  scores: ReadonlyMap<string, ScoreColumn>
  columns: ReadonlyMap<string, RowColumns>
  matches: ReadonlyMap<string, MatchedRows>
  /** Rows that the first column does not have, by the letter of a column. */
  unmatched: ReadonlyMap<string, number>
  error?: Error
  columnsError?: Error
}

const nothing: Loaded = { scores: new Map(), columns: new Map(), matches: new Map(), unmatched: new Map() }

/** The rows of all columns: scores first, then what they are filtered by. Undefined until the scores of all are known. */
export function useGrid(
  columns: readonly GridColumn[],
  states: ReadonlyMap<number, RunStatus>,
  only: string | undefined,
  annotations: ReadonlyMap<string, PairAnnotations>,
  /** Columns need all rows to be read: the first rows come first. */
  mayLoadColumns: boolean,
) {
  const [loaded, setLoaded] = useState<Loaded>(nothing)
  const cells = useMemo(
    () =>
      datasetsOf(columns, only).flatMap((data) =>
        columns.flatMap(({ run, pairs }) => {
          const pair = pairs.get(data)
          return pair === undefined ? [] : [{ run, pair, key: cellKey(run, pair), status: states.get(run)?.pairs[pair] }]
        }),
      ),
    [columns, states, only],
  )
  const withRows = cells.filter(({ status }) => status === undefined || status.rows > 0 || status.result !== undefined)
  const stamps = withRows.map(({ key, status }) => `${key} ${status?.stamp ?? ''}`).join()
  const lastColumns = useRef(0)
  const fail = (abort: AbortController, part: 'error' | 'columnsError') => (error: Error) => {
    if (!abort.signal.aborted) setLoaded((before) => ({ ...before, [part]: error }))
  }
  const all = async <Value>(load: (run: number, pair: number) => Promise<Value>) =>
    new Map(await Promise.all(withRows.map(async ({ run, pair, key }) => [key, await load(run, pair)] as const)))
  useEffect(() => {
    if (states.size === 0) return
    const abort = new AbortController()
    all((run, pair) => loadScores(run, pair, abort.signal)).then(
      (scores) => abort.signal.aborted || setLoaded(({ error: _, ...before }) => ({ ...before, scores })),
      fail(abort, 'error'),
    )
    return () => abort.abort()
  }, [stamps, states.size === 0])
  useEffect(() => {
    if (!mayLoadColumns) return
    const abort = new AbortController()
    const wait = Math.max(0, lastColumns.current + readAgainAfter - Date.now())
    const timer = setTimeout(() => {
      lastColumns.current = Date.now()
      all((run, pair) => loadColumns(run, pair, abort.signal)).then(
        (found) => abort.signal.aborted || setLoaded(({ columnsError: _, ...before }) => ({ ...before, columns: found })),
        fail(abort, 'columnsError'),
      )
    }, wait)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [stamps, mayLoadColumns])
  const compared = comparedColumns(columns)
  useEffect(() => {
    const abort = new AbortController()
    for (const column of compared)
      loadComparison(columns[0]!.path, column.path, abort.signal).then(
        ({ pairs }) => {
          if (abort.signal.aborted) return
          const matched = pairs.map(
            ({ first, second, rows: { places, changes } }) => [`${first} ${cellKey(column.run, second)}`, { places, changes }] as const,
          )
          const missing = pairs.reduce((sum, { comparison }) => sum + comparison.onlyInSecond, 0)
          setLoaded((before) => ({
            ...before,
            matches: new Map([...before.matches, ...matched]),
            unmatched: new Map([...before.unmatched, [column.letter, missing]]),
          }))
        },
        // Columns of one run are joined by their row numbers.
        (error: Error) => column.run !== columns[0]!.run && !abort.signal.aborted && setLoaded((before) => ({ ...before, error })),
      )
    return () => abort.abort()
  }, [compared.map(({ path }) => path).join(), columns[0]?.path, stamps])
  const metrics = cells.map(({ status }) => status?.figure?.metric).join()
  const grid = useMemo(
    () => gridOf(columns, only, states, loaded, annotations),
    [columns, only, metrics, loaded.scores, loaded.columns, loaded.matches, annotations],
  )
  return {
    grid,
    hasColumns: withRows.every(({ key }) => loaded.columns.has(key)),
    isMatched: compared.every(({ letter, run }) => run === columns[0]!.run || loaded.unmatched.has(letter)),
    unmatched: loaded.unmatched,
    error: loaded.error,
    columnsError: loaded.columnsError,
  }
}

/** The columns that are matched with the first by content: those of other runs, and the second if there are two. */
function comparedColumns(columns: readonly GridColumn[]): GridColumn[] {
  const [first, ...others] = columns
  if (!first) return []
  return others.filter(({ run, path }) => path !== first.path && (run !== first.run || columns.length === 2))
}

function gridOf(
  columns: readonly GridColumn[],
  only: string | undefined,
  states: ReadonlyMap<number, RunStatus>,
  { scores, columns: values, matches }: Loaded,
  annotations: ReadonlyMap<string, PairAnnotations>,
): RowGrid | undefined {
  if (columns.length === 0 || scores.size === 0) return undefined
  return joinGrid(
    datasetsOf(columns, only).map((data) => {
      const first = columns[0]!.pairs.get(data)
      return {
        data,
        cells: columns.map((column, index): CellRows | undefined => {
          const pair = column.pairs.get(data)
          const key = pair === undefined ? undefined : cellKey(column.run, pair)
          const own = key === undefined ? undefined : scores.get(key)
          if (pair === undefined || key === undefined || !own) return undefined
          const metric = states.get(column.run)?.pairs[pair]?.figure
          const matched = index === 0 ? undefined : matches.get(`${first} ${key}`)
          // Until rows of another run are matched, they are not shown beside others.
          if (index > 0 && first !== undefined && column.run !== columns[0]!.run && !matched) return undefined
          return {
            run: column.run,
            pair,
            table: tableOf(own, metric, annotations.get(key)?.rows),
            columns: values.get(key),
            metric,
            matched,
          }
        }),
      }
    }),
  )
}
