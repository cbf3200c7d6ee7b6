import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnnotationChange } from 'rolecall/internal/evaluation/run/record/annotation'
import type { PairAnnotations, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { annotateRow, loadAnnotations } from '../../data/annotations.ts'
import type { Annotations } from '../review/use-annotations.ts'
import { cellKey } from './use-grid.ts'

type Cell = { run: number; pair: number }

/** The annotations of all cells of a grid, and how to change them. */
export function useGridAnnotations(site: Site, cells: readonly Cell[]) {
  const [all, setAll] = useState<ReadonlyMap<string, PairAnnotations>>(new Map())
  const [error, setError] = useState<Error>()
  const queue = useRef(Promise.resolve())
  const isThere = useRef(true)
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  const keys = cells.map(({ run, pair }) => cellKey(run, pair)).join()
  useEffect(() => {
    const abort = new AbortController()
    Promise.all(cells.map(async ({ run, pair }) => [cellKey(run, pair), await loadAnnotations(run, pair, abort.signal)] as const)).then(
      (found) => abort.signal.aborted || setAll(new Map(found)),
      (failure: Error) => abort.signal.aborted || setError(failure),
    )
    return () => abort.abort()
  }, [keys])
  // One after the other: each reply has the annotations after its change.
  const change = ({ run, pair }: Cell, row: number, changes: AnnotationChange) => {
    queue.current = queue.current
      .then(() => annotateRow(site, [run, pair], row, changes))
      .then(
        (now) => isThere.current && setAll((before) => new Map([...before, [cellKey(run, pair), now]])),
        (failure: Error) => isThere.current && setError(failure),
      )
      .then(() => undefined)
  }
  const of = ({ run, pair }: Cell): Annotations => {
    const own = all.get(cellKey(run, pair))
    const isWritable = site.token !== undefined && own !== undefined && own.problem === undefined
    return {
      all: own,
      of: (row) => own?.rows.find((one) => one.row === row),
      error,
      ...(isWritable ? { change: (row, changes) => change({ run, pair }, row, changes) } : {}),
    }
  }
  return { all, of, error, isLoaded: all.size > 0 || error !== undefined }
}
