import { notUnderstood, PythonError, Tuple, type Value } from '@rolecall/core/internal/python'
import { isMutableDict, type MutableDict, newDict, setItem } from '../../python/interpreter/containers.ts'
import { toPyValue } from '../../python/interpreter/convert.ts'
import { defineModule, native } from '../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../python/interpreter/session.ts'
import { Builtin, type ModuleValue, NativeObject } from '../../python/interpreter/values.ts'
import { DatasetValue, datasets } from '../lm-eval/python/dataset-value.ts'
import type { Splits, Table } from '../opencompass/loaders/table.ts'
import { DataNeeded, type DatasetRequest } from './data-request.ts'

export type { DatasetRequest } from './data-request.ts'

/** A `datasets.DatasetDict`: its methods apply to each split. */
export class DatasetDictValue extends NativeObject {
  readonly typeName = 'DatasetDict'

  constructor(readonly splits: MutableDict) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    switch (name) {
      case 'keys':
        return native('keys()', () => [...this.splits.keys()])
      case 'values':
        return native('values()', () => [...this.splits.values()])
      case 'items':
        return native('items()', () => [...this.splits].map((entry) => new Tuple(entry as [Value, Value])))
      case 'get':
        return native('get(key, default=None, /)', (_, [key, fallback = null]) => this.splits.get(key as string) ?? fallback)
      case 'pop':
        return native('pop(key, /)', (own, [key]) => {
          const taken = this.item(own, key!)
          this.splits.delete(key as string)
          return taken
        })
      case 'column_names':
        return newDict(
          session,
          [...this.splits].map(([split, dataset]) => [split, (dataset as DatasetValue).attribute(session, name)!]),
        )
    }
    const [first] = this.splits.values()
    if (!(first instanceof DatasetValue)) throw notUnderstood(session.at, `DatasetDict.${name}`, 'use the splits')
    if (!(first.attribute(session, name) instanceof Builtin)) throw notUnderstood(session.at, `DatasetDict.${name}`, 'use the splits')
    return new Builtin(name, (own, args, kwargs, scope) => {
      const made = [...this.splits].map(([split, dataset]): [Value, Value] => {
        const method = (dataset as DatasetValue).attribute(own, name) as Builtin
        return [split, method.call(own, args, kwargs, scope)]
      })
      return new DatasetDictValue(newDict(own, made))
    })
  }

  override length(): number {
    return this.splits.size
  }

  override items(): readonly Value[] {
    return [...this.splits.keys()]
  }

  override item(_: Session, key: Value): Value {
    const split = this.splits.get(key as string)
    if (split === undefined) throw new PythonError('KeyError', `'${String(key)}'`)
    return split
  }

  override assign(session: Session, key: Value, value: Value): void {
    setItem(session, this.splits, key, value)
  }
}

/** Options of `load_dataset` that do not change its rows. */
const loadOptions: ReadonlySet<string> = new Set([
  'token',
  'cache_dir',
  'trust_remote_code',
  'num_proc',
  'download_mode',
  'keep_in_memory',
  'revision',
])

/** `datasets`, whose `load_dataset` gets what has been read for it. */
export function datasetModules(loaded: (request: DatasetRequest) => Splits | undefined): ModuleValue[] {
  const load = native(
    'load_dataset(path, name=None, data_dir=None, data_files=None, split=None, **kwargs)',
    (session, [path, name = null, folder = null, files = null, split = null], kwargs) => {
      const odd = [...(kwargs ?? [])].find(([key, value]) => value !== null && !loadOptions.has(key))
      if (odd) throw notUnderstood(session.at, `load_dataset(${odd[0]}=…)`, 'leave it out')
      const request: DatasetRequest = { path: String(toPyValue(path!)) }
      if (name !== null) request.name = String(name)
      if (folder !== null) request.folder = String(toPyValue(folder))
      if (files !== null) request.files = toPyValue(files)
      if (split !== null) request.split = String(split)
      const splits = loaded(request)
      if (splits === undefined) throw new DataNeeded(request)
      if (split === null) return dictOfSplits(session, splits)
      return new DatasetValue(partOf(session, splits, request.split!))
    },
  )
  const dict = native('DatasetDict(mapping=None, /, **kwargs)', (session, [given = null], kwargs) => {
    if (given instanceof DatasetDictValue) return new DatasetDictValue(newDict(session, given.splits))
    if (given !== null && !isMutableDict(given)) throw notUnderstood(session.at, 'a DatasetDict of what is no dict', 'give a dict')
    return new DatasetDictValue(newDict(session, [...(given ?? []), ...(kwargs ?? [])]))
  })
  const others = ['concatenate_datasets', 'Dataset', '__version__'].map((name) => [name, datasets.attributes.get(name)!] as const)
  return [
    defineModule('datasets', {
      ...Object.fromEntries(others),
      DatasetDict: dict,
      load_dataset: load,
      load_from_disk: unsupported('load_from_disk'),
    }),
  ]
}

/** `train`, or a part of it: `train[:10]`, `train[10%:]`. */
function partOf(session: Session, splits: Splits, asked: string): Table {
  const [, name = asked, part] = /^(\w+)\[([^\]]*)\]$/.exec(asked) ?? []
  const table = Object.hasOwn(splits, name) ? splits[name] : undefined
  if (table === undefined)
    throw new PythonError('ValueError', `Unknown split "${name}". Should be one of ${JSON.stringify(Object.keys(splits))}.`)
  if (part === undefined) return table
  const [, from = '', to = ''] = /^(-?\d+)?:(-?\d+)?$/.exec(part) ?? []
  if (!/^(-?\d+)?:(-?\d+)?$/.test(part)) throw notUnderstood(session.at, `the split "${asked}"`, 'use whole numbers: train[10:20]')
  const length = table.rows.length
  const place = (text: string, byDefault: number) =>
    text === '' ? byDefault : Number(text) < 0 ? Math.max(0, length + Number(text)) : Number(text)
  const rows = table.rows.slice(place(from, 0), place(to, length))
  if (rows.length === 0) throw new PythonError('ValueError', `Instruction "${asked}" corresponds to no data!`)
  return { columns: table.columns, rows }
}

function unsupported(name: string): Builtin {
  return native(`${name}(*args, **kwargs)`, (session) => {
    throw notUnderstood(session.at, `datasets.${name}`, 'load the rows from JSON, CSV or Parquet files')
  })
}

function dictOfSplits(session: Session, splits: Splits): DatasetDictValue {
  return new DatasetDictValue(
    newDict(
      session,
      Object.entries(splits).map(([split, table]) => [split, new DatasetValue(table)]),
    ),
  )
}

/** What `load` gave: the rows of each split, or rows that are both train and test. */
export function tablesOf(session: Session, value: Value): Table | Splits | undefined {
  if (value instanceof DatasetValue) return value.table
  const splits = value instanceof DatasetDictValue ? value.splits : isMutableDict(value) ? value : undefined
  if (splits === undefined) return undefined
  const tables = [...splits].map(
    ([split, dataset]) => [String(split), dataset instanceof DatasetValue ? dataset.table : undefined] as const,
  )
  if (tables.some(([, table]) => table === undefined)) return undefined
  session.step(tables.length)
  return Object.fromEntries(tables as [string, Table][])
}
