import {
  dictEntries,
  dictGet,
  floatOf,
  intOf,
  isDict,
  isDigit,
  isList,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
  splitSpace,
} from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { meanOf, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { noOptions } from '../../../../evaluation/score/register-by-name.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { levenshtein } from '../edit-distance.ts'
import { bracedAnswer, taggedAnswer, xmlAnswer } from './final-answer.ts'
import { greedyColours, readGraph, refuseLarge } from './read-graph.ts'
import { christofidesLength, type Distances, greedyLength } from './tours.ts'

const number = (value: PyValue | undefined) => (typeof value === 'string' ? Number.NaN : (floatOf(value) ?? Number.NaN))
const whole = (value: PyValue | undefined) => Number(intOf(value) ?? Number.NaN)
const list = (value: PyValue | undefined) => (isList(value) ? value : [])
const numbers = (value: PyValue | undefined) => list(value).map(number)
const field = (value: PyValue | undefined, name: string) => (isDict(value) ? dictGet(value, name) : undefined)

/** The cities of "0->2->1->0". */
function cities(path: PyValue | undefined): number[] {
  return typeof path === 'string' ? path.split('->').map(whole) : []
}

/** Whether an answer says yes; undefined if it says neither. */
function saysYes(answer: PyDict): boolean | undefined {
  const said = dictGet(answer, 'Feasible') ?? 'no'
  return typeof said === 'string' ? said.toLowerCase() === 'yes' : undefined
}

type Edge = { from: number; to: number; weight: number }

/** The least weight of a path; undefined if there is none. */
function leastWeight(edges: readonly Edge[], start: number, end: number): number | undefined {
  const reached = new Map([[start, 0]])
  // The last weight of a pair of nodes counts.
  const roads = new Map(
    edges.flatMap(({ from, to, weight }) =>
      [
        [from, to],
        [to, from],
      ].map(([a, b]) => [`${a} ${b}`, { a: a!, b: b!, weight }]),
    ),
  )
  for (let changes = true; changes; ) {
    changes = false
    for (const { a, b, weight } of roads.values()) {
      const sum = (reached.get(a) ?? Number.POSITIVE_INFINITY) + weight
      if (weight < 0 || !(sum < (reached.get(b) ?? Number.POSITIVE_INFINITY))) continue
      reached.set(b, sum)
      changes = true
    }
  }
  return reached.get(end)
}

function isShortestPath(problem: PyValue, text: string): boolean {
  const answer = bracedAnswer(text)
  const nodes = numbers(field(problem, 'nodes'))
  if (!answer || nodes.length === 0) return false
  const edges = list(field(problem, 'edges')).map((edge) => ({
    from: number(field(edge, 'from')),
    to: number(field(edge, 'to')),
    weight: number(field(edge, 'weight')),
  }))
  const [least, cost] = [leastWeight(edges, nodes[0]!, nodes.at(-1)!), dictGet(answer, 'TotalDistance') ?? '']
  if (least === undefined) return typeof cost === 'string' && !isDigit(cost)
  const path = cities(dictGet(answer, 'Path'))
  if (path[0] !== nodes[0] || path.at(-1) !== nodes.at(-1)) return false
  const steps = path.slice(1).map((to, at) => edges.find((edge) => joins(edge, path[at]!, to))?.weight ?? Number.NaN)
  return sumOf(steps) === whole(cost) && sumOf(steps) === least
}

const joins = ({ from, to }: Edge, a: number, b: number) => (from === a && to === b) || (from === b && to === a)

function isEditDistance(problem: PyValue, text: string): boolean {
  const [a, b] = [field(problem, 'string_a'), field(problem, 'string_b')]
  const said = whole(dictGet(bracedAnswer(text) ?? {}, 'Operations'))
  return typeof a === 'string' && typeof b === 'string' && said === levenshtein(a, b)
}

function isPosition(problem: PyValue, text: string): boolean {
  const sorted = numbers(field(problem, 'array')).sort((a, b) => a - b)
  const position = whole(dictGet(taggedAnswer(text) ?? {}, 'Position'))
  return position >= 0 && sorted[position] === number(field(problem, 'target'))
}

function isBestKnapsack(problem: PyValue, text: string): boolean {
  const answer = taggedAnswer(text)
  const items = new Map(
    list(field(problem, 'items')).map((item) => [
      number(field(item, 'id')),
      { weight: number(field(item, 'weight')), value: number(field(item, 'value')) },
    ]),
  )
  const capacity = number(field(problem, 'knapsack_capacity'))
  refuseLarge('a knapsack', capacity)
  const best = Array.from({ length: capacity + 1 }, () => 0)
  for (const { weight, value } of items.values())
    for (let room = capacity; room >= Math.max(weight, 0); room--) best[room] = Math.max(best[room]!, value + best[room - weight]!)
  if (!answer || saysYes(answer) !== best[capacity]! > 0) return false
  const ids = list(dictGet(answer, 'SelectedItemIds')).map(whole)
  const chosen = ids.map((id) => items.get(id))
  const total = (of: 'weight' | 'value') => sumOf(chosen.map((item) => item?.[of] ?? Number.NaN))
  const value = whole(dictGet(answer, 'TotalValue') ?? -1)
  return new Set(ids).size === ids.length && total('weight') <= capacity && total('value') === value && value === best[capacity]
}

function isSchedule(problem: PyValue, text: string): boolean {
  const answer = xmlAnswer(text)
  if (!answer) return false
  const slots = new Map(dictEntries(answer).map(([id, times]) => [whole(id), isList(times) ? numbers(times) : undefined]))
  const meetings = list(field(problem, 'meetings')).map((one) => ({
    id: number(field(one, 'id')),
    duration: number(field(one, 'duration')),
  }))
  const people = dictEntries((field(problem, 'participants') ?? {}) as PyDict).map(([, one]) => ({
    free: numbers(field(one, 'available_slots')),
    meetings: numbers(field(one, 'meetings')),
  }))
  const end = number(field(problem, 'time_slots'))
  const fits = meetings.every(({ id, duration }) => {
    const times = slots.get(id)
    return times?.length === duration && times.every((time, at) => time < end && (at === 0 || time === times[at - 1]! + 1))
  })
  return (
    fits &&
    slots.size === meetings.length &&
    people.every(({ free, meetings: own }) => {
      const busy = own.flatMap((id) => slots.get(id) ?? [])
      return new Set(busy).size === busy.length && busy.every((time) => free.includes(time))
    })
  )
}

function isColourable(problem: PyValue, text: string): boolean {
  const [graph, answer] = [readGraph(problem as string), taggedAnswer(text)]
  const colours = whole(splitSpace((problem as string).split('\n')[0]!).at(-2))
  return graph !== undefined && answer !== undefined && saysYes(answer) === greedyColours(graph) <= colours
}

function isColouring(problem: PyValue, text: string): boolean {
  const graph = readGraph(problem as string)
  const colours = new Map(dictEntries(xmlAnswer(text) ?? {}).map(([vertex, colour]) => [whole(vertex), JSON.stringify(colour)]))
  if (!graph || colours.has(Number.NaN)) return false
  return [...graph].every(([vertex, others]) =>
    [...others].every((other) => colours.has(vertex) && colours.has(other) && colours.get(vertex) !== colours.get(other)),
  )
}

/** The distances of a table, as `DataFrame.to_json` writes it: by column, then by row. */
function tableOf(problem: PyValue): Distances {
  const columns = dictEntries(problem as PyDict).map(([, column]) =>
    isDict(column) ? dictEntries(column).map(([, cell]) => number(cell)) : numbers(column),
  )
  return (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]!))
}

