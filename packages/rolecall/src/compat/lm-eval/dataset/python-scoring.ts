import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue, Value } from '@rolecall/core/internal/python'
import { plainText, str } from '@rolecall/core/internal/python'
import { type Evaluator, leaving, standInText } from '../../../evaluation/score/evaluate/evaluator.ts'
import { aggregationRuns, metricValues, type TaskResults, type TaskSample } from '../evaluate-task.ts'
import { pipelinesOf } from '../filter/apply-filters.ts'
import { measure } from '../metric/measure.ts'
import { metricsOfTask, type TaskMetric } from '../metric/task-metrics.ts'
import { downloadCommand, firstUnavailable, sandboxHint } from '../python/download-command.ts'
import { callsProgram, resultsIn, setupCode } from '../python/python-program.ts'
import { type CallResults, type FunctionRole, withResults } from '../python/sandboxed-function.ts'
import type { Doc } from '../task/field.ts'
import type { Task } from '../task/task.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { docOfRow, rolesInPython, type TaskSpec, withoutDraws } from './task-spec.ts'

/** Resamples for standard errors that have no formula. */
export const resamples = 1000

/** Whether a function that Python itself runs is called for each reply, and not only for all of them together. */
export function runsPerReply(spec: TaskSpec, { config }: Task): boolean {
  return [...rolesInPython(spec, config).values()].some((role) => role !== 'aggregation')
}

/** How functions run in Python: what they need, the programs for a reply, and those for all replies. */
export function inPython(
  spec: TaskSpec,
  task: Task,
  metrics: readonly TaskMetric[],
): Pick<Evaluator<TaskSample[]>, 'runs' | 'setup' | 'summaryRuns'> {
  const roles = rolesInPython(spec, task.config)
  return {
    setup: {
      code: setupCode(spec, [...roles.keys()]),
      files: spec.python!.wheels.map(({ file }) => file),
      error: (said) => noPython(task, roles, said),
    },
    ...(runsPerReply(spec, task)
      ? {
          runs: (row, answer) => {
            const doc = docOfRow(row)
            return callsProgram(spec, scoringRuns(task, metrics, doc, [[answer]]), (run) => withoutDraws(spec, run))
          },
        }
      : {}),
    ...([...roles.values()].includes('aggregation')
      ? { summaryRuns: (kept) => callsProgram(spec, [...runsInPython(spec, task, kept.flat(), metrics).values()]) }
      : {}),
  }
}

/** What scores the replies to a document: a run for each list of filters. */
function scoringRuns(task: Task, metrics: readonly TaskMetric[], doc: Doc, replies: readonly Value[][]): (() => unknown)[] {
  const { config, find } = task
  const process = config.processResults && find(config.processResults)
  return pipelinesOf(config.filters, config.where, find).map((pipeline) => () => {
    const filtered = pipeline.apply(replies.map((given) => ({ replies: given, doc })))
    measure(task, metrics, doc, filtered, process)
  })
}

/** What aggregates the samples in Python: a run for each metric and filter, in an order that does not depend on that of the samples. */
function runsInPython(
  spec: TaskSpec,
  { config }: Task,
  samples: readonly TaskSample[],
  metrics: readonly TaskMetric[],
): ReadonlyMap<string, () => unknown> {
  const roles = rolesInPython(spec, config)
  const own = metrics.filter((_, index) => {
    const aggregation = config.metrics?.[index]?.aggregation
    return aggregation instanceof FunctionMark && roles.has(aggregation)
  })
  return new Map([...aggregationRuns(samples, own)].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The results of the calls for a reply, by filter. */
export function resultsOfReply(
  spec: TaskSpec,
  task: Task,
  metrics: readonly TaskMetric[],
  doc: Doc,
  replies: readonly Value[][],
  said: PyValue,
): readonly CallResults[] | 'stand-in' {
  if (!runsPerReply(spec, task)) return []
  const text = plainText(str(said as Value))
  // A check before the first request runs nothing.
  if (text === `${leaving}${standInText}`) return 'stand-in'
  const results = text.startsWith(leaving)
    ? resultsIn(text.slice(leaving.length), scoringRuns(task, metrics, doc, replies), (run) => withoutDraws(spec, run))
    : undefined
  if (results !== undefined) return results
  const called = [...rolesInPython(spec, task.config)].filter(([, role]) => role !== 'aggregation')
  throw noPython(task, new Map(called), text)
}

/** The metrics of a task from its samples, with what Python computed from all of them. */
export function metricsOfSamples(
  spec: TaskSpec,
  task: Task,
  samples: readonly TaskSample[],
  computed: string | undefined,
): TaskResults['figures'] {
  const metrics = metricsOfTask(task.config, task.find)
  if (computed === undefined) return metricValues(samples, metrics, resamples, (_, run) => withResults([], run))
  const runs = runsInPython(spec, task, samples, metrics)
  const names = [...runs.keys()]
  const results = computed.startsWith(leaving) ? resultsIn(computed.slice(leaving.length), [...runs.values()]) : undefined
  if (results !== undefined)
    return metricValues(samples, metrics, resamples, (name, run) => withResults(results[names.indexOf(name)] ?? [], run))
  const aggregating = [...rolesInPython(spec, task.config)].filter(([, role]) => role === 'aggregation')
  throw noPython(task, new Map(aggregating), computed)
}

function noPython({ config }: Task, roles: ReadonlyMap<FunctionMark, FunctionRole>, said: string): PromptError {
  const [, missing] = /No module named '([\w-]+)/.exec(said) ?? []
  const marks = [...roles.keys()]
  return new PromptError('python-failed', {
    where: marks[0]?.file ?? config.where,
    problem: `${marks.map(({ path }) => path).join(', ')} failed in the Python sandbox (${said.replace(/^failed: /, '').slice(0, 300)})`,
    fix:
      missing === undefined
        ? 'correct the function or the rows'
        : firstUnavailable([missing]) === undefined
          ? `add the package: ${downloadCommand(missing)}`
          : `leave the task out: ${sandboxHint(missing)}`,
  })
}

/** The results of the calls of one filter. */
export function resultsAt(results: readonly CallResults[] | 'stand-in', index: number): CallResults | 'stand-in' {
  return results === 'stand-in' ? results : (results[index] ?? [])
}
