import type { PairDiff, ValueColumn } from 'rolecall/internal/server/viewer/viewer-data'

/** Rows won and lost. */
type ChangeCounts = { better: number; worse: number }

/** The rows of a comparison in which the second side is better or worse; of all rows or of some, by their index. */
export function changeCounts({ rows: { changes } }: Pick<PairDiff, 'rows'>, indices?: Iterable<number>): ChangeCounts {
  const counts: ChangeCounts = { better: 0, worse: 0 }
  const add = (letter: string | undefined) => {
    if (letter === 'b') counts.better++
    if (letter === 'w') counts.worse++
  }
  if (indices) for (const index of indices) add(changes[index])
  else for (const letter of changes) add(letter)
  return counts
}

/** The counts for each value of a column, which is that of the first side's rows; most rows first. */
export function countsByValue(
  pair: Pick<PairDiff, 'rows'>,
  { values, of }: ValueColumn,
): (ChangeCounts & { value: string; rows: number })[] {
  const indices = values.map(() => [] as number[])
  for (const [index, place] of pair.rows.places[0].entries()) indices[of[place] ?? -1]?.push(index)
  return values
    .map((value, number) => ({ value, rows: indices[number]!.length, ...changeCounts(pair, indices[number]) }))
    .filter(({ rows }) => rows > 0)
    .sort((one, other) => other.rows - one.rows)
}
