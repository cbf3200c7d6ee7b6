import { PromptError } from '../../../base/errors/prompt-error.ts'
import { listOf } from '../../../base/python/values/iterate.ts'
import type { Value } from '../../../base/python/values/value.ts'
import type { FindFunction } from '../task/task-function.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { Step } from './apply-filters.ts'

/** `function: custom` with `filter_fn`, or a function in its place: it is given all replies and all documents. */
export function functionFilter(name: string | FunctionMark, options: ReadonlyMap<string, Value>, where: string, find: FindFunction): Step {
  const mark = typeof name === 'string' ? options.get('filter_fn') : name
  if (!(mark instanceof FunctionMark))
    throw new PromptError('bad-filter', {
      where: `${where}.filter_fn`,
      problem: 'it is not a function',
      fix: 'write "!function module.name"',
    })
  const run = find(mark)
  return (given) => {
    const made = listOf(run.call([given.map(({ replies }) => replies), given.map(({ doc }) => doc as Value)]))
    if (made.length === given.length) return [...made]
    throw new PromptError('bad-filter', {
      where,
      problem: `${mark.path} gives ${made.length} results for ${given.length} requests`,
      fix: 'return one for each',
    })
  }
}
