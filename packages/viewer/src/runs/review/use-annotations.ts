import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AnnotationChange } from 'rolecall/internal/evaluation/run/record/annotation'
import type { PageAnnotation, PairAnnotations, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { annotateRow, loadAnnotations } from '../../data/annotations.ts'
import { useLoad } from '../../data/use-load.ts'

/** The annotations of a pair, and how to change them. */
export type Annotations = {
  /** Undefined until loaded. */
  all: PairAnnotations | undefined
  of: (row: number) => PageAnnotation | undefined
  /** Why the last change was not saved. */
  error: Error | undefined
  /** Absent if the site is read-only. */
  change?: (row: number, changes: AnnotationChange) => void
}

export function useAnnotations(site: Site, run: number, pair: number): Annotations {
  const loaded = useLoad((signal) => loadAnnotations(run, pair, signal), [run, pair])
  const [changed, setChanged] = useState<{ all?: PairAnnotations; error?: Error }>({})
  const queue = useRef(Promise.resolve())
  const isThere = useRef(true)
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  const all = changed.all ?? loaded.value
  const byRow = useMemo(() => new Map(all?.rows.map((one) => [one.row, one])), [all])
  // One after the other: each reply has the annotations after its change.
  const change = (row: number, changes: AnnotationChange) => {
    queue.current = queue.current
      .then(() => annotateRow(site, [run, pair], row, changes))
      .then(
        (now) => isThere.current && setChanged({ all: now }),
        (error: Error) => isThere.current && setChanged((before) => ({ ...before, error })),
      )
      .then(() => undefined)
  }
  const isWritable = site.token !== undefined && all !== undefined && all.problem === undefined
  return { all, of: (row) => byRow.get(row), error: changed.error ?? loaded.error, ...(isWritable ? { change } : {}) }
}
