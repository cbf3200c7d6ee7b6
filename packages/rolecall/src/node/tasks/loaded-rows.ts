import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, entriesOf, isDict, isDictValue, isListValue, type PyDict, type Value } from '@rolecall/core/internal/python'
import { Needed, type Provided, type RowsRequest, type TaskTokenizer } from '../../compat/lm-eval/python/provided.ts'
import type { TaskConfig } from '../../compat/lm-eval/task/task-config.ts'
import type { FindFunction } from '../../compat/lm-eval/task/task-function.ts'

/** More than the functions of any task load. */
const mostLoads = 50

/** Reads what functions load. */
export type Loaders = {
  rows(request: RowsRequest): Promise<readonly Row[]>
  tokenizer(name: string): Promise<TaskTokenizer>
  page(url: string): Promise<string>
  packageFile: NonNullable<Provided['packageFile']>
}

/** Runs functions that load something: each time, it is read, and `run` starts again. */
export async function withLoaded<Result>(loaders: Loaders, run: (provided: Provided) => Result): Promise<Result> {
  const rows = new Map<string, readonly Row[]>()
  const tokenizers = new Map<string, TaskTokenizer>()
  const pages = new Map<string, string>()
  for (let loads = 0; ; loads++) {
    try {
      return run({
        rows: (request) => rows.get(JSON.stringify(request)),
        tokenizer: (name) => tokenizers.get(name),
        page: (url) => pages.get(url),
        packageFile: loaders.packageFile,
      })
    } catch (error) {
      if (!(error instanceof Needed)) throw error
      if (loads >= mostLoads)
        throw new PromptError('function-limit', {
          where: '--tasks',
          problem: `functions of a task load data more than ${mostLoads} times (the last: ${JSON.stringify(error.need)})`,
          fix: 'load less, or give processed rows',
        })
      const { need } = error
      if ('rows' in need) rows.set(JSON.stringify(need.rows), await loaders.rows(need.rows))
      else if ('tokenizer' in need) tokenizers.set(need.tokenizer, await loaders.tokenizer(need.tokenizer))
      else pages.set(need.page, await loaders.page(need.page))
    }
  }
}

/** The rows by split that `custom_dataset` makes: it is called with the metadata of the task and its `dataset_kwargs`. */
export function customRows(config: TaskConfig, find: FindFunction, metadata: ReadonlyMap<string, Value>): Map<string, Row[]> {
  const mark = config.customDataset!
  const made = find(mark).callOnce([], new Map([...metadata, ...config.dataset.options]))
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
