import { PromptError } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import { isDictValue, isListValue } from '@rolecall/core/internal/python'
import { folderOf, joinPath, normalizePath } from '../../../python/interpreter/paths.ts'
import { readYaml } from './read-yaml.ts'

/** Reads a file by its path; undefined if it does not exist. */
export type ReadTaskFile = (path: string) => string | undefined

/** The keys of a task file. */
export type TaskKeys = Map<string, Value>

/**
 * A task file with its includes: included files from first to last, then its own keys; each key replaces the whole earlier value.
 * `task_list` is not inherited. As in the harness, no file may be included twice.
 */
export function loadTaskFile(path: string, read: ReadTaskFile, seen: Set<string> = new Set()): TaskKeys {
  const file = normalizePath(path)
  if (seen.has(file))
    throw new PromptError('include-twice', {
      where: file,
      problem: `it is included twice (${[...seen].join(', ')})`,
      fix: 'include it from one place only; lm-evaluation-harness refuses it, too',
    })
  seen.add(file)
  const own = readKeys(file, read)
  const included = own.get('include')
  if (included === undefined) return own
  own.delete('include')
  const merged: TaskKeys = new Map()
  for (const each of isListValue(included) ? included : [included]) {
    if (typeof each !== 'string')
      throw new PromptError('bad-include', {
        where: `${file} › include`,
        problem: 'it names no file',
        fix: 'write a path, or a list of paths',
      })
    const keys = loadTaskFile(joinPath(folderOf(file), each), read, seen)
    keys.delete('task_list')
    for (const [key, value] of keys) merged.set(key, value)
  }
  for (const [key, value] of own) merged.set(key, value)
  return merged
}

/** The keys of one file, including `include`. */
export function readKeys(file: string, read: ReadTaskFile): TaskKeys {
  const text = read(file)
  if (text === undefined)
    throw new PromptError('no-file', {
      where: file,
      problem: 'there is no such file',
      fix: 'check the path, or the "include" that names it',
    })
  const keys = readYaml(text, file)
  if (!isDictValue(keys))
    throw new PromptError('not-a-task', {
      where: file,
      problem: 'it holds no keys',
      fix: 'write "task: NAME" and the other keys of a task',
    })
  return new Map([...(keys as ReadonlyMap<Value, Value>)].map(([key, value]) => [String(key), value]))
}
