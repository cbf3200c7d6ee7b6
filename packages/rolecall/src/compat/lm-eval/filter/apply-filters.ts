import { PromptError } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import { listOf } from '@rolecall/core/internal/python'
import type { FilterPipeline } from '../task/task-config.ts'
import type { FindFunction } from '../task/task-function.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { filterNamed, type Replies, type ReplyFilter } from './reply-filters.ts'

/** A `filter_list` entry, ready to apply to all requests of a task. */
export type ReplyPipeline = { name: string; apply(given: readonly Replies[]): Value[] }

/** The pipelines of a task. A task without any takes the first reply, under the name "none". */
export function pipelinesOf(given: readonly FilterPipeline[] | undefined, where: string, find: FindFunction): ReplyPipeline[] {
  if (given === undefined) return [pipeline('none', [onEach(filterNamed('take_first', new Map(), where))])]
  return given.map(({ name, steps }) =>
    pipeline(
      name,
      steps.map(({ name: filter, options, where: place }) =>
        typeof filter === 'string' && filter !== 'custom'
          ? onEach(filterNamed(filter, options, place))
          : functionFilter(filter, options, place, find),
      ),
    ),
  )
}

/** Transforms the replies of all requests together, since function filters need all of them. */
type Step = (given: readonly Replies[]) => Value[]

function onEach(filter: ReplyFilter): Step {
  return (given) => given.map(filter)
}

function pipeline(name: string, steps: readonly Step[]): ReplyPipeline {
  return {
    name,
    apply(given) {
      let now = given
      for (const step of steps) {
        const changed = step(now)
        now = now.map(({ doc }, index) => ({ doc, replies: changed[index] ?? null }))
      }
      return now.map(({ replies }) => replies)
    },
  }
}

/** `function: custom` with `filter_fn`, or a function or a class of filters in its place; it receives all replies and all documents. */
function functionFilter(name: string | FunctionMark, options: ReadonlyMap<string, Value>, where: string, find: FindFunction): Step {
  const mark = typeof name === 'string' ? options.get('filter_fn') : name
  if (!(mark instanceof FunctionMark))
    throw new PromptError('bad-filter', {
      where: `${where}.filter_fn`,
      problem: 'it is not a function',
      fix: 'write "!function module.name"',
    })
  const run = find(mark)
  const settings = new Map([...options].filter(([key]) => key !== 'filter_fn'))
  return (given) => {
    const args = [given.map(({ replies }) => replies), given.map(({ doc }) => doc as Value)]
    const made = listOf(run.callMethod ? run.callMethod(settings, 'apply', args) : run.call(args))
    if (made.length === given.length) return [...made]
    throw new PromptError('bad-filter', {
      where,
      problem: `${mark.path} gives ${made.length} results for ${given.length} requests`,
      fix: 'return one for each',
    })
  }
}
