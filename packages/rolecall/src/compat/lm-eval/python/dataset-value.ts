import {
  dictEntries,
  dictFromEntries,
  dictGet,
  isInt,
  isListValue,
  type Kwargs,
  notUnderstood,
  type PyDict,
  PythonError,
  type PyValue,
  Slice,
  sliceBounds,
  type Value,
  valueError,
} from '@rolecall/core/internal/python'
import { call } from '../../../python/interpreter/call.ts'
import { isMutableDict, itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { toMutable } from '../../../python/interpreter/convert.ts'
import { defineModule, native } from '../../../python/interpreter/modules/define-module.ts'
import { isTrue } from '../../../python/interpreter/operators.ts'
import type { Scope } from '../../../python/interpreter/scope.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NativeObject } from '../../../python/interpreter/values.ts'
import { NumpyGenerator } from '../../../python/library/numpy-generator.ts'
import { BadData } from '../../opencompass/loaders/bad-data.ts'
import { frameTable, isNaNumber } from '../../opencompass/loaders/read/csv-frame.ts'
import { fromAll, fromColumns, fromList, type Table } from '../../opencompass/loaders/table.ts'
import { FrameValue, readCsv } from './pandas-frame.ts'
import { toData } from './to-data.ts'

type Method = (session: Session, self: DatasetValue, args: readonly Value[], kwargs: Kwargs, scope: Scope) => Value

/** A `datasets.Dataset`: rows of equal columns, which functions map, filter and select. */
export class DatasetValue extends NativeObject {
  readonly typeName = 'Dataset'

  constructor(readonly table: Table) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    const { columns, rows } = this.table
    if (name === 'column_names') return [...columns]
    if (name === 'num_rows') return rows.length
    if (name === 'features') return toMutable(session, dictFromEntries(columns.map((column) => [column, null])) as Value)
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method)
      return native(`${name}(${parametersOf[name] ?? 'function=None, **kwargs'})`, (own, args, kwargs, scope) =>
        method(own, this, args, kwargs, scope),
      )
    throw notUnderstood(session.at, `Dataset.${name}`, 'give processed rows instead, without the function')
  }

  override items(session: Session): readonly Value[] {
    session.step(this.table.rows.length)
    return this.table.rows.map((row) => toMutable(session, row as Value))
  }

  override item(session: Session, key: Value): Value {
    const { rows, columns } = this.table
    if (typeof key === 'string') {
      if (!columns.includes(key)) throw new PythonError('KeyError', `'${key}'`)
      return rows.map((row) => toMutable(session, (dictGet(row, key) ?? null) as Value))
    }
    if (key instanceof Slice) {
      const [from, to, by] = sliceBounds(rows.length, key.start, key.stop, key.step)
      const taken = rows.filter((_, index) => index >= from && index < to && (index - from) % by === 0)
      return toMutable(session, dictFromEntries(columns.map((name) => [name, taken.map((row) => dictGet(row, name) ?? null)])) as Value)
    }
    const index = isInt(key) ? Number(key) : Number.NaN
    const row = rows[index < 0 ? index + rows.length : index]
    if (row === undefined) throw new PythonError('IndexError', `Invalid key: ${String(key)} is out of bounds`)
    return toMutable(session, row as Value)
  }
}

/** The parameters of methods whose other options are refused; `map` and `filter` check theirs. */
const parametersOf: Readonly<Record<string, string>> = {
  select: 'indices',
  take: 'n',
  skip: 'n',
  rename_column: 'original_column_name, new_column_name',
  rename_columns: 'column_mapping',
  remove_columns: 'column_names',
  select_columns: 'column_names',
  add_column: 'name, column',
  shuffle: '*args, **kwargs',
  to_list: '',
}

/** Options of `map` and `filter` that do not affect the result. */
const howOptions = new Set([
  'num_proc',
  'load_from_cache_file',
  'desc',
  'keep_in_memory',
  'cache_file_name',
  'new_fingerprint',
  'writer_batch_size',
])