function isWithinLimit(problem: PyValue, text: string): boolean {
  const [table, answer] = [tableOf(problem), taggedAnswer(text)]
  const [distances, limit] = [table.slice(0, -1), table.at(-1)?.[0] ?? Number.NaN]
  const length = answer && christofidesLength(distances)
  return answer !== undefined && length !== undefined && saysYes(answer) === length <= limit
}

function isGreedyTour(problem: PyValue, text: string): boolean {
  const distances = tableOf(problem)
  const tour = cities(dictGet(xmlAnswer(text) ?? {}, 'Path'))
  if (tour.length !== distances.length + 1 || tour[0] !== tour.at(-1)) return false
  const length = sumOf(tour.slice(1).map((to, at) => distances.at(tour[at]!)?.at(to) ?? Number.NaN))
  return length === greedyLength(distances)
}

/** A gold answer is the level of a problem, a line of #, and the problem: JSON, a table in a JSON text, or a graph. */
function readProblem(reference: PyValue, kind: 'json' | 'table' | 'graph'): { level: number; problem: PyValue } {
  const parts = goldText(reference).split('####\n')
  const [level, content] = [whole(parts[0]), parts.at(-1)!]
  const problem = kind === 'graph' ? content : parsed(content)
  const value = kind === 'table' ? readLiteral(typeof problem === 'string' ? problem : '') : problem
  if (!Number.isNaN(level) && (kind === 'graph' || isDict(value))) return { level, problem: value! }
  throw wrongGold('it is not a level, #### and a problem', 'use rows as the loaders of NPHardEval give them')
}

function parsed(text: string): PyValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null
    throw error
  }
}

type Problem = {
  name: string
  does: string
  kind: 'json' | 'table' | 'graph'
  check: (problem: PyValue, answer: string) => boolean
  /** A right answer and its problem. */
  example: readonly [answer: string, gold: string]
  /** OpenCompass's own check rejects every answer. */
  isBroken?: true
}

