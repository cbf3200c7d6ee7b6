import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import {
  entriesOf,
  floatOf,
  isInt,
  isList,
  isListValue,
  PyFloat,
  type PyValue,
  plainText,
  pyFloat,
  str,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import { checkedProgram } from '../../../evaluation/score/evaluate/code/check-answer.ts'
import {
  type Evaluator,
  type FigureBeside,
  type Figures,
  type LikelyChoice,
  type Program,
  passed,
} from '../../../evaluation/score/evaluate/evaluator.ts'
import { withoutNumpy } from '../../../python/interpreter/modules/numpy-scalar.ts'
import { defaultResamples, type TaskResults, type TaskSample } from '../evaluate-task.ts'
import { pipelinesOf, type ReplyPipeline } from '../filter/apply-filters.ts'
import { measure, whyNoChoice } from '../metric/measure.ts'
import { slowMetrics } from '../metric/standard-error.ts'
import { metricsOfTask, type TaskMetric } from '../metric/task-metrics.ts'
import { programsOf, withOutcomes } from '../python/code-eval.ts'
import { FunctionError } from '../python/function-host.ts'
import { withResults } from '../python/sandboxed-function.ts'
import type { Doc } from '../task/field.ts'
import { itemOf, type Task } from '../task/task.ts'
import { greedyNeed } from './greedy-need.ts'
import { inPython, metricsOfSamples, resamples, resultsAt, resultsOfReply, runsPerReply } from './python-scoring.ts'
import { docOfRow, type TaskSpec, taskOf } from './task-spec.ts'

/** Notes about standard errors that use fewer resamples here than in the harness. */
export function resampleNotes({ config, find }: Task): Note[] {
  const names = metricsOfTask(config, find).flatMap(({ name, aggregation: { error } }) =>
    error === 'resampled' && !slowMetrics.includes(name) ? [`"${name}"`] : [],
  )
  if (names.length === 0) return []
  const drawn = `${resamples.toLocaleString('en')} times; lm-evaluation-harness draws ${defaultResamples.toLocaleString('en')} times`
  return [{ code: 'fewer-resamples', text: `the standard error of ${names.join(', ')} is drawn ${drawn}` }]
}

/** Scores the answers to a task as lm-evaluation-harness does: with its filters, metrics, metric names and standard errors. */
export function taskEvaluator(spec: TaskSpec): Evaluator<TaskSample[]> {
  const task = taskOf(spec)
  const { config, find } = task
  const metrics = metricsOfTask(config, find)
  const pipelines = pipelinesOf(config.filters, config.where, find)
  const process = config.processResults && find(config.processResults)
  const [first] = metrics
  const [firstName = 'score'] = first ? namesOf(first) : []
  const main = `${firstName},${pipelines[0]?.name ?? 'none'}`
  const beside = pipelines.flatMap((pipeline) =>
    metrics.flatMap((one) =>
      namesOf(one).flatMap((name) => {
        const metric = `${name},${pipeline.name}`
        const own = { metric, unit: 'value', ...(one.higherIsBetter === false ? { direction: 'lower' as const } : {}) }
        return [
          ...(metric === main ? [] : [own]),
          { metric: `${name}_stderr,${pipeline.name}`, unit: 'value', direction: 'lower' as const },
        ]
      }),
    ),
  )
  let number = 0
  return {
    metric: main,
    kind: isShare(first?.name) ? 'graded' : 'quantity',
    unit: 'value',
    ...(first?.higherIsBetter === false ? { direction: 'lower' as const } : {}),
    ...(beside.length > 0 ? { beside } : {}),
    besideIn: (figures) => partsIn(figures, metrics, [main, ...beside.map(({ metric }) => metric)]),
    needsReference: false,
    readsSamples: true,
    standIn: (row) => standIn(task, docOfRow(row)),
    ...(config.runsCode ? { runs: (row, answer) => programOf(task, row, answer) } : {}),
    ...(spec.python ? inPython(spec, task, metrics) : {}),
    ...(config.outputType === 'multiple_choice' && !process ? { whyNoChoice: (row) => whyNoChoice(task, docOfRow(row)) } : {}),
    judge({ prediction, row, choices, answered }) {
      const doc = docOfRow(row)
      const replies = repliesOf(task, doc, runsPerReply(spec, task) ? (answered ?? prediction) : prediction, choices)
      const results = resultsOfReply(spec, task, metrics, doc, replies, prediction)
      const own = number++
      const measured = (filtered: readonly Value[]) => measure(task, metrics, doc, filtered, process)
      const sampleOf = (pipeline: ReplyPipeline): TaskSample => {
        const filtered = pipeline.apply(replies.map((given) => ({ replies: given, doc })))
        return {
          doc: own,
          filter: pipeline.name,
          target: task.asked.target(doc),
          filtered,
          measures: config.runsCode ? withOutcomes(outcomesOf(prediction), () => measured(filtered)) : measured(filtered),
        }
      }
      const keep = pipelines.map((one, index) => withResults(resultsAt(results, index), () => sampleOf(one)))
      const score = scoreOf(keep[0]?.measures.get(firstName))
      return { score, detail: { answer: shown(keep[0]?.target ?? null), filtered: shown(keep[0]?.filtered ?? null) }, keep }
    },
    summarise(kept, computed) {
      const figures = metricsOfSamples(spec, task, kept.flat(), computed)
      return Object.fromEntries(Object.entries(figures).flatMap(([name, value]) => numbersIn(name, value)))
    },
    interval: 'none',
  }
}

/** The names of a metric's values: one for each k of pass@k, else that of the metric. */
function namesOf({ name, options, run }: TaskMetric): string[] {
  const counts = run === undefined ? null : (options.get('k') ?? null)
  return counts === null ? [name] : (isListValue(counts) ? counts : [counts]).map((count) => `pass@${plainText(str(count))}`)
}

/** The program that a reply makes: what the first filter leaves of it, and the tests. */
function programOf(task: Task, row: Parameters<typeof docOfRow>[0], answer: string): Program {
  const { config, find } = task
  const doc = docOfRow(row)
  const programs = programsOf(() => {
    const filtered = pipelinesOf(config.filters, config.where, find)[0]!.apply([{ replies: [answer], doc }])
    // A metric that needs an outcome fails without it; its programs are known by then.
    try {
      measure(task, metricsOfTask(config, find), doc, filtered, config.processResults && find(config.processResults))
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error
    }
  })
  const [program] = programs
  if (program !== undefined && new Set(programs.map((tested) => JSON.stringify(tested))).size === 1)
    return program.tests === undefined ? program.code : checkedProgram({ code: program.code, tests: program.tests })
  throw new PromptError('bad-task', {
    where: `${config.where} › unsafe_code`,
    problem: `its metrics run ${programs.length === 0 ? 'no program' : 'several programs'} for a reply`,
    fix: "use metrics that call Hugging Face's code_eval once",
  })
}

/** The numbers of a metric: of one that is a dict, those of its parts. */
function numbersIn(name: string, value: TaskResults['figures'][string]): [string, number][] {
  if (typeof value === 'number') return [[name, value]]
  if (typeof value === 'string') return []
  const [metric, filter] = [name.slice(0, name.lastIndexOf(',')), name.slice(name.lastIndexOf(','))]
  return entriesOf(value).flatMap(([part, number]): [string, number][] => {
    const found = floatOf(number as PyValue)
    return found === undefined ? [] : [[`${metric}.${plainText(str(part))}${filter}`, found]]
  })
}

/** The parts of metrics that are dicts: `libra_score.4k,none`. */
function partsIn(figures: Figures, metrics: readonly TaskMetric[], known: readonly string[]): FigureBeside[] {
  const isPart = (figure: string) => !known.includes(figure) && metrics.some(({ name }) => figure.startsWith(`${name}.`))
  return Object.keys(figures)
    .filter(isPart)
    .map((metric) => ({ metric, unit: 'value' }))
}

/** Whether the program of each reply ran to its end. */
export function outcomesOf(said: PyValue): boolean[] {
  return (isList(said) ? said : [said]).map((one) => one === passed)
}

/** The right answer as a reply: the text, or the choice that the target numbers. */
function standIn({ asked, config }: Task, doc: Doc): string {
  const target = asked.target(doc)
  const choices = config.outputType === 'generate_until' ? asked.choices(doc) : undefined
  const first = isListValue(target) ? (target[0] ?? '') : choices && isInt(target) ? itemOf(choices, target, config.where) : target
  return typeof first === 'string' ? first : plainText(str(first))
}

/** Metrics whose value per document is between 0 and 1. */
function isShare(metric: string | undefined): boolean {
  return metric !== undefined && /^(?:acc|exact_match)/.test(metric)
}

/** The replies to each request of a document. */
export function repliesOf(task: Task, doc: Doc, prediction: PyValue, choices: readonly LikelyChoice[] | undefined): Value[][] {
  const { config } = task
  if (task.construct) return ownReplies(task, doc, prediction, choices)
  if (config.outputType === 'generate_until') return [(isList(prediction) ? prediction : [prediction]) as Value[]]
  if (choices === undefined) throw noLikelihoods(task)
  const need = greedyNeed(task)
  if (need !== undefined && need !== 'function' && choices.some(({ isGreedy }) => isGreedy === undefined))
    throw new PromptError('greedy-unknown', {
      where: `${config.where} › metric_list`,
      problem: `"${need}" needs to know whether each token was the likeliest one, and that was not recorded`,
      fix: 'run it again',
    })
  // Python's sum of no tokens is an int, which shows in samples.
  if (config.outputType === 'loglikelihood_rolling') return [[task.asked.target(doc) === '' ? 0 : pyFloat(choices[0]!.logLikelihood)]]
  return choices.map(({ logLikelihood, isGreedy }) => [new Tuple([pyFloat(logLikelihood), isGreedy ?? null])])
}

/** The replies to what a class requests: generated texts and likelihoods, each in their order. */
function ownReplies(task: Task, doc: Doc, prediction: PyValue, choices: readonly LikelyChoice[] = []): Value[][] {
  const texts = (isList(prediction) ? prediction : [prediction]).values()
  const likelihoods = choices.values()
  return task.construct!(doc, '', false).map(({ kind }) => {
    if (kind === 'generate') return [texts.next().value as Value]
    const choice = likelihoods.next().value
    if (choice === undefined) throw noLikelihoods(task)
    const likelihood = pyFloat(choice.logLikelihood)
    return [kind === 'rolling' ? likelihood : new Tuple([likelihood, choice.isGreedy ?? null])]
  })
}

function noLikelihoods({ config }: Task): PromptError {
  return new PromptError('no-likelihoods', {
    where: config.where,
    problem: 'the likelihoods of its choices were not recorded',
    fix: 'run it again',
  })
}

function scoreOf(measured: Value | undefined): number {
  const value = withoutNumpy(measured ?? null)
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  return value instanceof PyFloat ? value.value : 0
}

function shown(value: Value): PyValue {
  if (Array.isArray(value)) return value.map((item) => shown(item as Value))
  if (value instanceof Tuple) return value.items.map(shown)
  return value as PyValue
}
