import type { Row } from '@rolecall/core/internal/conversation'
import { type ExampleSettings, examplesOf } from '@rolecall/core/internal/conversation'
import { distinctNotes, type Note, PromptError } from '@rolecall/core/internal/errors'
import { dictKeys } from '@rolecall/core/internal/python'
import { loaderNamed, unknownLoader } from '../../compat/opencompass/loaders/index.ts'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { chooseExamples, choosesByRow } from '../../evaluation/dataset/retrieve/choose-examples.ts'
import { checkColumns, type FirstRows } from '../../evaluation/run/ask/check-columns.ts'
import { placeholderRow } from '../../evaluation/run/ask/placeholder-row.ts'
import { isDataMissing } from '../../evaluation/run/readiness.ts'
import { jiebaWords } from '../../node/jieba-words.ts'
import { embedderOf } from '../../node/models/embedder-of.ts'
import { allRows, firstRows, openRows, type RowsConfig, skippedNotes, takeRows } from '../../node/rows/open-rows.ts'
import { printWarnings } from '../terminal.ts'

/** Selected rows, and notes on skipped ones. */
export type ChosenRows = {
  rows: Map<number, Row>
  examplesOf: (number: number) => readonly Row[]
  notes: Note[]
  columns: ReadonlySet<string>
}

/** The rows with these numbers, and their examples; a missing row is an error unless they are the `first` rows. Files are read only as far as needed. */
export async function rowsOf(
  dataset: DatasetConfig & ExampleSettings & RowsConfig,
  numbers: readonly number[],
  folder: string,
  first = false,
  warn: (notes: readonly Note[]) => void = printWarnings,
): Promise<ChosenRows> {
  if (dataset.type !== undefined && dataset.rows === undefined && !loaderNamed(dataset.type))
    return madeRows(dataset, unknownLoader(dataset.type, `${dataset.abbr ?? 'dataset'} › type`), numbers)
  if ([dataset.type, dataset.rows, dataset.path, dataset.lm_eval].every((given) => given === undefined))
    return madeRows(dataset, noRows(dataset), numbers)
  const known = await firstRowsHere(dataset, folder)
  if (known instanceof PromptError) return madeRows(dataset, known, numbers)
  const { columns, notes: unknown } = checkColumns(dataset, known)
  warn(unknown)
  const { test, train } = openRows(dataset, folder)
  const asked = await takeRows(test, numbers)
  const rows = new Map<number, Row>()
  for (const number of numbers) {
    const found = asked.rows.get(number)
    if (found) rows.set(number, found.row)
    else if (!first || number === 0) throw noRow(dataset, number, asked.seen)
  }
  const notes = () => distinctNotes([test, train].flatMap(skippedNotes))
  if (choosesByRow(dataset)) {
    const { examplesFor, notes: shortages } = await chooseExamples(
      dataset,
      await allRows(train),
      embedderOf(dataset),
      undefined,
      jiebaWords(),
    )
    const chosen = new Map<number, readonly Row[]>()
    for (const [number, row] of rows) chosen.set(number, await examplesFor(row, number))
    return {
      rows,
      columns,
      examplesOf: (number) => chosen.get(number)!,
      notes: [...notes(), ...shortages().map(({ rows: _, ...note }) => note)],
    }
  }
  const taken = await takeRows(train, dataset.infer_cfg.retriever?.fix_id_list ?? [])
  const examples = examplesOf(dataset, (id) => taken.rows.get(id)?.row)
  return { rows, columns, examplesOf: () => examples, notes: notes() }
}

/** The first rows, or why the files of a dataset class are not here. A missing file that the config names is an error. */
async function firstRowsHere(dataset: DatasetConfig & RowsConfig, folder: string): Promise<FirstRows | PromptError> {
  try {
    return await firstRows(dataset, folder)
  } catch (error) {
    if (error instanceof PromptError && dataset.type !== undefined && isDataMissing(error)) return error
    throw error
  }
}

/** Placeholder rows for a dataset whose rows are missing: every field shows its name. */
function madeRows(
  dataset: DatasetConfig & ExampleSettings,
  { where, problem, fix }: Pick<PromptError, 'where' | 'problem' | 'fix'>,
  numbers: readonly number[],
): ChosenRows {
  const row = placeholderRow(dataset)
  const examples = examplesOf(dataset, (id) => placeholderRow(dataset, id))
  return {
    rows: new Map(numbers.map((number) => [number, row])),
    columns: new Set(dictKeys(row)),
    examplesOf: () => examples,
    notes: [{ code: 'made-fields', where, text: `${problem}: fields show their names. To run it, ${fix}` }],
  }
}

function noRows({ abbr = 'dataset' }: RowsConfig): Pick<PromptError, 'where' | 'problem' | 'fix'> {
  return { where: `${abbr} › path`, problem: 'the dataset has no rows', fix: 'name a file as path, or write rows: [{ … }]' }
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
