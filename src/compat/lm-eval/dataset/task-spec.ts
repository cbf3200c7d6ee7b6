import {
  dictFromEntries,
  dictGet,
  dictKeys,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
  parseJson,
  pyFloat,
} from '../../../base/python/index.ts'
import { entriesOf, makeDict } from '../../../base/python/values/dict.ts'
import { isDictValue, isListValue, type Value } from '../../../base/python/values/value.ts'
import { functionHost } from '../python/function-host.ts'
import type { Doc } from '../task/field.ts'
import { openTask, type Task } from '../task/task.ts'
import { readTask } from '../task/task-config.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { TaskKeys } from '../yaml/load-task-file.ts'

/** A task as plain data, which a config can hold: its keys, the Python files of its functions, and how it is asked. */
export type TaskSpec = {
  /** The YAML file, for errors. */
  file: string
  /** What it says, with what it includes; functions are `{ $python, file }`. */
  task: Readonly<Record<string, unknown>>
  /** The Python files that its functions were read from. */
  files: Readonly<Record<string, string>>
  /** The documents that are asked, each as JSON, which keeps a float a float; how all are asked is decided by the first. */
  rows: readonly string[]
  /** The documents that are shown as examples; rows number them in the column `fewshot_examples`. */
  pool: readonly string[]
  apply_chat_template: boolean
  fewshot_as_multiturn: boolean
  system_instruction?: string
}

/** The column of a row that numbers its examples. */
export const examplesColumn = 'fewshot_examples'

const opened = new WeakMap<object, Task>()
const parsed = new WeakMap<object, readonly Doc[]>()

/** The rows of a task's dataset, read once. */
export function taskRows(texts: readonly string[]): readonly Doc[] {
  const known = parsed.get(texts)
  if (known) return known
  const docs = texts.map((text) => parseJson(text) as Doc)
  parsed.set(texts, docs)
  return docs
}

/** The task of a dataset, read once. */
export function taskOf(spec: TaskSpec): Task {
  const known = opened.get(spec)
  if (known) return known
  const keys: TaskKeys = new Map(Object.entries(spec.task).map(([key, value]) => [key, fromData(value as PyValue)]))
  const task = openTask(
    readTask(keys, spec.file),
    taskRows(spec.rows).slice(0, 1).map(docOfRow),
    taskRows(spec.pool),
    functionHost((path) => spec.files[path]),
  )
  opened.set(spec, task)
  return task
}

/** The document of a row: all its columns but the numbers of its examples. */
export function docOfRow(row: Doc): Doc {
  return dictFromEntries(dictKeys(row).flatMap((name) => (name === examplesColumn ? [] : [[name, dictGet(row, name) ?? null] as const])))
}

/** The examples that a row numbers. */
export function examplesOfRow(spec: TaskSpec, row: Doc): Doc[] {
  const numbers = dictGet(row, examplesColumn)
  return isList(numbers) ? numbers.map((number) => taskRows(spec.pool)[Number(number)]!) : []
}

/** Keys of a task as plain data. */
export function toTaskData(value: Value): PyValue {
  if (value instanceof FunctionMark) return { $python: value.path, file: value.file }
  if (value instanceof PyFloat) return { $float: value.value }
  if (isListValue(value)) return value.map(toTaskData)
  if (!isDictValue(value)) return value as PyValue
  const entries = entriesOf(value)
  if (entries.every(([key]) => typeof key === 'string'))
    return dictFromEntries(entries.map(([key, item]) => [key as string, toTaskData(item)]))
  // Keys that are not texts, as in a mapping of replies.
  return { $map: entries.map(([key, item]) => [toTaskData(key), toTaskData(item)]) }
}

function fromData(value: PyValue): Value {
  if (isList(value)) return value.map(fromData)
  if (!isDict(value)) return value as Value
  const path = dictGet(value, '$python')
  if (path !== undefined) return new FunctionMark(String(path), String(dictGet(value, 'file')))
  const number = dictGet(value, '$float')
  if (number !== undefined) return pyFloat(Number(number))
  const map = dictGet(value, '$map')
  if (isList(map))
    return makeDict((map as readonly (readonly [PyValue, PyValue])[]).map(([key, item]) => [fromData(key), fromData(item)] as const))
  return makeDict(dictKeys(value as PyDict).map((key) => [key, fromData(dictGet(value, key) ?? null)] as const))
}
