import { dictEntries, isListValue, notUnderstood, type Value } from '@rolecall/core/internal/python'
import { defineModule, native } from '../../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { type ModuleValue, NativeObject } from '../../../python/interpreter/values.ts'
import { fromAll } from '../../opencompass/loaders/table.ts'
import { DatasetValue, datasets } from './dataset-value.ts'
import { LoadingFunction, Needed, type Provided, type RowsRequest } from './provided.ts'

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

function loadDataset(provided: Provided): Value {
  const load = native('load_dataset(path, name=None, **kwargs)', (session, [path, name = null], kwargs) => {
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
      const rows = provided.rows(request)
      if (rows === undefined) throw new Needed({ rows: request })
      return new DatasetValue(fromAll(rows.map((row) => new Map(dictEntries(row)))))
    }
    return split === null ? new DatasetDict(load) : load(String(split))
  })
  return new LoadingFunction(load, 'rows')
}

/** `datasets`, with `load_dataset`, and with `load_metric`, which older versions had in place of `evaluate.load`. */
export function makeDatasets(provided: Provided, loadMetric: Value): ModuleValue {
  return defineModule('datasets', {
    ...Object.fromEntries(datasets.attributes),
    load_dataset: loadDataset(provided),
    load_metric: loadMetric,
  })
}
