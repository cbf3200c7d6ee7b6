import { dictEntries, isDict, type PyValue, pyFloat, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { csvFrame, type DataFrame, isNaNumber } from '../read/csv-frame.ts'
import { at, integer, listAt, type RowDict, row, textAt } from '../row-values.ts'
import { fromList } from '../table.ts'

/** The texts of an NPHardEval problem, each on a separate line. */
type Task = { intro: string; question: string; wanted: string; format: string }

function prompt({ intro, question, wanted, format }: Task, details: string): string {
  return `${intro}\n${question}\n${wanted}\n${format}${details}`
}

/** A problem's row: its prompt, its level and the problem itself. */
function problem(text: string, level: number, content: string): RowDict {
  return row({ prompt: text, q: `${level}####\n${content}`, level })
}

/** A file with a list of instances. */
function instances(file: string, change: (one: RowDict) => { level: number; text: string }): Loader {
  return {
    reads: `a folder, its name with a slash behind, with ${file}`,
    takes: ['path'],
    async load(data, settings) {
      const path = `${await data.path(settings.path, { localMode: true })}${file}`
      const rows = await data.list(path)
      return fromList(
        rows.map((one) => {
          const { level, text } = change(one)
          return problem(text, level, stringifyJson(one))
        }),
      )
    },
  }
}

export const shortestPath = instances('spp_instances.json', (one) => {
  const [start, end] = [at(listAt(one, 'nodes'), 0), at(listAt(one, 'nodes'), -1)]
  const edges = listAt(one, 'edges').map(
    (edge) => `Edge from ${pyStr(at(edge, 'from'))} to ${pyStr(at(edge, 'to'))} has a weight of ${pyStr(at(edge, 'weight'))}.\n`,
  )
  const task = {
    intro: 'The Shortest Path Problem (SPP) involves finding the shortest path between two nodes in a weighted graph.',
    question: `You need to find the shortest path between node ${pyStr(start)} and node ${pyStr(end)} in a graph. The graph's edges and their weights are given.`,
    wanted:
      'Please provide the shortest path from {start_node} to {end_node} and its total distance. Offer a concise step-by-step explanation of your reasoning process. Aim for brevity and clarity in your response.',
    format:
      "Your output should be enclosed within <root></root> tags. Include your reasoning in <reasoning></reasoning> tags and the final path and total distance in <final_answer></final_answer> tags, like <final_answer>{'Path': 'START->...->END', 'TotalDistance': 'INT_TOTAL_DISTANCE'}</final_answer>.",
  }
  return {
    level: integer(at(one, 'complexity_level')),
    text: prompt(task, `\n The graph's edges and weights are as follows: \n${edges.join('')}`),
  }
})

/** The level is the number of elements, starting at three. */
export const binarySearch = instances('bsp_instances.json', (one) => {
  const array = listAt(one, 'array')
  const sorted = [...array].sort((a, b) => Number(pyStr(a)) - Number(pyStr(b)))
  const task = {
    intro:
      'The Binary Search Problem (BSP) deals with finding the position of a target value within a sorted array using a binary search algorithm, which efficiently narrows down the search range.',
    question: `Find the position of the target value ${pyStr(at(one, 'target'))} in the sorted array. The index begins with 0. The array elements are provided.`,
    wanted:
      'Please identify the position of the target value in the array. Offer a brief, step-by-step account of your search process. Aim for conciseness in your response.',
    format:
      "Your output should be enclosed in <root></root> tags. Include your search process in <reasoning></reasoning> tags and the final position of the target value in <final_answer></final_answer> tags, like <final_answer>{'Position': 'TARGET_POSITION'}</final_answer>.",
  }
  return { level: array.length - 2, text: prompt(task, `\n The sorted array elements are: ${sorted.map(pyStr).join(', ')}\n`) }
})

export const editDistance = instances('edp_instances.json', (one) => {
  const [a, b] = [textAt(one, 'string_a'), textAt(one, 'string_b')]
  const task = {
    intro:
      'The Edit Distance Problem (EDP) involves finding the minimum number of operations required to transform one string into another, where each operation is either an insertion, deletion, or substitution of a single character.',
    question: `Find the minimum number of operations required to transform the first string ${a} into the second string ${b}. The operations are insertion, deletion, and substitution of a single character, each requiring 1 edit operation.`,
    wanted:
      'Please provide the minimum number of operations required to transform the first string into the second string. Offer a brief explanation of your methodology. Keep your response concise and focused.',
    format:
      "Enclose your output within <root></root> tags. Present your reasoning in <reasoning></reasoning> tags and the final minimum number of operations in <final_answer></final_answer> tags, like <final_answer>{'Operations': 'MINIMUM_NUMBER_OF_OPERATIONS'}</final_answer>.",
  }
  return { level: [...a].length - 2, text: prompt(task, '') }
})

export const knapsack = instances('ksp_instances.json', (one) => {
  const items = listAt(one, 'items')
  const lines = items.map(
    (item) => `Item ${pyStr(at(item, 'id'))} has weight ${pyStr(at(item, 'weight'))} and value ${pyStr(at(item, 'value'))}.\n`,
  )
  const task = {
    intro:
      'The 0-1 Knapsack Problem (KSP) asks whether a subset of items, each with a given weight and value, can be chosen to fit into a knapsack of fixed capacity, maximizing the total value without exceeding the capacity.',
    question: `Determine if a subset of items can be selected to fit into a knapsack with a capacity of ${pyStr(at(one, 'knapsack_capacity'))}, maximizing value without exceeding the capacity. Item weights and values are provided.`,
    wanted:
      'Indicate if an optimal subset exists and its total value. Offer a concise explanation of your selection process. Aim for clarity and brevity in your response.',
    format:
      "Your output should be enclosed within <root></root> tags. Include your selection process in <reasoning></reasoning> tags and the final decision and total value in <final_answer></final_answer> tags, like <final_answer>{'Feasible': 'YES_OR_NO', 'TotalValue': 'TOTAL_VALUE', 'SelectedItemIds': [0, 1]}</final_answer>.",
  }
  return { level: items.length - 3, text: prompt(task, `\n The items details are as below: \n${lines.join('')}`) }
})

export const meetings = instances('msp_instances.json', (one) => {
  const people = at(one, 'participants')
  if (!isDict(people)) throw new BadData('the participants are not an object')
  const lines = [
    ...listAt(one, 'meetings').map(
      (meeting) => `Meeting ${pyStr(at(meeting, 'id'))} is with duration ${pyStr(at(meeting, 'duration'))}.\n`,
    ),
    ...dictEntries(people).map(
      ([name, person]) =>
        `Participant ${name} is available at time slots ${pyStr(at(person, 'available_slots'))} and has meetings ${pyStr(at(person, 'meetings'))}.\n`,
    ),
  ]
  const task = {
    intro:
      'The meeting scheduling problem (MSP) is a type of constraint satisfaction problem where the goal is to find a suitable time slot for a meeting that all participants can attend without conflicts in their schedules.',
    question: `There are ${pyStr(people)} participants with their available time slots. There are ${pyStr(at(one, 'time_slots'))} consecutive non-overlapping time slots. Let's assume all meetings has duration of 1.`,
    wanted:
      'Please provide a time slot where all participants can attend the meeting. You should also provide very short step by step reasoning. Do not use multiple lines and try your best to save output tokens.',
    format:
      'Your output should contain two parts enclosed by <root></root>. First, your step by step reasoning wrapped by <reasoning></reasoning>. Second, the final output of meeting numbers followed by a list of slots, like <final_answer>{0:[1,2], 1:[4], ...}</final_answer>.',
  }
  return {
    level: integer(at(one, 'complexity_level')),
    text: prompt(task, `\n The meetings and participants details are as below: \n${lines.join('')}`),
  }
})

/** Ten files of graphs, each graph followed by an empty line. */
function graphs(file: string, task: (vertices: string, first: string) => Task, before: string): Loader {
  return {
    reads: `a folder, its name with a slash behind, with ${file}_0.txt to ${file}_9.txt`,
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode: true })
      const rows: RowDict[] = []
      for (let level = 1; level <= 10; level++)
        for (const graph of (await data.text(`${path}${file}_${level - 1}.txt`)).split('\n\n').slice(0, -1)) {
          const [first = '', second = '', ...edges] = graph.split('\n')
          const lines = edges.map((edge) => {
            const [, from, to] = edge.split(' ')
            if (from === undefined || to === undefined) throw new BadData(`"${edge}" is not an edge`, `${path}${file}_${level - 1}.txt`)
            return `Vertex ${from} is connected to vertex ${to}.\n`
          })
          const vertices = second.split(' ')[2]
          if (vertices === undefined || first === '') throw new BadData('the graph has no head', `${path}${file}_${level - 1}.txt`)
          rows.push(problem(prompt(task(vertices, first), `${before}${lines.join('')}`), level, graph))
        }
      return fromList(rows)
    },
  }
}

