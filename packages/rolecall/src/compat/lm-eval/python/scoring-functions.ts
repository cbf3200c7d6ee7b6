import type { TaskConfig } from '../task/task-config.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { FunctionRole } from './sandboxed-function.ts'

/** The functions of a task that score replies, with what they are called for: those that Python itself can run. */
export function scoringFunctions({ processResults, metrics = [], filters = [] }: TaskConfig): ReadonlyMap<FunctionMark, FunctionRole> {
  const found = new Map<FunctionMark, FunctionRole>()
  const add = (mark: unknown, role: FunctionRole) => mark instanceof FunctionMark && found.set(mark, role)
  for (const { metric, aggregation } of metrics) {
    add(metric, 'metric')
    add(aggregation, 'aggregation')
  }
  for (const { name, options } of filters.flatMap(({ steps }) => steps)) add(name === 'custom' ? options.get('filter_fn') : name, 'filter')
  add(processResults, 'process_results')
  return found
}