const methods: Readonly<Record<string, Method>> = {
  map(session, { table }, [run], kwargs, scope) {
    const given = new Map(kwargs)
    const change = run ?? given.get('function')
    const indexed = given.get('with_indices') === true
    const removed = listAt(given.get('remove_columns'))
    const own = given.get('fn_kwargs')
    const size = given.get('batched') === true ? batchSize(given.get('batch_size'), table.rows.length) : undefined
    for (const key of ['function', 'with_indices', 'remove_columns', 'fn_kwargs', 'batched', 'batch_size']) given.delete(key)
    refuseOptions(session, 'map', given)
    const named = own !== undefined && isMutableDict(own) ? new Map([...own].map(([key, value]) => [String(key), value])) : undefined
    if (size !== undefined) {
      if (indexed) throw notUnderstood(session.at, 'Dataset.map(batched=True, with_indices=True)', 'leave one of them out')
      return mappedInBatches(session, table, size, removed, (batch) => call(session, change!, [batch], named, scope))
    }
    const rows = table.rows.map((row, index) => {
      const given = toMutable(session, row as Value)
      const made = call(session, change!, indexed ? [given, index] : [given], named, scope)
      const kept = (entries: readonly (readonly [string, PyValue])[]) => entries.filter(([name]) => !removed.includes(name))
      if (made === null) return new Map(kept(dictEntries(row)))
      if (!isMutableDict(made))
        throw new PythonError(
          'TypeError',
          'Provided `function` which is applied to all elements of table returns something that is not a dict',
        )
      const changed = dictEntries(toData(session, made) as PyDict)
      if (made === given) return new Map(kept(changed))
      // The function may have changed the row itself: what it popped is gone.
      return new Map([...kept(dictEntries(toData(session, given) as PyDict)), ...changed])
    })
    return new DatasetValue(typed(rows.length === 0 ? () => table : () => fromAll(rows)))
  },
  filter(session, { table }, [run], kwargs, scope) {
    const given = new Map(kwargs)
    const test = run ?? given.get('function')
    const indexed = given.get('with_indices') === true
    for (const key of ['function', 'with_indices']) given.delete(key)
    refuseOptions(session, 'filter', given)
    const rows = table.rows.filter((row, index) => {
      const args = indexed ? [toMutable(session, row as Value), index] : [toMutable(session, row as Value)]
      return isTrue(session, call(session, test!, args, undefined, scope))
    })
    return new DatasetValue({ columns: table.columns, rows })
  },
  select: (session, { table }, [indices]) =>
    withRows(
      table,
      itemsOf(session, indices!).map((index) => table.rows[Number(index)] ?? outOfRange(index)),
    ),
  take: (_, { table }, [count]) => withRows(table, table.rows.slice(0, Number(count))),
  skip: (_, { table }, [count]) => withRows(table, table.rows.slice(Number(count))),
  shuffle(session, { table }, args, kwargs) {
    const { seed = args[0], ...others } = Object.fromEntries(kwargs ?? [])
    if (isInt(seed) && Number(seed) >= 0 && args.length < 2 && Object.keys(others).every((name) => howOptions.has(name))) {
      session.step(table.rows.length)
      return withRows(
        table,
        new NumpyGenerator(Number(seed)).permutation(table.rows.length).map((place) => table.rows[place]!),
      )
    }
    throw notUnderstood(
      session.at,
      `Dataset.shuffle(${[...args, ...(kwargs?.keys() ?? [])].length > 0 ? '…' : ''})`,
      'give processed rows instead',
    )
  },
  rename_column: (_, { table }, [from, to]) => renamed(table, new Map([[String(from), String(to)]])),
  rename_columns(_, { table }, [names]) {
    return renamed(table, new Map([...(names as Map<Value, Value>)].map(([from, to]) => [String(from), String(to)])))
  },
  remove_columns: (_, { table }, [names]) => {
    const dropped = listAt(names)
    return columnsOf(
      table,
      table.columns.filter((name) => !dropped.includes(name)),
    )
  },
  select_columns: (_, { table }, [names]) => columnsOf(table, listAt(names)),
  add_column(session, { table }, [name, values]) {
    const items = itemsOf(session, values!)
    if (items.length !== table.rows.length) throw valueError('a column of another length')
    return new DatasetValue(
      typed(() => fromAll(table.rows.map((row, index) => new Map([...dictEntries(row), [String(name), toData(session, items[index]!)]])))),
    )
  },
  to_list: (session, self) => [...self.items(session)],
}

/** The rows of a batch: a thousand by default, all for None and for numbers below 1. */
function batchSize(given: Value | undefined, rows: number): number {
  const size = given === undefined ? 1000 : Number(given)
  return size >= 1 ? size : Math.max(rows, 1)
}

