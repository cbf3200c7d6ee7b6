import { useEffect, useRef, useState } from 'preact/hooks'
import { listPart, type RecordList, type RunState, type ScoreColumn } from '../../../src/server/viewer/wire.ts'
import { loadRecordList, loadScores, loadState } from '../data/runs.ts'

const lookAgainAfter = 1000

/** A run's figures, looked at again every second while it is going on. */
export function useRunState(run: number): { state?: RunState; error?: Error } {
  const [shown, setShown] = useState<{ state?: RunState; error?: Error }>({})
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const state = await loadState(run, abort.signal)
        setShown({ state })
        if (state.isLive) timer = setTimeout(look, lookAgainAfter)
      } catch (error) {
        if (!abort.signal.aborted) setShown(({ state }) => ({ ...(state ? { state } : {}), error: error as Error }))
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

/** The scores of a pair's rows, anew when there are more rows. */
export function useScores(run: number, pair: number | undefined, rows: number): { column?: ScoreColumn; error?: Error } {
  const [shown, setShown] = useState<{ column?: ScoreColumn; error?: Error; of?: string }>({})
  useEffect(() => {
    if (pair === undefined) return
    const abort = new AbortController()
    loadScores(run, pair, abort.signal).then(
      (column) => setShown({ column, of: `${run} ${pair}` }),
      (error: Error) => abort.signal.aborted || setShown({ error, of: `${run} ${pair}` }),
    )
    return () => abort.abort()
  }, [run, pair, rows])
  return shown.of === `${run} ${pair}` ? shown : {}
}

/** Lines of a pair's rows by their places; parts are fetched when they are wanted, and again where rows were added. */
export function useLines(run: number, pair: number, column: ScoreColumn | undefined) {
  const [parts, setParts] = useState<ReadonlyMap<number, RecordList>>(new Map())
  const wanted = useRef(new Set<number>())
  const known = useRef<ScoreColumn>(undefined)
  // While it is drawn, not after: the list asks for its lines before effects of this would run.
  if (column && known.current !== column) {
    const before = known.current
    known.current = column
    // A row that came late moves those behind it: parts from there on are fetched again.
    let same = 0
    while (before && same < before.ids.length && before.ids[same] === column.ids[same]) same++
    for (const part of [...wanted.current]) if ((part + 1) * listPart > same) wanted.current.delete(part)
  }
  const want = (places: readonly number[]) => {
    for (const part of new Set(places.map((place) => Math.floor(place / listPart)))) {
      if (wanted.current.has(part)) continue
      wanted.current.add(part)
      loadRecordList(run, pair, part).then(
        (loaded) => setParts((all) => new Map(all).set(part, loaded)),
        () => wanted.current.delete(part),
      )
    }
  }
  return { line: (place: number) => parts.get(Math.floor(place / listPart))?.lines[place % listPart], want }
}
