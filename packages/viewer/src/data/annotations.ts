import type { AnnotationChange } from 'rolecall/internal/evaluation/run/record/annotation'
import type { Review } from 'rolecall/internal/evaluation/run/record/review'
import type { PairAnnotations, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { change, load } from './load.ts'

export async function loadAnnotations(run: number, pair: number, signal?: AbortSignal): Promise<PairAnnotations> {
  return (await load(`data/runs/${run}/${pair}/annotations.json`, signal)).json()
}

/** The review of each pair of a run. */
export async function loadReviews(run: number, signal?: AbortSignal): Promise<Review[]> {
  return (await load(`data/runs/${run}/reviews.json`, signal)).json()
}

/** Changes what is noted on a row; returns the annotations of its pair. */
export async function annotateRow(site: Site, at: readonly [run: number, pair: number], row: number, changes: AnnotationChange) {
  const response = await change(site, `data/runs/${at[0]}/${at[1]}/annotations/${row}`, changes)
  return (await response.json()) as PairAnnotations
}
