import { intOf, splitSpace, strip } from '@rolecall/core/internal/python'
import { wrongGold } from '../../../../evaluation/score/evaluate/given.ts'

/** Larger problems are none of NPHardEval's. */
const largest = 1_000_000

/** Refuses a problem that would take too much memory. */
export function refuseLarge(what: string, size: number): void {
  if (size > largest) throw wrongGold(`it has ${what} of ${size}`, `use problems of at most ${largest}`)
}

const wholeNumber = (text: string | undefined) => Number(intOf(text) ?? Number.NaN)

/** The neighbours of each vertex of a graph in the DIMACS format; undefined if it is something else. */
export function readGraph(text: string): Map<number, Set<number>> | undefined {
  const lines = strip(text).split('\n')
  const size = splitSpace(lines.find((line) => line.startsWith('p')) ?? '')
  if (size.length !== 4) return undefined
  refuseLarge('a graph', wholeNumber(size[2]))
  const graph = new Map(Array.from({ length: wholeNumber(size[2]) }, (_, vertex) => [vertex + 1, new Set<number>()]))
  for (const line of lines.filter((one) => one.startsWith('e'))) {
    const [, a, b] = splitSpace(line).map(wholeNumber)
    if (!graph.has(a!) || !graph.has(b!)) continue
    graph.get(a!)!.add(b!)
    graph.get(b!)!.add(a!)
  }
  return graph
}

/** The number of colours that a greedy colouring takes, vertices with many neighbours first. */
export function greedyColours(graph: ReadonlyMap<number, ReadonlySet<number>>): number {
  const degree = ([vertex, others]: [number, ReadonlySet<number>]) => others.size + Number(others.has(vertex))
  const colours = new Map<number, number>()
  for (const [vertex, others] of [...graph].sort((a, b) => degree(b) - degree(a))) {
    const taken = new Set([...others].map((other) => colours.get(other)))
    let colour = 0
    while (taken.has(colour)) colour++
    colours.set(vertex, colour)
  }
  return [...colours.values()].reduce((most, colour) => Math.max(most, colour), -1) + 1
}
