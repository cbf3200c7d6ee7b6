import { PythonError } from '@rolecall/core/internal/python'

/**
 * Assigns each row a different column so that the sum of their costs is lowest, by shortest augmenting paths; where there are fewer
 * columns than rows, each column a row.
 */
export function cheapestPairs(costs: readonly (readonly number[])[]): [row: number, column: number][] {
  const width = costs[0]?.length ?? 0
  if (costs.length > width) {
    const turned = Array.from({ length: width }, (_, column) => costs.map((row) => row[column]!))
    return cheapestPairs(turned)
      .map(([column, row]): [number, number] => [row, column])
      .sort(([one], [other]) => one - other)
  }
  // Rows and columns count from 1; 0 is the row that is being assigned.
  const rowOf = new Array<number>(width + 1).fill(0)
  const [ofRows, ofColumns] = [new Array<number>(costs.length + 1).fill(0), new Array<number>(width + 1).fill(0)]
  for (let row = 1; row <= costs.length; row++) {
    rowOf[0] = row
    const lowest = new Array<number>(width + 1).fill(Number.POSITIVE_INFINITY)
    const before = new Array<number>(width + 1).fill(0)
    const seen = new Array<boolean>(width + 1).fill(false)
    let column = 0
    do {
      seen[column] = true
      const current = rowOf[column]!
      let step = Number.POSITIVE_INFINITY
      let next = 0
      for (let other = 1; other <= width; other++) {
        if (seen[other]) continue
        const reduced = costs[current - 1]![other - 1]! - ofRows[current]! - ofColumns[other]!
        if (reduced < lowest[other]!) {
          lowest[other] = reduced
          before[other] = column
        }
        if (lowest[other]! < step) {
          step = lowest[other]!
          next = other
        }
      }
      if (step === Number.POSITIVE_INFINITY) throw new PythonError('ValueError', 'cost matrix is infeasible')
      for (let other = 0; other <= width; other++) {
        if (seen[other]) {
          ofRows[rowOf[other]!]! += step
          ofColumns[other]! -= step
        } else lowest[other]! -= step
      }
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      rowOf[column] = rowOf[before[column]!]!
      column = before[column]!
    }
  }
  return rowOf
    .flatMap((row, column): [number, number][] => (column === 0 || row === 0 ? [] : [[row - 1, column - 1]]))
    .sort(([one], [other]) => one - other)
}
