import { resolve } from 'node:path'
import { examplesOf, type RetrieverSide } from '../../dataset/examples-of.ts'
import type { Row } from '../../dataset/row.ts'
import { readRows } from '../../node/read-rows.ts'
import { PromptError } from '../../prompt-error.ts'

type RowsSide = RetrieverSide & { path?: string; train_path?: string; rows?: readonly object[]; train_rows?: readonly object[] }

/** The asked rows with these numbers, and the examples. Files are read only as far as needed. */
export async function rowsOf(
  dataset: RowsSide,
  numbers: readonly number[],
  folder: string,
): Promise<{ rows: Map<number, Row>; examples: Row[] }> {
  const asked = dataset.rows ? inline(dataset.rows) : fromFile(dataset.path, dataset, folder)
  const wanted = dataset.infer_cfg.retriever?.fix_id_list ?? []
  const ofTheirOwn = dataset.train_rows
    ? inline(dataset.train_rows)
    : dataset.train_path
      ? fromFile(dataset.train_path, dataset, folder)
      : undefined
  const taken = await take(asked, ofTheirOwn ? numbers : [...numbers, ...wanted])
  const train = ofTheirOwn && wanted.length > 0 ? await take(ofTheirOwn, wanted) : taken
  const rows = new Map<number, Row>()
  for (const number of numbers) {
    const row = taken.get(number)
    if (!row)
      throw new PromptError('no-row', {
        where: `--rows ${number}`,
        problem: `${dataset.abbr ?? 'the dataset'} has no row ${number}`,
        fix: 'choose a smaller number',
      })
    rows.set(number, row)
  }
  return { rows, examples: examplesOf(dataset, (id) => train.get(id)) }
}

async function take(rows: AsyncIterable<Row>, numbers: readonly number[]): Promise<Map<number, Row>> {
  const wanted = new Set(numbers)
  const last = numbers.reduce((most, number) => Math.max(most, number), -1)
  const taken = new Map<number, Row>()
  let number = 0
  for await (const row of rows) {
    if (wanted.has(number)) taken.set(number, row)
    if (number++ >= last) break
  }
  return taken
}

async function* inline(rows: readonly object[]): AsyncGenerator<Row> {
  yield* rows as readonly Row[]
}

function fromFile(path: string | undefined, { abbr }: RowsSide, folder: string): AsyncGenerator<Row> {
  if (path !== undefined) return readRows(resolve(folder, path))
  throw new PromptError('missing', {
    where: `${abbr ?? 'dataset'} › path`,
    problem: 'the dataset has no rows',
    fix: 'name a file as path, or write rows: [{ … }]',
  })
}
