import { BadData } from '../bad-data.ts'
import type { Data } from '../data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { fromList, type Table } from '../table.ts'
import { type Dict, dictOf } from '../values.ts'

type Sheet = {
  columns: readonly string[]
  /** How many fields a row must have; fields in front of the named ones are left out. */
  fields: number
  /** How many records at the top are no rows. */
  header: number
}

async function sheet(data: Data, path: string, { columns, fields, header }: Sheet): Promise<Table> {
  const records = await data.csv(path)
  const rows: Dict[] = records.slice(header).map((record, index) => {
    const place = `${path} › row ${index + 1}`
    if (record.length !== fields) throw new BadData(`the row has ${record.length} fields, not ${fields}`, place)
    return dictOf(new Map(columns.map((name, at) => [name, record[fields - columns.length + at]!])), place)
  })
  return fromList(rows)
}

/** Four choices, without a header. */
export const mmlu: Loader = {
  reads: 'a folder with dev/{name}_dev.csv and test/{name}_test.csv: question, four choices, letter, without a header',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const read = (split: string) =>
      sheet(data, joinPath(path, split, `${settings.name}_${split}.csv`), {
        columns: ['input', 'A', 'B', 'C', 'D', 'target'],
        fields: 6,
        header: 0,
      })
    return { dev: await read('dev'), test: await read('test') }
  },
}

export const cmmlu: Loader = {
  reads: 'a folder with dev/{name}.csv and test/{name}.csv: number, question, four choices, letter, with a header',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const read = (split: string) =>
      sheet(data, joinPath(path, split, `${settings.name}.csv`), {
        columns: ['question', 'A', 'B', 'C', 'D', 'answer'],
        fields: 7,
        header: 1,
      })
    return { dev: await read('dev'), test: await read('test') }
  },
}
