import { PromptError } from '../../base/errors/prompt-error.ts'
import { str } from '../../base/python/values/repr.ts'
import { plainText } from '../../base/python/values/text.ts'
import { isListValue, Tuple, type Value } from '../../base/python/values/value.ts'
import { pipelinesOf } from './filter/apply-filters.ts'
import { measure } from './metric/measure.ts'
import { metricsOfTask } from './metric/task-metrics.ts'
import { requestsOf } from './prompt/task-requests.ts'
import type { Task } from './task/task.ts'

/**
 * Filters and measures made-up replies to the first document, to find an unsupported function before anything is sent. Its results and
 * exceptions do not matter, since real replies differ.
 */
export function tryReplies(task: Task, isChat: boolean): void {
  const { config, find, docs } = task
  const doc = docs[0]!
  try {
    const replies = requestsOf(task, doc, { examples: [], isChat }).map(({ kind }): Value[] => {
      if (kind === 'generate') return [standIn(task.asked.target(doc))]
      return [kind === 'rolling' ? -1 : new Tuple([-1, false])]
    })
    const metrics = metricsOfTask(config, find)
    const process = config.processResults && find(config.processResults)
    for (const pipeline of pipelinesOf(config.filters, config.where, find))
      measure(task, metrics, doc, pipeline.apply(replies.map((given) => ({ replies: given, doc }))), process)
  } catch (error) {
    if (error instanceof PromptError && error.code === 'not-understood') throw error
  }
}

/** The right answer exercises most of a function. */
function standIn(target: Value): string {
  const first = isListValue(target) ? (target[0] ?? '') : target
  return typeof first === 'string' ? first : plainText(str(first))
}
