import { PromptError } from '../../base/errors/prompt-error.ts'
import { compileTemplate } from '../../base/jinja/index.ts'
import { entriesOf } from '../../base/python/values/dict.ts'
import { isDictValue, isListValue, type Value } from '../../base/python/values/value.ts'
import { pipelinesOf } from './filter/apply-filters.ts'
import { metricsOfTask } from './metric/task-metrics.ts'
import { readTask } from './task/task-config.ts'
import type { FindFunction } from './task/task-function.ts'
import { taskDialect } from './task/template-dialect.ts'
import { FunctionMark } from './yaml/function-mark.ts'
import type { TaskKeys } from './yaml/load-task-file.ts'

/** What can be checked in a task without its data: whether every name it uses is known, and which functions it has. */
export type TaskCheck = { outputType?: string; functions: string[]; problem?: { code: string; where: string; text: string } }

/** Checks a task's keys, templates, filters, metrics and functions. What its functions do with documents shows only when they run. */
export function checkTask(keys: TaskKeys, file: string, find: FindFunction): TaskCheck {
  const functions = functionsOf(keys)
  const names = [...new Set(functions.map(({ path }) => path))]
  try {
    const config = readTask(keys, file)
    for (const mark of functions) find(mark)
    for (const field of [config.docToText, config.docToTarget, config.docToChoice, config.description, config.genPrefix])
      if (typeof field === 'string') compileTemplate(field, { name: file, dialect: taskDialect })
    pipelinesOf(config.filters, config.where, find)
    metricsOfTask(config, find)
    return { outputType: config.outputType, functions: names }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return { functions: names, problem: { code: error.code, where: error.where, text: error.problem } }
  }
}

/** All functions that a task names. */
export function functionsOf(keys: TaskKeys): FunctionMark[] {
  return [...keys.values()].flatMap(marksIn)
}

function marksIn(value: Value): FunctionMark[] {
  if (value instanceof FunctionMark) return [value]
  if (isListValue(value)) return value.flatMap(marksIn)
  return isDictValue(value) ? entriesOf(value).flatMap(([, item]) => marksIn(item)) : []
}
