import { dictGet, floatOf, intOf, isDict, isList, type PyDict, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count } from '../../../../evaluation/score/evaluate/shares.ts'
import { cheapestPairs } from '../../../../python/library/cheapest-pairs.ts'
import { findAll } from '../../../../python/regex/index.ts'
import { jsonDict } from '../json-dict.ts'
import { valueOfAnswer } from './teval-answer.ts'

type TextPair = readonly [one: string, other: string]

/** A subset of T-Eval that compares texts: which, and the metrics of a row from their similarities. */
export type Likeness = {
  names: readonly string[]
  pairs: (answer: string, reference: PyValue) => readonly TextPair[]
  grade: (answer: string, reference: PyValue, similarities: readonly number[]) => Figures
}

function goldOf(reference: PyValue): PyDict {
  const gold = jsonDict(goldText(reference))
  if (gold && dictGet(gold, 'ground_truth') !== undefined) return gold
  throw wrongGold('it is not JSON with ground_truth', 'use rows as TEvalDataset gives them')
}

type Action = { id: number; name: string; args: string }

/** The actions of a plan by their ids, without the last one if it only ends the plan; none if one cannot be read. */
function planIn(value: PyValue | undefined): Action[] {
  if (value === undefined || !isList(value)) return []
  const actions = value.map((one): Action | undefined => {
    const [name, id, args] = ['name', 'id', 'args'].map((key) => (isDict(one) ? dictGet(one, key) : undefined))
    const number = id === undefined ? undefined : intOf(typeof id === 'string' ? id : Math.trunc(floatOf(id) ?? Number.NaN))
    return name === undefined || args === undefined || number === undefined || Number.isNaN(Number(number))
      ? undefined
      : { id: Number(number), name: pyStr(name), args: pyStr(args) }
  })
  return actions.every((one) => one !== undefined) ? actions.toSorted((one, other) => one.id - other.id) : []
}

/** The actions that the sentences of an answer name first. */
function namedActions(answer: string, names: readonly string[]): Action[] {
  const found: Action[] = []
  for (const step of answer.replaceAll('. ', '\n').split('\n')) {
    const [first] = names.filter((name) => step.includes(name)).toSorted((one, other) => step.indexOf(one) - step.indexOf(other))
    if (first !== undefined) found.push({ id: found.length, name: first, args: step })
  }
  return found
}

const withoutEnd = (plan: readonly Action[]) => (plan.at(-1)?.name === 'FinishAction' ? plan.slice(0, -1) : plan)

function plansOf(answer: string, reference: PyValue): { said: Action[]; right: Action[] } {
  const gold = goldOf(reference)
  const meta = dictGet(gold, 'meta')
  const kind = isDict(meta) ? (dictGet(meta, 'prompt_type') ?? 'json') : 'json'
  const given = dictGet(gold, 'ground_truth') ?? null
  const right = planIn(typeof given === 'string' ? valueOfAnswer(given, '[', ']') : given)
  if (kind === 'json') return { said: planIn(valueOfAnswer(answer, '[', ']')), right }
  const names = isDict(meta) ? dictGet(meta, 'API_list') : undefined
  if (kind !== 'str' || names === undefined || !isList(names))
    throw wrongGold(`its prompt_type is ${pyStr(kind)}`, 'use plans in JSON, or in words with an API_list')
  return {
    said: namedActions(
      answer,
      names.map((name) => pyStr(name)),
    ),
    right,
  }
}

/** The length of the longest run of actions that are in the order of the plan; one that has no partner counts as a run of one. */
function longestRun(partners: readonly number[]): number {
  const runs: number[] = []
  for (const [index, partner] of partners.entries()) {
    const before = partners.slice(0, index).flatMap((one, at) => (partner >= 0 && one >= 0 && one < partner ? [runs[at]!] : []))
    runs.push(1 + Math.max(0, ...before))
  }
  return Math.max(0, ...runs)
}

const nothing = { precision: 0, recall: 0, f1_score: 0 }

