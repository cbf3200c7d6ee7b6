import { useEffect, useRef, useState } from 'preact/hooks'
import {
  listPageSize,
  type RecordLine,
  type RecordList,
  type RunStatus,
  type ScoreColumn,
} from 'rolecall/internal/server/viewer/viewer-data'
import { loadRecordList, loadScores, loadState } from '../data/runs.ts'
import { useLoad } from '../data/use-load.ts'
import { useParts } from '../parts/use-parts.ts'

const lookAgainAfter = 1000

/** A run's results, polled every second while it is running. */
export function useRunState(run: number): { state?: RunStatus; error?: Error } {
  const [shown, setShown] = useState<{ state?: RunStatus; error?: Error }>({})
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const state = await loadState(run, abort.signal)
        setShown({ state })
        if (state.isLive) timer = setTimeout(look, lookAgainAfter)
      } catch (error) {
        if (abort.signal.aborted) return
        setShown(({ state }) => ({ state, error: error as Error }))
        // A file being written is complete soon, and a server may be restarted.
        timer = setTimeout(look, lookAgainAfter)
      }
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [run])
  return shown
}

/** The scores of a pair's rows, reloaded when rows were added or replaced; `stamp` is undefined until known, and in exported sites. */
export function useScores(run: number, pair: number, stamp: string | undefined): { column?: ScoreColumn; error?: Error } {
  const [wanted, want] = useState<string>()
  const { value: column, error, isLoading } = useLoad((signal) => loadScores(run, pair, signal), [run, pair, wanted])
  useEffect(() => {
    if (!isLoading && stamp !== undefined && column?.stamp !== stamp) want(stamp)
  }, [isLoading, stamp])
  return { ...(column ? { column } : {}), ...(error ? { error } : {}) }
}

/**
 * Lines of a pair's rows by position; pages are fetched on demand, and again when the column changes, because rows were added or replaced.
 * `first` is the first page, if it was fetched before the row numbers were known.
 */
export function useLines(run: number, pair: number, column?: ScoreColumn, first?: RecordList) {
  const { partAt, want } = useParts((number) => loadRecordList(run, pair, number), column)
  const initial = useRef(column)
  initial.current ??= column
  const given = first && initial.current && isPartOf(first, initial.current) ? first : undefined
  return {
    line: (place: number): RecordLine | undefined => {
      const number = Math.floor(place / listPageSize)
      return (partAt(number) ?? (number === 0 ? given : undefined))?.lines[place % listPageSize]
    },
    want: (places: readonly number[]) => {
      const isGiven = given !== undefined && column === initial.current
      for (const number of new Set(places.map((place) => Math.floor(place / listPageSize)))) if (number > 0 || !isGiven) want(number)
    },
  }
}

/** Whether these are still the first rows: a running run may have others by now. */
function isPartOf({ lines }: RecordList, { ids }: ScoreColumn): boolean {
  return lines.length === Math.min(listPageSize, ids.length) && lines.every(({ id }, place) => id === ids[place])
}