/** `map(batched=True)`: the function gets a dict of columns and returns one, whose columns may be longer or shorter. */
function mappedInBatches(session: Session, table: Table, size: number, removed: readonly string[], run: (batch: Value) => Value): Value {
  const rows: Map<string, PyValue>[] = []
  for (let from = 0; from < table.rows.length; from += size) {
    const batch = table.rows.slice(from, from + size)
    const columns = table.columns.map((name) => [name, batch.map((row) => dictGet(row, name) ?? null)] as const)
    const made = run(
      newDict(
        session,
        columns.map(([name, values]) => [name, toMutable(session, values as Value)] as const),
      ),
    )
    if (!isMutableDict(made))
      throw new PythonError('TypeError', 'Provided `function` which is applied to a batch returns something that is not a dict')
    const kept = columns.filter(([name]) => !removed.includes(name))
    const after = new Map<string, readonly PyValue[]>([...kept, ...(dictEntries(toData(session, made) as PyDict) as [string, PyValue[]][])])
    const lengths = new Set([...after.values()].map((values) => values.length))
    if (lengths.size > 1) throw new PythonError('ArrowInvalid', 'the columns of a batch have different lengths')
    const [length = 0] = lengths
    for (let index = 0; index < length; index++) rows.push(new Map([...after].map(([name, values]) => [name, values[index]!])))
  }
  return new DatasetValue(typed(rows.length === 0 ? () => table : () => fromAll(rows)))
}

function refuseOptions(session: Session, method: string, given: ReadonlyMap<string, Value>): void {
  for (const [key, value] of given)
    if (!howOptions.has(key) && value !== false && value !== null)
      throw notUnderstood(session.at, `Dataset.${method}(${key}=…)`, 'give processed rows instead, without the function')
}

function listAt(value: Value | undefined): string[] {
  return value === undefined || value === null ? [] : (isListValue(value) ? value : [value]).map(String)
}

function withRows(table: Table, rows: Table['rows']): Value {
  return new DatasetValue({ columns: table.columns, rows })
}

function outOfRange(index: Value): never {
  throw new PythonError('IndexError', `Index ${String(index)} out of range`)
}

function renamed(table: Table, names: ReadonlyMap<string, string>): Value {
  const rows = table.rows.map((row) => dictFromEntries(dictEntries(row).map(([name, value]) => [names.get(name) ?? name, value] as const)))
  return new DatasetValue({ columns: table.columns.map((name) => names.get(name) ?? name), rows })
}

function columnsOf(table: Table, columns: readonly string[]): Value {
  const rows = table.rows.map((row) => dictFromEntries(columns.map((name) => [name, dictGet(row, name) ?? null])))
  return new DatasetValue({ columns, rows })
}

/** Columns must have one type, as in Arrow. */
function typed(make: () => Table): Table {
  try {
    return make()
  } catch (error) {
    if (error instanceof BadData) throw new PythonError('ArrowInvalid', error.message)
    throw error
  }
}

/** `Dataset.from_list` and `Dataset.from_dict`. */
export function datasetFromList(session: Session, rows: readonly Value[]): DatasetValue {
  return new DatasetValue(typed(() => fromList(rows.map((row) => new Map(dictEntries(toData(session, row) as PyDict))))))
}

export function datasetFromColumns(session: Session, columns: Value): DatasetValue {
  const data = toData(session, columns) as PyDict
  return new DatasetValue(typed(() => fromColumns(Object.fromEntries(dictEntries(data)) as Record<string, readonly PyValue[]>)))
}

const datasetClass = defineModule('datasets.Dataset', {
  from_list: native('from_list(mapping, features=None, info=None, split=None)', (session, [rows]) =>
    datasetFromList(session, itemsOf(session, rows!)),
  ),
  from_dict: native('from_dict(mapping, features=None, info=None, split=None)', (session, [columns]) =>
    datasetFromColumns(session, columns!),
  ),
  from_pandas: native('from_pandas(df, features=None, info=None, split=None, preserve_index=None)', (session, [frame]) =>
    frame instanceof FrameValue ? new DatasetValue(frameTable(frame.frame)) : datasetFromList(session, itemsOf(session, frame!)),
  ),
})

/** What tasks use of pandas: a list of rows on its way into a dataset, and CSV files. */
export const pandas = defineModule('pandas', {
  DataFrame: native('DataFrame(data)', (session, [rows]) => {
    if (!isListValue(rows)) throw notUnderstood(session.at, 'pandas.DataFrame of columns', 'give a list of dicts')
    return rows
  }),
  read_csv: readCsv,
  isna: native('isna(obj)', (_, [value]) => value === null || isNaNumber(value as PyValue)),
})

/** `datasets` without `load_dataset`. */
export const datasets = defineModule('datasets', {
  __version__: '4.0.0',
  Dataset: datasetClass,
  concatenate_datasets: native('concatenate_datasets', (session, [given]) =>
    datasetFromList(
      session,
      itemsOf(session, given!).flatMap((one) => (one instanceof DatasetValue ? [...one.items(session)] : [])),
    ),
  ),
})