export const colouring = graphs(
  'synthesized_data_GCP',
  (vertices, first) => ({
    intro:
      'Graph coloring refers to the problem of coloring vertices of a graph in such a way that no two adjacent vertices have the same color. ',
    question: `There are ${vertices} vertices 1 to ${vertices} in a graph. You may use ${first.at(-1)} colors with alphabats from A, B, C,... to color the graph.`,
    wanted:
      "Please label every vertex, even if it is disconnected from the rest of the graph. Please provide each vertex's color. Do not skip any vertices. You should also provide very short step by step reasoning. Do not use multiple lines and try your best to save output tokens.",
    format:
      "Your output should contain two parts enclosed by <root></root>. First, your step by step reasoning wrapped by <reasoning></reasoning>. Second, the final output of all vertex numbers and their associated colors, wrapped by final_answer tag, like <final_answer>{0:'COLOR_1', 1:'COLOR_2', ...}</final_answer>.",
  }),
  '\n The graph is below: \n',
)

export const colouringDecision = graphs(
  'decision_data_GCP',
  (vertices, first) => ({
    intro:
      'The Graph Coloring Problem (Decision Version, GCP-D) involves determining if it is possible to color the vertices of a graph using a given number of colors, ensuring no two adjacent vertices have the same color.',
    question: `Find out if the vertices of a graph with ${vertices} vertices can be colored using only ${first.split(' ')[1] ?? ''} colors, such that no adjacent vertices share the same color.`,
    wanted: 'Provide a yes or no answer, along with a concise explanation of your reasoning. Keep your explanation focused and brief.',
    format:
      "Enclose your output in <root></root> tags. Include your reasoning in <reasoning></reasoning> tags and the final yes/no answer in <final_answer></final_answer> tags, like <final_answer>{'Feasible': 'YES_OR_NO'}</final_answer>.",
  }),
  '\n\n The graph is below: \n',
)

