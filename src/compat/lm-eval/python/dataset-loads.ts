import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictEntries } from '../../../base/python/index.ts'
import { defineModule, native } from '../../../base/python/interpreter/modules/define-module.ts'
import type { Session } from '../../../base/python/interpreter/session.ts'
import { type ModuleValue, NativeObject } from '../../../base/python/interpreter/values.ts'
import { notUnderstood } from '../../../base/python/syntax/import-error.ts'
import { isListValue, type Value } from '../../../base/python/values/value.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { fromAll } from '../../opencompass/loaders/table.ts'
import { DatasetValue, datasets } from './dataset-value.ts'

/** Rows that a function loads: those of a split, or of files of a dataset. */
export type RowsRequest = { path: string; name?: string; split: string; files?: readonly string[] }

/** Rows that have been read already; undefined if not. */
export type KnownRows = (request: RowsRequest) => readonly Row[] | undefined

/** For functions that run when all rows have been made. */
export const noRows: KnownRows = ({ path }) => {
  throw new PromptError('no-data', {
    where: path,
    problem: 'a function that scores replies loads a dataset',
    fix: 'load it in process_docs or custom_dataset',
  })
}

/** Ends a function that needs rows: the caller reads them and calls the function again. */
export class RowsNeeded extends Error {
  constructor(readonly request: RowsRequest) {
    super(`the rows of ${request.path} are needed`)
  }
}

/** What `load_dataset` returns without a split: each split is loaded when it is used. */
class DatasetDict extends NativeObject {
  readonly typeName = 'DatasetDict'

  constructor(readonly load: (split: string) => Value) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    throw notUnderstood(session.at, `DatasetDict.${name}`, 'name a split')
  }

  override items(session: Session): never {
    throw notUnderstood(session.at, 'a loop over the splits of a dataset', 'name the splits')
  }

  override item(_: Session, key: Value): Value {
    return this.load(String(key))
  }
}

/** Options of `load_dataset` that do not change its rows. */
const loadOptions = new Set([
  'token',
  'cache_dir',
  'trust_remote_code',
  'num_proc',
  'download_mode',
  'keep_in_memory',
  'revision',
  'features',
])

function loadDataset(knownRows: KnownRows): Value {
  return native('load_dataset(path, name=None, **kwargs)', (session, [path, name = null], kwargs) => {
    const { split = null, data_files: files = null, ...others } = Object.fromEntries(kwargs ?? [])
    const odd = Object.entries(others).find(([key, value]) => value !== null && !loadOptions.has(key))
    if (odd) throw notUnderstood(session.at, `load_dataset(${odd[0]}=…)`, 'give processed rows instead')
    const named = files === null ? [] : (isListValue(files) ? files : [files]).map(String)
    const load = (part: string) => {
      const request: RowsRequest = {
        path: String(path),
        split: part,
        ...(name === null ? {} : { name: String(name) }),
        ...(named.length > 0 ? { files: named } : {}),
      }
      const rows = knownRows(request)
      if (rows === undefined) throw new RowsNeeded(request)
      return new DatasetValue(fromAll(rows.map((row) => new Map(dictEntries(row)))))
    }
    return split === null ? new DatasetDict(load) : load(String(split))
  })
}

/** `datasets`; `knownRows` are those that `load_dataset` returns. */
export function makeDatasets(knownRows: KnownRows): ModuleValue {
  return defineModule('datasets', { ...Object.fromEntries(datasets.attributes), load_dataset: loadDataset(knownRows) })
}
