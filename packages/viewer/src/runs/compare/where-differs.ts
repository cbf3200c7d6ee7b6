import type { PairResult } from 'rolecall/internal/evaluation/run/record/run-record'

/** The scores of both sides for a value of a column that the dataset's `by` names. */
export type DifferenceOfValue = { column: string; value: string; difference: number }

const most = 3

/** Where two results differ most: the values of columns with the largest differences of score. */
export function whereDiffers(first: Pick<PairResult, 'by'> | undefined, second: Pick<PairResult, 'by'> | undefined): DifferenceOfValue[] {
  return (first?.by ?? [])
    .flatMap(({ column, figures }) => {
      const others = second?.by?.find((by) => by.column === column)?.figures ?? []
      return figures.flatMap(({ of, value }) => {
        const other = others.find((figure) => figure.of === of)?.value
        if (value === undefined || other === undefined || value === other) return []
        return [{ column, value: of, difference: other - value }]
      })
    })
    .sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference))
    .slice(0, most)
}
