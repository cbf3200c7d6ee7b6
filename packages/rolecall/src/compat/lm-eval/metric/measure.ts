import { PromptError } from '@rolecall/core/internal/errors'
import {
  entriesOf,
  equals,
  isDict,
  isDictValue,
  isFloat,
  isInt,
  isListValue,
  listOf,
  plainText,
  pyFloat,
  str,
  Tuple,
  truthy,
  type Value,
} from '@rolecall/core/internal/python'
import { exp } from '../../../python/library/libm.ts'
import { splitBy } from '../../../python/regex/index.ts'
import { FunctionError } from '../python/function-host.ts'
import type { Doc } from '../task/field.ts'
import { itemOf, type Task } from '../task/task.ts'
import type { TaskFunction } from '../task/task-function.ts'
import { numberOf } from './aggregations.ts'
import { exactMatch } from './exact-match.ts'
import type { TaskMetric } from './task-metrics.ts'

/** The metrics of one document, by name. */
export type Measures = Map<string, Value>

/** The harness's value for a right answer that is not a choice. */
const noChoice = -100

/** Measures the filtered replies to a document's requests. */
export function measure(task: Task, metrics: readonly TaskMetric[], doc: Doc, replies: readonly Value[], process?: TaskFunction): Measures {
  if (process !== undefined) return measuresOf(process.callForRow([doc as Value, replies]), task)
  const has = (name: string) => metrics.some((metric) => metric.name === name)
  const only = (measured: Record<string, Value>): Measures => new Map(Object.entries(measured).filter(([name]) => has(name)))
  switch (task.config.outputType) {
    case 'loglikelihood': {
      const [likelihood, isGreedy] = pair(replies[0] ?? null)
      return only({ perplexity: likelihood, acc: Number(truthy(isGreedy)) })
    }
    case 'loglikelihood_rolling': {
      const likelihood = replies[0] ?? null
      const text = String(task.asked.target(doc))
      const bytes = new Tuple([likelihood, new TextEncoder().encode(text).length])
      return only({ word_perplexity: new Tuple([likelihood, splitBy('\\s+', text).length]), byte_perplexity: bytes, bits_per_byte: bytes })
    }
    case 'multiple_choice':
      return only(measureChoices(task, doc, replies, has('acc_mutual_info')))
    case 'generate_until':
      return measureReply(task, metrics, doc, replies[0] ?? null)
    default:
      return task.config.outputType satisfies never
  }
}

function measuresOf(given: Value, { config }: Task): Measures {
  if (isDictValue(given)) return new Map(entriesOf(given).map(([name, value]) => [plainText(str(name)), value]))
  throw new PromptError('bad-measures', {
    where: `${config.where} › process_results`,
    problem: 'it returns no dict of metrics',
    fix: 'let it return {"metric": value}',
  })
}

function measureChoices(task: Task, doc: Doc, replies: readonly Value[], isMutual: boolean): Record<string, Value> {
  const { asked, config } = task
  const choices = (asked.choices(doc) ?? []).map((choice) => {
    if (typeof choice === 'string') return choice
    throw new PromptError('bad-choice', {
      where: `${config.where} › doc_to_choice`,
      problem: 'a choice is not text',
      fix: 'give every choice a text',
    })
  })
  const pairs = replies.map(pair)
  const all = pairs.map(([likelihood]) => numberOf(likelihood))
  const isGreedy = pairs.map(([, greedy]) => truthy(greedy))
  const hasAlone = isMutual && all.length === 2 * choices.length
  const likelihoods = hasAlone ? all.slice(0, choices.length) : all
  const best = firstMaximum(likelihoods)
  const byCharacters = firstMaximum(likelihoods.map((one, index) => one / [...choices[index]!].length))
  const byBytes = firstMaximum(likelihoods.map((one, index) => one / new TextEncoder().encode(choices[index]!).length))
  const gold = goldOf(task.hasInputs ? asked.text(doc) : asked.target(doc), choices)
  const isRight = (index: number): Value =>
    pyFloat(Number(task.hasTargets ? listOf(gold).some((one) => equals(one, index)) : equals(gold, index)))
  const greedyAt = (index: Value): boolean => !equals(index, noChoice) && (isGreedy.at(Number(index)) ?? outOfRange(config.where))
  return {
    acc: isRight(best),
    f1: new Tuple([gold, best]),
    mcc: new Tuple([gold, best]),
    acc_norm: isRight(byCharacters),
    acc_bytes: isRight(byBytes),
    exact_match: Number(task.hasTargets ? listOf(gold).some(greedyAt) : greedyAt(gold)),
    brier_score: new Tuple([gold, softmax(likelihoods).map(pyFloat)]),
    likelihood: new Tuple([gold, likelihoods.map(pyFloat)]),
    ...(hasAlone
      ? {
          acc_mutual_info: pyFloat(Number(equals(gold, firstMaximum(likelihoods.map((one, index) => one - all[choices.length + index]!))))),
        }
      : {}),
  }
}

function outOfRange(where: string): never {
  throw new PromptError('no-choice', { where, problem: 'the right answer is numbered before the first choice', fix: 'correct the row' })
}

/** The index of the right choice. A text is looked up among the choices; -100 if it is not one. */
function goldOf(target: Value, choices: readonly string[]): Value {
  const inRange = (index: Value): Value => (numberOf(index) < choices.length ? index : noChoice)
  if (isListValue(target)) return target.map(inRange)
  if (isInt(target)) return inRange(target)
  if (typeof target !== 'string') return target
  const found = choices.indexOf(target)
  return found < 0 ? noChoice : found
}

