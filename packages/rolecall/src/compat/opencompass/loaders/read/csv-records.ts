import { CsvReader } from '../../../../python/library/csv-reader.ts'
import { BadData } from '../bad-data.ts'
import { dictOf, type RowDict } from '../row-values.ts'

/** Python's `csv.reader`: an empty line is an empty record. */
export function csvRecords(text: string, delimiter: ',' | '\t' | ';' = ','): string[][] {
  const reader = new CsvReader(delimiter, { emptyLines: true })
  return [...reader.read(text), ...reader.end()].map(({ fields }) => fields)
}

/** `csv.DictReader`: skips empty records; missing fields are None; extra fields are an error once rows are used. */
export function dictRecords([header, ...records]: readonly (readonly string[])[], path: string): RowDict[] {
  if (header === undefined) return []
  return records
    .filter((record) => record.length > 0)
    .map((record, index) => {
      if (record.length > header.length)
        throw new BadData(`the row has ${record.length} fields, its header ${header.length}`, `${path} › row ${index + 1}`)
      return dictOf(new Map(header.map((name, at) => [name, record[at] ?? null])), `${path} › row ${index + 1}`)
    })
}