const reply = (answer: string) => `<root><reasoning>…</reasoning><final_answer>${answer}</final_answer></root>`
const triangle = 'p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n'
const noCompat = 'OpenCompass misreads its own data and accepts no answer; so does `compat: opencompass`.'

const problems: readonly Problem[] = [
  {
    name: 'P_SPP_Evaluator',
    does: 'Right when the path and its length are the shortest ones.',
    kind: 'json',
    check: isShortestPath,
    example: [reply("{'Path': '0->1', 'TotalDistance': '3'}"), '2####\n{"nodes": [0, 1], "edges": [{"from": 0, "to": 1, "weight": 3}]}'],
  },
  {
    name: 'P_EDP_Evaluator',
    does: 'Right when the number of operations is the edit distance.',
    kind: 'json',
    check: isEditDistance,
    example: [reply("{'Operations': '1'}"), '2####\n{"string_a": "cat", "string_b": "cut"}'],
  },
  {
    name: 'P_BSP_Evaluator',
    does: `Right when the target has this position in the sorted array. ${noCompat}`,
    kind: 'json',
    check: isPosition,
    example: [reply("{'Position': '1'}"), '2####\n{"array": [7, 5], "target": 7}'],
    isBroken: true,
  },
  {
    name: 'CMP_KSP_Evaluator',
    does: `Right when the items fit into the knapsack and have the highest value. ${noCompat}`,
    kind: 'json',
    check: isBestKnapsack,
    example: [
      reply("{'Feasible': 'YES', 'TotalValue': 3, 'SelectedItemIds': [0]}"),
      '2####\n{"items": [{"id": 0, "weight": 2, "value": 3}], "knapsack_capacity": 5}',
    ],
    isBroken: true,
  },
  {
    name: 'CMP_TSP_D_Evaluator',
    does: 'Right when the answer says whether a tour by the algorithm of Christofides is within the limit.',
    kind: 'table',
    check: isWithinLimit,
    example: [reply("{'Feasible': 'YES'}"), `2####\n"{'0': [0, 1, 20], '1': [1, 0, 20]}"`],
  },
  {
    name: 'CMP_GCP_D_Evaluator',
    does: 'Right when the answer says whether a greedy colouring takes no more colours than allowed.',
    kind: 'graph',
    check: isColourable,
    example: [reply("{'Feasible': 'NO'}"), `2####\nc with 2 colors\n${triangle}`],
  },
  {
    name: 'Hard_MSP_Evaluator',
    does: 'Right when all meetings have free, adjacent time slots, and no participant has two at a time.',
    kind: 'json',
    check: isSchedule,
    example: [
      reply('{1: [0]}'),
      '2####\n{"meetings": [{"id": 1, "duration": 1}], "time_slots": 2, "participants": {"1": {"available_slots": [0], "meetings": [1]}}}',
    ],
  },
  {
    name: 'HardGCPEvaluator',
    does: 'Right when neighbours have different colours.',
    kind: 'graph',
    check: isColouring,
    example: [reply("{1: 'A', 2: 'B', 3: 'C'}"), `2####\n${triangle}`],
  },
  {
    name: 'Hard_TSP_Evaluator',
    does: 'Right when the tour is as long as the one that always goes to the nearest city, from the first city; OpenCompass draws the first city at random.',
    kind: 'table',
    check: isGreedyTour,
    example: [reply("{'Path': '0->1->0', 'TotalDistance': '2'}"), `2####\n"{'0': [0, 1], '1': [1, 0]}"`],
  },
]

type Weighed = { level: number; isRight: boolean }

/** The evaluators of NPHardEval: a problem counts as much as its level. */
export const npHardEval = problems.map(({ name, does, kind, check, example, isBroken }) =>
  defineEvaluator({
    names: [name],
    does: `${does} Problems count by their level. For NPHardEval.`,
    example: { answers: [example[0], 'none'], gold: [example[1], example[1]], figures: { 'Weighted Accuracy': 50 } },
    options: noOptions,
    with: (_, _words, compat) => ({
      ...meanOf('Weighted Accuracy'),
      kind: 'verdict' as const,
      goldIsNoReply: true as const,
      judge({ prediction, reference }) {
        const { level, problem } = readProblem(reference, kind)
        const isRight = !(isBroken && compat) && check(problem, answerText(prediction))
        return { score: Number(isRight), detail: { pred: prediction, level, correct: isRight }, keep: { level, isRight } }
      },
      summarise(rows: readonly Weighed[]): Figures {
        const all = sumOf(rows.map(({ level }) => level))
        if (all === 0) throw wrongGold('all problems have level 0', 'use rows as the loaders of NPHardEval give them')
        return { 'Weighted Accuracy': (100 * sumOf(rows.map(({ level, isRight }) => (isRight ? level : 0)))) / all }
      },
    }),
  }),
)