/** A hundred distance tables: ten levels of ten. */
function distances(file: string, change: (table: DataFrame) => string): Loader {
  return {
    reads: `a folder, its name with a slash behind, with ${file}_level_0_instance_1.csv to ${file}_level_9_instance_10.csv`,
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode: true })
      const rows: RowDict[] = []
      for (let level = 0; level < 10; level++)
        for (let number = 1; number <= 10; number++) {
          const table = await tableOf(data, `${path}${file}_level_${level}_instance_${number}.csv`)
          rows.push(problem(change(table), level + 1, stringifyJson(jsonOf(table))))
        }
      return fromList(rows)
    },
  }
}

/** A .csv file without a header; columns are numbered. */
async function tableOf(data: Data, path: string): Promise<DataFrame> {
  const text = await data.text(path, { newline: '' })
  const [first] = text.split('\n')
  if (first === undefined || first.trim() === '') throw new BadData('the file has no columns', path)
  return csvFrame(text, path, { names: first.split(',').map((_, index) => String(index)) })
}

/** `DataFrame.to_json`: column → row → value. */
function jsonOf({ columns, rows }: DataFrame): string {
  const entries = columns.map(
    (name) => `${JSON.stringify(name)}:{${rows.map((one, index) => `"${index}":${cellJson(one.get(name)!)}`).join(',')}}`,
  )
  return `{${entries.join(',')}}`
}

