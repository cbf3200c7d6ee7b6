import { PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import type { Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { fromList, type Table } from '../table.ts'
import { csvFrame, isNaNumber } from './csv-frame.ts'

/** Rows of a .csv file, sampled if `num_examples` is set; an empty cell in a text column is an error, as in pandas. */
export async function simpleQaRows(data: Data, path: string, settings: Settings): Promise<Table> {
  const { columns, rows } = csvFrame(await data.text(path, { newline: '' }), path)
  for (const name of columns)
    if (rows.some((row) => isNaNumber(row.get(name))) && rows.some((row) => typeof row.get(name) === 'string'))
      throw new BadData(`column "${name}" has texts and empty cells`, path)
  const wanted = settings.get('num_examples')
  const chosen = typeof wanted === 'number' ? new PythonRandom(0).sample(rows, wanted) : rows
  const repeats = Number(settings.get('n_repeats') ?? 1)
  return fromList(Array.from({ length: repeats }, () => chosen).flat())
}
