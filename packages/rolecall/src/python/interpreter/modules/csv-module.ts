import { notUnderstood, type Value } from '@rolecall/core/internal/python'
import { type CsvDelimiter, CsvReader } from '../../library/csv-reader.ts'
import { generator, itemsOf, newDict } from '../containers.ts'
import type { Session } from '../session.ts'
import { defineModule, native, textOf } from './define-module.ts'

/** The records of a file or of lines. */
function recordsOf(session: Session, from: Value, delimiter: Value | undefined, emptyLines: boolean): string[][] {
  const sign = delimiter ?? ','
  if (sign !== ',' && sign !== '\t' && sign !== ';' && sign !== '|')
    throw notUnderstood(session.at, 'this delimiter of csv', 'use "," or a tab')
  const text = itemsOf(session, from).map(textOf).join('')
  session.step(text.length >> 2)
  const reader = new CsvReader(sign as CsvDelimiter, { emptyLines })
  const records = [...reader.read(text), ...reader.end()].map(({ fields }) => fields)
  session.allocate(
    null,
    records.reduce((sum, fields) => sum + fields.length + 1, 0),
  )
  return records
}

export const csv = defineModule('csv', {
  reader: native("reader(csvfile, dialect='excel', *, delimiter=',')", (session, [file], kwargs) =>
    generator(recordsOf(session, file!, kwargs?.get('delimiter'), true)),
  ),
  DictReader: native(
    'DictReader(f, fieldnames=None, restkey=None, restval=None, *, delimiter=None)',
    (session, [file, names = null], kwargs) => {
      const records = recordsOf(session, file!, kwargs?.get('delimiter'), false)
      const header = names === null ? (records.shift() ?? []) : itemsOf(session, names).map(textOf)
      return generator(
        records.map((fields) => {
          if (fields.length > header.length)
            return newDict(session, [
              ...header.map((name, place): [Value, Value] => [name, fields[place]!]),
              [null, fields.slice(header.length)],
            ])
          return newDict(
            session,
            header.map((name, place): [Value, Value] => [name, fields[place] ?? null]),
          )
        }),
      )
    },
  ),
  QUOTE_MINIMAL: 0,
})
