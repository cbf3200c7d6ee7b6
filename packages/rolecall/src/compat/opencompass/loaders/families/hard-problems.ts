import { type PyValue, pyFloat, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { csvFrame, type DataFrame, isNaNumber } from '../read/csv-frame.ts'
import { type RowDict, row } from '../row-values.ts'
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
