import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictFromEntries,
  dictGet,
  dictKeys,
  entriesOf,
  isDict,
  isDictValue,
  isList,
  isListValue,
  makeDict,
  type PyDict,
  PyFloat,
  type PyValue,
  parseJson,
  pyFloat,
  type Value,
} from '@rolecall/core/internal/python'
import type { RandomSource } from '../../../python/interpreter/modules/random-module.ts'
import { PythonRandom } from '../../../python/library/random.ts'
import { functionHost, randomSource } from '../python/function-host.ts'
import { type FunctionRole, pythonFunction } from '../python/sandboxed-function.ts'
import { scoringFunctions } from '../python/scoring-functions.ts'
import { configOf } from '../task/class-config.ts'
import type { Doc } from '../task/field.ts'
import { openTask, type Task } from '../task/task.ts'
import type { TaskConfig } from '../task/task-config.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { TaskKeys } from '../yaml/load-task-file.ts'
import { docIn, examplesIn } from './documents-as-rows.ts'

/** A task as plain data that a config can hold: its keys, the Python files of its functions, its documents, and how it is prompted. */
export type TaskSpec = {
  /** The YAML file, for errors. */
  file: string
  /** Its keys, includes resolved; functions are `{ $python, file }`. */
  task: Readonly<Record<string, unknown>>
  /** The Python files that define its functions: path → text. */
  files: Readonly<Record<string, string>>
  /** The evaluated documents, each as JSON, which keeps a float a float. The first one decides how all are prompted. */
  rows: readonly string[]
  /** The documents shown as examples; the rows hold their indices. */
  pool: readonly string[]
  apply_chat_template: boolean
  fewshot_as_multiturn: boolean
  system_instruction?: string
  /** The seeds of lm-evaluation-harness, where they are not its defaults: of `random`, numpy, torch and the few-shot examples. */
  seeds?: readonly number[]
  /** Where only some documents are evaluated: their numbers, and how many documents there are. */
  selected?: { numbers: readonly number[]; of: number }
  /** These functions run in the Python sandbox, with these wheels. */
  python?: PythonPackages
  /** Samples are logged, which tell whether a text is the model's greedy output. */
  log_samples?: boolean
}

/** Wheels as paths, with their hashes, and the functions that need them; in older runs, that was `process_results`. */
export type PythonPackages = { wheels: readonly { file: string; sha256: string }[]; functions?: readonly string[] }

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isFlag = (value: unknown) => typeof value === 'boolean'

const checks: Readonly<
  Record<Exclude<keyof TaskSpec, 'system_instruction' | 'seeds' | 'selected' | 'python' | 'log_samples'>, (value: unknown) => boolean>
> = {
  file: isText,
  task: isRecord,
  files: isRecord,
  rows: isTexts,
  pool: isTexts,
  apply_chat_template: isFlag,
  fewshot_as_multiturn: isFlag,
}

const checked = new WeakSet<object>()

/** The spec in a dataset's `lm_eval` key: the same object, since what is computed from it is cached by identity. */
export function readTaskSpec(value: unknown, where: string): TaskSpec {
  const given = isRecord(value) ? (value as Partial<TaskSpec>) : {}
  if (checked.has(given)) return given as TaskSpec
  for (const [key, isValid] of Object.entries(checks)) {
    if (isValid(given[key as keyof TaskSpec])) continue
    throw new PromptError('bad-task', {
      where: `${where} › lm_eval.${key}`,
      problem: given[key as keyof TaskSpec] === undefined ? 'it is missing' : 'it has the wrong type',
      fix: 'let --tasks write this key (docs/lm-eval.md)',
    })
  }
  checked.add(given)
  return given as TaskSpec
}

const opened = new WeakMap<object, Task>()
const parsed = new WeakMap<object, readonly Doc[]>()

/** Parses the rows of a task's dataset; cached. */
export function taskRows(texts: readonly string[]): readonly Doc[] {
  const known = parsed.get(texts)
  if (known) return known
  const docs = texts.map((text) => parseJson(text) as Doc)
  parsed.set(texts, docs)
  return docs
}

/** The keys of a task's file, includes resolved. */
export function keysOf(spec: TaskSpec): TaskKeys {
  return new Map(Object.entries(spec.task).map(([key, value]) => [key, fromData(value as PyValue)]))
}

/** Opens the task of a dataset; cached. */
export function taskOf(spec: TaskSpec): Task {
  const known = opened.get(spec)
  if (known) return known
  const random = randomSource(spec.seeds?.[0])
  const find = functionHost((path) => spec.files[path], { random, numpySeed: spec.seeds?.[1] })
  sources.set(spec, random)
  const config = configOf(keysOf(spec), spec.file, find)
  const inPython = rolesInPython(spec, config)
  const task = openTask(config, taskRows(spec.rows).slice(0, 1).map(docOfRow), taskRows(spec.pool), (mark) => {
    const role = inPython.get(mark)
    return role === undefined ? find(mark) : pythonFunction(mark, role)
  })
  opened.set(spec, task)
  return task
}

/** The generator that the functions of a task draw from. */
const sources = new WeakMap<TaskSpec, RandomSource>()

/** Runs something that is repeated later: Python's generator of the task is then as before, so that the same numbers are drawn again. */
export function withoutDraws<Result>(spec: TaskSpec, run: () => Result): Result {
  const source = sources.get(spec)
  if (source === undefined) return run()
  const before = new PythonRandom(source.random)
  try {
    return run()
  } finally {
    source.random = before
  }
}

/** The functions of a task that Python itself runs, with what they are called for. */
export function rolesInPython({ python }: TaskSpec, config: TaskConfig): ReadonlyMap<FunctionMark, FunctionRole> {
  if (python === undefined) return new Map()
  const { functions } = python
  const isOne = (mark: FunctionMark) => functions?.includes(mark.path) ?? mark === config.processResults
  return new Map([...scoringFunctions(config)].filter(([mark]) => isOne(mark)))
}

/** The document of a row. */
export const docOfRow = docIn

/** The examples of a row. */
export function examplesOfRow(spec: TaskSpec, row: Doc): Doc[] {
  return examplesIn(row, taskRows(spec.pool))
}

/** A value of a task's YAML as plain data. */
export function toTaskData(value: Value): PyValue {
  if (value instanceof FunctionMark) return { $python: value.path, file: value.file }
  if (value instanceof PyFloat) return { $float: value.value }
  if (isListValue(value)) return value.map(toTaskData)
  if (!isDictValue(value)) return value as PyValue
  const entries = entriesOf(value)
  if (entries.every(([key]) => typeof key === 'string'))
    return dictFromEntries(entries.map(([key, item]) => [key as string, toTaskData(item)]))
  // Keys that are not strings, as in a mapping of replies.
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
