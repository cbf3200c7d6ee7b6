import type { Value } from '../../../base/python/values/value.ts'
import type { FilterPipeline } from '../task/task-config.ts'
import type { FindFunction } from '../task/task-function.ts'
import { filterNamed, type Replies, type ReplyFilter } from './filters.ts'
import { functionFilter } from './function-filter.ts'

/** A `filter_list` entry, ready to be used on all requests of a task. */
export type Pipeline = { name: string; apply(given: readonly Replies[]): Value[] }

/** The pipelines of a task; without any the first reply is taken, under the name "none". */
export function pipelinesOf(given: readonly FilterPipeline[] | undefined, where: string, find: FindFunction): Pipeline[] {
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

/** Changes the replies of all requests at once: filters that are functions see them together. */
export type Step = (given: readonly Replies[]) => Value[]

function onEach(filter: ReplyFilter): Step {
  return (given) => given.map(filter)
}

function pipeline(name: string, steps: readonly Step[]): Pipeline {
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
