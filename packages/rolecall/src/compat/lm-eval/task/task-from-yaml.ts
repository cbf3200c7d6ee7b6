import { PromptError } from '@rolecall/core/internal/errors'
import { isDictValue, type Value } from '@rolecall/core/internal/python'
import { readYaml } from '../yaml/read-yaml.ts'
import { configOf } from './class-config.ts'
import type { Doc } from './field.ts'
import { openTask, type Task } from './task.ts'
import type { FindFunction } from './task-function.ts'

/** Without files, no function can be found. */
export const noFunctions: FindFunction = ({ path, file }) => {
  throw new PromptError('no-function', {
    where: file,
    problem: `there is no file with the function ${path}`,
    fix: 'give the folder of the task',
  })
}

/**
 * A task from the text of one YAML file without functions or includes.
 *
 * @example taskFromYaml('task: t\ndoc_to_text: "{{q}}"\ndoc_to_target: a', [{ q: '1+1', a: '2' }]).asked.text({ q: '3+3', a: '6' }) // => '3+3'
 */
export function taskFromYaml(text: string, docs: readonly Doc[], pool?: readonly Doc[]): Task {
  const keys = readYaml(text, 'task.yaml')
  if (!isDictValue(keys))
    throw new PromptError('not-a-task', { where: 'task.yaml', problem: 'it holds no keys', fix: 'write "task: NAME"' })
  return openTask(configOf(new Map([...(keys as ReadonlyMap<string, Value>)]), 'task.yaml', noFunctions), docs, pool, noFunctions)
}
