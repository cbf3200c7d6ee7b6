import { PromptError } from '@rolecall/core/internal/errors'
import { functionsOf } from '../../compat/lm-eval/check-task.ts'
import { type FunctionHost, functionHost, type HostOptions } from '../../compat/lm-eval/python/function-host.ts'
import type { TaskKeys } from '../../compat/lm-eval/yaml/load-task-file.ts'
import type { RandomSource } from '../../python/interpreter/modules/random-module.ts'
import { PythonRandom } from '../../python/library/random.ts'
import type { TaskIndex } from './task-index.ts'

/** The functions of a task, and the Python files that define them. */
export function functionsWithFiles(
  keys: TaskKeys,
  index: TaskIndex,
  options: HostOptions = {},
): { find: FunctionHost; sources: Record<string, string> } {
  const sources: Record<string, string> = {}
  const find = functionHost((path) => {
    const text = index.read(path)
    if (text !== undefined) sources[path] = text
    return text
  }, options)
  for (const mark of functionsOf(keys)) find(mark)
  return { find, sources }
}

/**
 * The same, whose random numbers begin where those of the task before ended: from the start at each attempt to load what they need. Modules
 * that draw as they are imported are imported again when prompts are made, and so begin with the seed.
 */
export function startedFunctions(
  keys: TaskKeys,
  index: TaskIndex,
  options: HostOptions & { random: RandomSource },
  [before, seeded]: readonly [PythonRandom, PythonRandom],
): ReturnType<typeof functionsWithFiles> {
  options.random.random = new PythonRandom(before)
  const found = functionsWithFiles(keys, index, options)
  if (found.find.draws() === 0) return found
  options.random.random = new PythonRandom(seeded)
  return functionsWithFiles(keys, index, options)
}

/** The part of a task that its process_results may need; reading the module of a `custom_dataset` can take seconds. */
export function scoringKeys(keys: TaskKeys): TaskKeys {
  return new Map([...keys].filter(([key]) => key !== 'custom_dataset'))
}

/** Replies that are programs run in the Python sandbox where `code_eval` would run them; a task's own ways to run them are not supported. */
export function refuseOtherCode(keys: TaskKeys, where: string, index: TaskIndex): void {
  const { sources } = functionsWithFiles(keys, index)
  if (Object.values(sources).some((text) => /code_eval|multiprocessing\.Process\(/.test(text))) return
  throw new PromptError('bad-task', {
    where: `${where} › unsafe_code`,
    problem: 'its functions run code by means other than code_eval or a process',
    fix: "use metrics that call Hugging Face's code_eval, or leave the task out",
  })
}
