import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictEntries, isDict, type PyDict } from '../../../base/python/index.ts'
import { entriesOf } from '../../../base/python/values/dict.ts'
import { isDictValue, isListValue, type Value } from '../../../base/python/values/value.ts'
import { type KnownRows, RowsNeeded, type RowsRequest } from '../../../compat/lm-eval/python/dataset-loads.ts'
import type { TaskConfig } from '../../../compat/lm-eval/task/task-config.ts'
import type { FindFunction } from '../../../compat/lm-eval/task/task-function.ts'
import type { Row } from '../../../prompt/conversation/row.ts'

/** More than the functions of any task load. */
const mostLoads = 50

/** Runs functions that load datasets: each time one needs rows, they are read, and `run` starts again. */
export async function withLoadedRows<Result>(
  load: (request: RowsRequest) => Promise<readonly Row[]>,
  run: (known: KnownRows) => Result,
): Promise<Result> {
  const rows = new Map<string, readonly Row[]>()
  for (;;) {
    try {
      return run((request) => rows.get(JSON.stringify(request)))
    } catch (error) {
      if (!(error instanceof RowsNeeded) || rows.size >= mostLoads) throw error
      rows.set(JSON.stringify(error.request), await load(error.request))
    }
  }
}

/** The rows by split that `custom_dataset` makes: it is called with the metadata of the task and its `dataset_kwargs`. */
export function customRows(config: TaskConfig, find: FindFunction, metadata: ReadonlyMap<string, Value>): Map<string, Row[]> {
  const mark = config.customDataset!
  const made = find(mark).call([], new Map([...metadata, ...config.dataset.options]))
  const splits = isDictValue(made) ? entriesOf(made) : []
  if (splits.length > 0 && splits.every(([, rows]) => isListValue(rows) && rows.every((row) => isDict(row))))
    return new Map(
      splits.map(([split, rows]) => [String(split), (rows as readonly PyDict[]).map((row) => Object.fromEntries(dictEntries(row)))]),
    )
  throw new PromptError('bad-documents', {
    where: mark.file,
    problem: `${mark.path} returns no datasets`,
    fix: 'let it return a dict of datasets, by split',
  })
}