/** Actions are alike if names (three quarters) and arguments are; partners make the sum of likenesses above 0.7 highest. */
const plan: Likeness = {
  names: ['precision', 'recall', 'f1_score', 'parse_rate'],
  pairs(answer, reference) {
    const { said, right } = plansOf(answer, reference)
    if (said.length === 0 || right.length === 0) return []
    return withoutEnd(said).flatMap((one) =>
      withoutEnd(right).flatMap((other): TextPair[] => [
        [one.name, other.name],
        [one.args, other.args],
      ]),
    )
  },
  grade(answer, reference, similarities) {
    const plans = plansOf(answer, reference)
    const parse_rate = Number(plans.said.length > 0 && plans.right.length > 0)
    const [said, right] = [withoutEnd(plans.said), withoutEnd(plans.right)]
    if (parse_rate === 0 || said.length === 0 || right.length === 0) return { ...nothing, parse_rate }
    const likeness = said.map((_, row) =>
      right.map((__, column) => {
        const [name = 0, args = 0] = similarities.slice(2 * (row * right.length + column))
        const value = 0.75 * Math.max(name, 0) + 0.25 * Math.max(args, 0)
        return value > 0.7 ? value : 0
      }),
    )
    const partners = said.map(() => -1)
    for (const [row, column] of cheapestPairs(likeness.map((row) => row.map((value) => -value))))
      if (likeness[row]![column]! > 0) partners[row] = column
    const found = longestRun(partners)
    const [recall, precision] = [found / right.length, found / said.length]
    return { precision, recall, f1_score: (2 * recall * precision) / (recall + precision), parse_rate }
  },
}

type Step = { thought?: string; name?: string; args?: string }

/** The next step of an agent, in JSON; undefined if it cannot be read. */
function stepIn(value: PyValue | undefined, argsAreDict: boolean): Step | undefined {
  if (!isDict(value)) return undefined
  const text = (key: string) => pyStr(dictGet(value, key) ?? '')
  const args = dictGet(value, 'args')
  return { thought: text('thought'), name: text('name'), args: argsAreDict ? pyStr(isDict(args) ? args : {}) : pyStr(args ?? '') }
}

const keys = ['thought', 'name', 'args'] as const

/** The steps of an answer and of the gold answer; with `only`, an answer in words is that part of a step. */
function stepsOf(answer: string, reference: PyValue, only: keyof Step | undefined): { said: Step | undefined; right: Step | undefined } {
  const gold = goldOf(reference)
  const meta = dictGet(gold, 'meta_data')
  const format = (isDict(meta) ? dictGet(meta, 'response_format') : undefined) ?? (only ? 'str' : 'json')
  const given = dictGet(gold, 'ground_truth') ?? null
  const right = stepIn(typeof given === 'string' ? valueOfAnswer(given, '{', '}') : given, !only)
  if (format === 'str' && only) return { said: { [only]: answer }, right }
  if (format !== 'json') throw wrongGold(`its response_format is ${pyStr(format)}`, 'use json or str')
  const said = stepIn(valueOfAnswer(answer, '{', '}'), !only)
  return said && right ? { said, right } : { said: undefined, right }
}

function isRightName(said: string, right: string, isWords: boolean): boolean {
  if (!isWords) return said === right
  return said.includes(right) && [...findAll(String.raw`\w+\.\w+`, said), ...findAll('FinishAction', said)].every((name) => name === right)
}

function step(only?: keyof Step): Likeness {
  const names = [...(only ? [only] : keys), 'parse_rate']
  const compared = (answer: string, reference: PyValue) => {
    const { said, right } = stepsOf(answer, reference, only)
    const both = keys.filter((key) => key !== 'name' && said?.[key] !== undefined && right?.[key] !== undefined)
    return { said, right, both }
  }
  return {
    names,
    pairs(answer, reference) {
      const { said, right, both } = compared(answer, reference)
      return both.map((key): TextPair => [said![key]!, right![key]!])
    },
    grade(answer, reference, similarities) {
      const { said, right, both } = compared(answer, reference)
      const figures: Figures = { ...Object.fromEntries(names.map((name) => [name, 0])), parse_rate: Number(said !== undefined) }
      for (const [index, key] of both.entries()) if (names.includes(key)) figures[key] = Math.max(similarities[index] ?? 0, 0)
      if (names.includes('name') && said?.name !== undefined && right?.name !== undefined)
        figures.name = count([said.name], (name) => isRightName(name, right.name!, only !== undefined))
      return figures
    },
  }
}

/** The subsets of T-Eval that need embeddings. */
export const likenesses: Readonly<Record<string, Likeness>> = {
  plan,
  reason_retrieve_understand: step(),
  reason: step('thought'),
  retrieve: step('name'),
  understand: step('args'),
}