/** Why no choice of a document is right, so that the harness scores it 0 whatever a model prefers; undefined if one is. */
export function whyNoChoice({ asked, hasInputs }: Task, doc: Doc): string | undefined {
  const choices = (asked.choices(doc) ?? []).map((choice) => plainText(str(choice)))
  const target = hasInputs ? asked.text(doc) : asked.target(doc)
  const found = goldOf(target, choices)
  const isChoice = (index: Value) => isInt(index) && numberOf(index) >= 0
  if (isListValue(found) ? found.some(isChoice) : isChoice(found)) return undefined
  return typeof target === 'string'
    ? `it is none of the choices ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
    : `there are ${choices.length} choices, numbered from 0`
}

function firstMaximum(values: readonly number[]): number {
  let best = 0
  for (let index = 1; index < values.length; index++) {
    // As in numpy, NaN counts as the maximum.
    if (Number.isNaN(values[best]!)) break
    if (values[index]! > values[best]! || Number.isNaN(values[index]!)) best = index
  }
  return best
}

function softmax(values: readonly number[]): number[] {
  const highest = Math.max(...values)
  const powers = values.map((value) => exp(value - highest))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}

function measureReply(task: Task, metrics: readonly TaskMetric[], doc: Doc, reply: Value): Measures {
  const gold = goldOfReply(task, metrics, doc, reply)
  const measured: Measures = new Map()
  for (const metric of metrics) {
    if (task.hasTargets) {
      const options = isListValue(gold) ? gold : [gold]
      const isRight =
        metric.name === 'exact_match' && metric.run === undefined
          ? exactMatch(
              options.map((one) => [one, reply] as const),
              metric.options,
            ) > 0
          : options.some((one) => truthy(scoreOf(metric, one, reply).get(metric.name) ?? null))
      measured.set(metric.name, pyFloat(Number(isRight)))
    } else for (const [name, value] of scoreOf(metric, gold, reply)) measured.set(name, value)
  }
  return measured
}

/** What a reply is compared with: the choice at the target's index, several answers, or the answer converted to the reply's type. */
function goldOfReply(task: Task, metrics: readonly TaskMetric[], doc: Doc, reply: Value): Value {
  const { asked, config } = task
  const target = asked.target(doc)
  const choices = asked.choices(doc)
  if (choices !== undefined) {
    if (isInt(target)) return itemOf(choices, target, config.where)
    throw new PromptError('bad-target', {
      where: asked.targetField.path,
      problem: 'with doc_to_choice it must be the number of a choice',
      fix: 'leave doc_to_choice out, or number the choice',
    })
  }
  if (task.hasTargets) return typeof target === 'string' ? [...target] : isListValue(target) ? target : [target]
  if (isListValue(reply) || metrics.some(({ name }) => name === 'bypass')) return target
  return castTo(reply, target, asked.targetField.path)
}

function castTo(reply: Value, target: Value, where: string): Value {
  if (typeof reply === 'string') return typeof target === 'string' ? target : plainText(str(target))
  if (typeof reply === 'boolean') return truthy(target)
  const number = typeof target === 'string' ? Number(target.trim() === '' ? Number.NaN : target) : numberOf(target)
  if ((isInt(reply) || isFloat(reply)) && !Number.isNaN(number)) {
    if (isFloat(reply)) return pyFloat(number)
    if (Number.isInteger(number) || typeof target !== 'string') return Math.trunc(number)
  }
  throw new PromptError('bad-target', {
    where,
    problem: `${JSON.stringify(plainText(str(target)))} cannot be compared with the reply ${plainText(str(reply))}`,
    fix: 'give the filter "map" a default_value of the same type as its other values',
  })
}

/** The values of a metric for one reply: usually one, under the metric's name. */
function scoreOf(metric: TaskMetric, gold: Value, reply: Value): Measures {
  const { name, run, evaluate, options } = metric
  if (evaluate !== undefined) return new Map(Object.entries(evaluate([[gold, reply]])).map(([key, value]) => [key, pyFloat(value)]))
  if (run !== undefined) {
    const value = callMetric(run, gold, reply, options)
    return isDictValue(value) && (value instanceof Map || isDict(value))
      ? new Map(entriesOf(value).map(([key, item]) => [plainText(str(key)), item]))
      : new Map([[name, value]])
  }
  if (name === 'exact_match') {
    const pairs = (isListValue(reply) ? reply : [reply]).map((one) => [gold, one] as const)
    return new Map([[name, pyFloat(exactMatch(pairs, options))]])
  }
  if (name === 'bypass') return new Map([[name, null]])
  // Other metrics are computed over all documents together.
  return new Map([[name, [gold, reply]]])
}

/** Functions receive lists as keyword arguments; functions with another signature receive one list, as in the harness. */
function callMetric(run: TaskFunction, gold: Value, reply: Value, options: ReadonlyMap<string, Value>): Value {
  try {
    return run.callForRow([], new Map<string, Value>([['references', [gold]], ['predictions', [reply]], ...options]))
  } catch (error) {
    if (!(error instanceof FunctionError) || error.type !== 'TypeError') throw error
    return run.callForRow([[gold, reply]])
  }
}

function pair(value: Value): readonly [Value, Value] {
  const items = value instanceof Tuple ? value.items : isListValue(value) ? value : []
  return [items[0] ?? null, items[1] ?? null]
}
