import { isListValue, notUnderstood, PythonError, type PyValue, Tuple, truthy, type Value } from '@rolecall/core/internal/python'
import { generator, newDict } from '../../../python/interpreter/containers.ts'
import { toMutable } from '../../../python/interpreter/convert.ts'
import { native } from '../../../python/interpreter/modules/define-module.ts'
import { openFile } from '../../../python/interpreter/modules/os-modules.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { FileValue, NativeObject } from '../../../python/interpreter/values.ts'
import { BadData } from '../../opencompass/loaders/bad-data.ts'
import { csvFrame, type DataFrame, isNaNumber } from '../../opencompass/loaders/read/csv-frame.ts'

/** A `pandas.DataFrame` as code of datasets uses it: columns, and rows one after the other. */
export class FrameValue extends NativeObject {
  readonly typeName = 'DataFrame'

  constructor(readonly frame: DataFrame) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    const { columns, rows } = this.frame
    switch (name) {
      case 'columns':
        return new SeriesValue(columns, 'Index')
      case 'shape':
        return new Tuple([rows.length, columns.length])
      case 'empty':
        return rows.length === 0 || columns.length === 0
      case 'iterrows':
        return native('iterrows()', (own) => generator(rows.map((_, at) => new Tuple([at, this.#row(own, at)]))))
      case 'to_dict':
        return native("to_dict(orient='dict')", (own, [orient = 'dict']) => {
          if (orient !== 'records' && orient !== 'list')
            throw notUnderstood(own.at, 'DataFrame.to_dict of this kind', "use orient='records'")
          if (orient === 'records') return rows.map((_, at) => this.#row(own, at).dict(own))
          return newDict(
            own,
            columns.map((column) => [column, [...this.#column(own, column).values]] as const),
          )
        })
      case 'fillna':
        return native('fillna(value)', (_, [value]) => {
          const filled = rows.map(
            (row) => new Map([...row].map(([column, item]) => [column, isNaNumber(item) ? (value as PyValue) : item])),
          )
          return new FrameValue({ columns, rows: filled })
        })
      case 'head':
        return native('head(n=5)', (_, [count = 5]) => new FrameValue({ columns, rows: rows.slice(0, Number(count)) }))
      case 'iloc':
        return new Places((own, at) => this.#row(own, at), rows.length)
      default:
        if (columns.includes(name)) return this.#column(session, name)
        throw notUnderstood(session.at, `DataFrame.${name}`, 'use iterrows() or to_dict("records")')
    }
  }

  #row(session: Session, at: number): RowValue {
    session.allocate(null, this.frame.columns.length)
    return new RowValue(this.frame.rows[at]!)
  }

  #column(session: Session, name: string): SeriesValue {
    session.allocate(null, this.frame.rows.length)
    return new SeriesValue(this.frame.rows.map((row) => toMutable(session, row.get(name) as Value)))
  }

  override length(): number {
    return this.frame.rows.length
  }

  /** Iterating a frame gives the names of its columns. */
  override items(): readonly Value[] {
    return this.frame.columns
  }

  override item(session: Session, key: Value): Value {
    if (isListValue(key)) {
      const columns = key.map(String)
      const rows = this.frame.rows.map((row) => new Map(columns.map((column) => [column, row.get(column) as PyValue])))
      return new FrameValue({ columns, rows })
    }
    if (typeof key !== 'string') throw notUnderstood(session.at, 'this index of a DataFrame', 'use the name of a column')
    if (!this.frame.columns.includes(key)) throw new PythonError('KeyError', `'${key}'`)
    return this.#column(session, key)
  }
}

/** A column. */
class SeriesValue extends NativeObject {
  constructor(
    readonly values: readonly Value[],
    readonly typeName = 'Series',
  ) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === 'tolist' || name === 'to_list') return native(`${name}()`, () => [...this.values])
    if (name === 'values') return new SeriesValue(this.values, 'ndarray')
    throw notUnderstood(session.at, `${this.typeName}.${name}`, 'use tolist()')
  }

  override items(): readonly Value[] {
    return this.values
  }

  override item(session: Session, key: Value): Value {
    const found = typeof key === 'number' && key >= 0 ? this.values[key] : undefined
    if (found === undefined) throw notUnderstood(session.at, `this index of a ${this.typeName}`, 'use tolist()')
    return found
  }
}

/** A row: its values by the names of columns. */
class RowValue extends NativeObject {
  readonly typeName = 'Series'

  constructor(readonly row: ReadonlyMap<string, PyValue>) {
    super()
  }

  dict(session: Session): Value {
    return newDict(
      session,
      [...this.row].map(([name, value]) => [name, toMutable(session, value as Value)] as const),
    )
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === 'to_dict') return native('to_dict()', (own) => this.dict(own))
    if (name === 'get')
      return native('get(key, default=None)', (own, [key, fallback = null]) => {
        const value = this.row.get(String(key))
        return value === undefined ? fallback : toMutable(own, value as Value)
      })
    const value = this.row.get(name)
    if (value !== undefined) return toMutable(session, value as Value)
    throw notUnderstood(session.at, `Series.${name}`, 'use to_dict()')
  }

  override length(): number {
    return this.row.size
  }

  override items(session: Session): readonly Value[] {
    return [...this.row.values()].map((value) => toMutable(session, value as Value))
  }

  override item(session: Session, key: Value): Value {
    const value = this.row.get(String(key))
    if (typeof key !== 'string') throw notUnderstood(session.at, 'a place in a row of a DataFrame', 'use the name of a column')
    if (value === undefined) throw new PythonError('KeyError', `'${key}'`)
    return toMutable(session, value as Value)
  }
}

/** `frame.iloc`. */
class Places extends NativeObject {
  readonly typeName = '_iLocIndexer'

  constructor(
    readonly at: (session: Session, index: number) => Value,
    readonly count: number,
  ) {
    super()
  }

  attribute(): undefined {
    return undefined
  }

  override item(session: Session, key: Value): Value {
    if (typeof key !== 'number') throw notUnderstood(session.at, 'iloc[…] of more than one row', 'use iterrows()')
    const index = key < 0 ? key + this.count : key
    if (index < 0 || index >= this.count) throw new PythonError('IndexError', 'single positional indexer is out-of-bounds')
    return this.at(session, index)
  }
}

/** `pandas.read_csv` with its inference of types. */
export const readCsv = native('read_csv(path, **kwargs)', (session, [path], kwargs) => {
  const { sep = ',', delimiter = sep, encoding = 'utf-8', keep_default_na: findsGaps = true, ...others } = Object.fromEntries(kwargs ?? [])
  const [other] = Object.keys(others)
  if (other !== undefined) throw notUnderstood(session.at, `read_csv(${other}=…)`, 'read the file with csv')
  if (delimiter !== ',' && delimiter !== '\t') throw notUnderstood(session.at, 'this delimiter of read_csv', 'use "," or a tab')
  const file = openFile(session, [path!], new Map([['encoding', encoding]]))
  if (!(file instanceof FileValue)) return file
  session.step(file.text.length >> 2)
  try {
    const frame = csvFrame(file.text, file.path, { delimiter, keepsGaps: truthy(findsGaps) })
    session.allocate(null, frame.rows.length * (frame.columns.length + 1))
    return new FrameValue(frame)
  } catch (error) {
    if (error instanceof BadData) throw new PythonError('ParserError', error.message)
    throw error
  }
})
