import { examplesOf, type RetrieverSide } from '../../dataset/examples-of.ts'
import type { Row } from '../../dataset/row.ts'
import { openRows, type RowsConfig, skippedNotes, takeRows } from '../../node/open-rows.ts'
import { distinctNotes, type Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'

/** Rows to look at, with what was skipped on the way to them. */
export type ChosenRows = { rows: Map<number, Row>; examples: Row[]; notes: Note[] }

/** The asked rows with these numbers, and the examples. Files are read only as far as needed. */
export async function rowsOf(dataset: RetrieverSide & RowsConfig, numbers: readonly number[], folder: string): Promise<ChosenRows> {
  const { test, train } = openRows(dataset, folder)
  const asked = await takeRows(test, numbers)
  const rows = new Map<number, Row>()
  for (const number of numbers) {
    const found = asked.rows.get(number)
    if (!found) throw noRow(dataset, number, asked.seen)
    rows.set(number, found.row)
  }
  const wanted = dataset.infer_cfg.retriever?.fix_id_list ?? []
  const taken = await takeRows(train, wanted)
  // The same row of the same file is the same object, so that a row that is its own example is seen.
  const shared = train.origin === test.origin ? [...asked.rows.values()] : []
  const known = new Map(shared.map(({ row, number }) => [number, row]))
  const examples = examplesOf(dataset, (id) => {
    const found = taken.rows.get(id)
    return found && (known.get(found.number) ?? found.row)
  })
  return { rows, examples, notes: distinctNotes([test, train].flatMap(skippedNotes)) }
}

function noRow({ abbr = 'the dataset', reader_cfg: reader }: RowsConfig, number: number, count: number): PromptError {
  const range = reader?.test_range
  const within = range === undefined || range === null ? '' : ` in the test_range ${JSON.stringify(range)}`
  return new PromptError('no-row', {
    where: `--rows ${number}`,
    problem: `${abbr} has no row ${number}: it has ${count === 0 ? 'no rows' : count === 1 ? 'one row' : `${count} rows`}${within}`,
    fix: count === 0 ? 'look into its file, or change test_range' : 'choose a smaller number',
  })
}