function cellJson(value: PyValue): string {
  return isNaNumber(value) ? 'null' : typeof value === 'string' ? JSON.stringify(value) : pyStr(value)
}

function pairsOf(
  { columns, rows }: DataFrame,
  count: number,
  line: (from: number, to: number, distance: string) => string,
  isFloat = false,
): string {
  let text = ''
  for (let from = 0; from < count; from++)
    for (let to = from + 1; to < columns.length; to++) {
      const value = rows[from]!.get(columns[to]!)!
      text += line(from, to, pyStr(isFloat && typeof value === 'number' ? pyFloat(value) : value))
    }
  return text
}

export const salesman = distances('synthesized_data_TSP', (table) => {
  const cities = table.rows.length
  const task = {
    intro:
      'The traveling salesman problem (TSP) is a classic optimization problem that aims to find the shortest possible route that visits a set of cities, with each city being visited exactly once and the route returning to the original city.',
    question: `You must find the shortest path that visits all ${cities} cities, labelled from 1 to ${cities}. The distances between each pair of cities are provided.`,
    wanted:
      'Please list each city in the order they are visited. Provide the total distance of the trip. You should also provide very short step by step reasoning. Do not use multiple lines and try your best to save output tokens.',
    format:
      "Your output should contain two parts enclosed by <root></root>. First, your step by step reasoning like <reasoning>The reasoning process</reasoning>. Second, the final output of the result path and total distance wrapped by final_answer tag, like <final_answer>{'Path': '0->1->2->...->N->0', 'TotalDistance': 'INT_TOTAL_DISTANCE'}</final_answer>",
  }
  const lines = pairsOf(
    table,
    cities,
    (from, to, distance) => `The path between City ${from} and City ${to} is with distance ${distance}.\n`,
  )
  return prompt(task, `\n The distances between cities are below: \n${lines}`)
})

/** The first column of the last row is the limit. */
export const salesmanDecision = distances('decision_data_TSP', (table) => {
  const cities = table.rows.length - 1
  const values = table.rows.slice(0, -1).flatMap((one) => table.columns.map((name) => one.get(name)!))
  // A table of ints and floats becomes floats; if it contains text, each cell keeps its type.
  const isFloat =
    table.rows.some((one) => table.columns.some((name) => !Number.isInteger(one.get(name) as number))) &&
    !values.some((value) => typeof value === 'string')
  const task = {
    intro:
      'The Traveling Salesman Problem (Decision Version, TSP-D) focuses on determining if a salesman can complete a route, visiting each city at least once, with the total travel distance being less than a specified value.',
    question: `Check if it's possible for a salesman to visit each of the ${cities} cities at least once and return to the starting city with the total distance less than ${pyStr(table.rows.at(-1)!.get(table.columns[0]!)!)}. The distances between each pair of cities are given.`,
    wanted:
      'Provide a yes or no answer, with a succinct explanation of your decision process. Focus on clarity and brevity in your response.',
    format:
      "Enclose your output in <root></root> tags. Present your reasoning in <reasoning></reasoning> tags and the final yes/no answer in <final_answer></final_answer> tags, like <final_answer>{'Feasible': 'YES_OR_NO'}</final_answer>.",
  }
  const lines = pairsOf(
    table,
    cities,
    (from, to, distance) => `The distance between City ${from} and City ${to} is ${distance}.\n`,
    isFloat,
  )
  return prompt(task, `\nThe distances between cities are below: \n${lines}`)
})
