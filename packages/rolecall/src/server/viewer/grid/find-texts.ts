import type { Term } from './filter-terms.ts'
import type { RowGrid } from './grid-table.ts'
import type { FoundTexts } from './match-rows.ts'

type TextTerm = Extract<Term, { kind: 'text' }>

/** Searches the rows of a model on a dataset. */
type FindText = (cell: { run: number; pair: number; rows: number }, term: TextTerm) => Promise<ReadonlySet<number>>

/** Searches the texts of all terms in all cells. */
export async function findTexts(grid: RowGrid, terms: readonly Term[], find: FindText): Promise<FoundTexts> {
  const found = new Map<string, (ReadonlySet<number> | undefined)[][]>()
  for (const term of terms) {
    if (term.kind !== 'text' || found.has(term.source)) continue
    found.set(
      term.source,
      await Promise.all(
        grid.parts.map(({ cells }) =>
          Promise.all(
            cells.map((cell) => (cell ? find({ run: cell.run, pair: cell.pair, rows: cell.table.ids.length }, term) : undefined)),
          ),
        ),
      ),
    )
  }
  return found
}
