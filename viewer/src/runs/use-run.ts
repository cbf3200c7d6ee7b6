import { useEffect, useRef, useState } from 'preact/hooks'
import { listPageSize, type RecordList, type RunStatus, type ScoreColumn } from '../../../src/app/server/viewer/viewer-data.ts'
import { loadRecordList, loadScores, loadState } from '../data/runs.ts'

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

/** The scores of a pair's rows, reloaded when there are more rows; `rows` is undefined until known. */
export function useScores(run: number, pair: number, rows: number | undefined): { column?: ScoreColumn; error?: Error } {
  const [shown, setShown] = useState<{ column?: ScoreColumn; error?: Error }>({})
  const abort = useRef<AbortController>(undefined)
  const look = () => {
    abort.current?.abort()
    const looking = new AbortController()
    abort.current = looking
    loadScores(run, pair, looking.signal).then(
      (column) => looking.signal.aborted || setShown({ column }),
      (error: Error) => looking.signal.aborted || setShown({ error }),
    )
  }
  useEffect(() => {
    look()
    return () => abort.current?.abort()
  }, [run, pair])
  // Once per number of rows: loaded data may be newer than the number, and an exported site may have fewer.
  const seen = useRef<number>(undefined)
  const hasLoaded = shown.column !== undefined || shown.error !== undefined
  useEffect(() => {
    if (rows === undefined || !hasLoaded || seen.current === rows) return
    seen.current = rows
    if (rows > (shown.column?.ids.length ?? 0)) look()
  }, [rows, hasLoaded])
  return shown
}

/**
 * Lines of a pair's rows by position; pages are fetched on demand, and again if rows were added. `first` is the first page, if it was
 * fetched before the row numbers were known.
 */
export function useLines(run: number, pair: number, column: ScoreColumn | undefined, first?: RecordList) {
  const isFirst = first !== undefined && column !== undefined && isPartOf(first, column)
  const [parts, setParts] = useState<ReadonlyMap<number, RecordList>>(new Map())
  const wanted = useRef(new Set<number>())
  const known = useRef<ScoreColumn>(undefined)
  // During render, not in an effect: the list requests its lines before effects run.
  if (column && known.current !== column) {
    const before = known.current
    known.current = column
    // A late row shifts those after it: pages from there on are fetched again.
    let same = 0
    while (before && same < before.ids.length && before.ids[same] === column.ids[same]) same++
    for (const part of [...wanted.current]) if ((part + 1) * listPageSize > same) wanted.current.delete(part)
  }
  const want = (places: readonly number[]) => {
    for (const part of new Set(places.map((place) => Math.floor(place / listPageSize)))) {
      if (wanted.current.has(part) || (part === 0 && isFirst)) continue
      wanted.current.add(part)
      loadRecordList(run, pair, part).then(
        (loaded) => setParts((all) => new Map(all).set(part, loaded)),
        () => wanted.current.delete(part),
      )
    }
  }
  const partAt = (part: number) => parts.get(part) ?? (part === 0 && isFirst ? first : undefined)
  return { line: (place: number) => partAt(Math.floor(place / listPageSize))?.lines[place % listPageSize], want }
}

/** Whether these are still the first rows: a running run may have others by now. */
function isPartOf({ lines }: RecordList, { ids }: ScoreColumn): boolean {
  return lines.length === Math.min(listPageSize, ids.length) && lines.every(({ id }, place) => id === ids[place])
}
