import { metricsOfTask } from '../metric/task-metrics.ts'
import type { Task } from '../task/task.ts'

/** What needs to know whether a text is the model's greedy output: a metric, by name, a function that may use it, or a log of samples. */
export type GreedyNeed = 'acc' | 'exact_match' | 'function' | 'samples'

const known = new WeakMap<Task, GreedyNeed | 'nothing'>()

/** The metric of a task that needs to know whether each token was the most likely one; cached. */
export function greedyNeed(task: Task): GreedyNeed | undefined {
  const need = known.get(task) ?? findNeed(task)
  known.set(task, need)
  return need === 'nothing' ? undefined : need
}

function findNeed({ config, find }: Task): GreedyNeed | 'nothing' {
  const { outputType } = config
  if (config.own) return 'function'
  if (outputType !== 'multiple_choice' && outputType !== 'loglikelihood') return 'nothing'
  if (config.processResults) return 'function'
  const metric = outputType === 'multiple_choice' ? 'exact_match' : 'acc'
  return metricsOfTask(config, find).some(({ name }) => name === metric) ? metric : 'nothing'
}
