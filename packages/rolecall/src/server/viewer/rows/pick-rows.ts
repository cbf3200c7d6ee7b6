import type { PairAnnotations, RowColumns, ScoreColumn } from '../viewer-data.ts'
import { placeOf } from './place-of.ts'

/** The scores of the rows at some places, in ascending order. */
export function pickScores({ ids, scores, failed, outcomes }: ScoreColumn, places: readonly number[]): ScoreColumn {
  const picked = places.map((place) => ids[place]!)
  const among = (numbers: readonly number[]) => numbers.filter((id) => placeOf(picked, id) !== undefined)
  return {
    ids: picked,
    scores: places.map((place) => scores[place]!),
    failed: among(failed),
    outcomes: Object.fromEntries(Object.entries(outcomes).map(([outcome, numbers]) => [outcome, among(numbers)])),
  }
}

/** The columns of the rows at some places, in ascending order; lists of places refer to the picked rows. */
export function pickColumns(
  { promptTokens, replyTokens, milliseconds, cut, cached, notes, reasons, columns }: RowColumns,
  places: readonly number[],
): RowColumns {
  const at = <Value>(values: readonly Value[]) => places.map((place) => values[place]!)
  const among = (some: readonly number[]) => some.flatMap((place) => placeOf(places, place) ?? [])
  return {
    promptTokens: at(promptTokens),
    replyTokens: at(replyTokens),
    milliseconds: at(milliseconds),
    cut: among(cut),
    cached: among(cached),
    notes: notes
      .map(({ code, places: some, texts }) => ({
        code,
        places: among(some),
        texts: texts.map((one) => ({ text: one.text, places: among(one.places) })).filter(hasPlaces),
      }))
      .filter(hasPlaces),
    reasons: reasons.map(({ reason, places: some }) => ({ reason, places: among(some) })).filter(hasPlaces),
    columns: columns.map(({ name, values, of }) => ({ name, values, of: at(of) })),
  }
}

/** The annotations of some rows; the review is that of all. */
export function pickAnnotations({ rows, review }: PairAnnotations, ids: readonly number[]): PairAnnotations {
  return { rows: rows.filter(({ row }) => placeOf(ids, row) !== undefined), review }
}

function hasPlaces({ places }: { places: readonly number[] }): boolean {
  return places.length > 0
}
