import { wrongGold } from '../../../../evaluation/score/evaluate/given.ts'

/** Distances between cities, by row and column. */
export type Distances = readonly (readonly number[])[]

/** Cities of odd degree that are matched exactly; the number of subsets doubles with each. */
const maxOdd = 20

/**
 * The length of the round trip that Christofides' algorithm finds, step by step as in networkx: a spanning tree, a matching of its
 * odd nodes, an Euler circuit and its shortcuts. 0 is no road. Of several best matchings, networkx may take another one.
 */
export function christofidesLength(distances: Distances): number | undefined {
  const shortest = shortestPaths(distances)
  const size = shortest.length
  if (size < 2 || shortest.some((row) => row.some((one) => one === Number.POSITIVE_INFINITY))) return undefined
  const tree = spanningTree(shortest)
  const odd = [...tree.keys()].filter((node) => tree.get(node)!.length % 2 === 1)
  // Nodes in the order in which the edges of the tree name them, as networkx adds them to a new graph.
  const roads = new Map<number, number[]>()
  const join = (a: number, b: number) => {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const)
      roads.set(from, [...(roads.get(from) ?? []), to])
  }
  for (const [node, others] of tree) for (const other of others) if (isFirst(tree, node, other)) join(node, other)
  for (const [a, b] of bestMatching(
    odd.sort((a, b) => a - b),
    shortest,
  ))
    join(a, b)
  const visited = shortcuts(eulerCircuit(copied(roads)))
  return visited.reduce((sum, city, at) => sum + shortest[city]![visited[(at + 1) % visited.length]!]!, 0)
}

const isFirst = (tree: ReadonlyMap<number, readonly number[]>, node: number, other: number) => {
  const order = [...tree.keys()]
  return order.indexOf(node) < order.indexOf(other)
}

function shortestPaths(distances: Distances): number[][] {
  const size = distances.length
  const road = (a: number, b: number) => distances[Math.max(a, b)]?.[Math.min(a, b)] || Number.POSITIVE_INFINITY
  const shortest = distances.map((_, a) => distances.map((_, b) => (a === b ? 0 : road(a, b))))
  for (let via = 0; via < size; via++)
    for (const from of shortest) for (let to = 0; to < size; to++) from[to] = Math.min(from[to]!, from[via]! + shortest[via]![to]!)
  return shortest
}

/** Kruskal's tree: the neighbours of each node, in the order in which they were joined. */
function spanningTree(shortest: Distances): Map<number, number[]> {
  const edges = shortest.flatMap((row, a) => row.flatMap((weight, b) => (a < b ? [{ a, b, weight }] : [])))
  const component = shortest.map((_, node) => node)
  const tree = new Map<number, number[]>(component.map((node) => [node, []]))
  for (const { a, b } of edges.sort((one, other) => one.weight - other.weight)) {
    const [kept, lost] = [component[a]!, component[b]!]
    if (kept === lost) continue
    for (const [node, id] of component.entries()) if (id === lost) component[node] = kept
    tree.get(a)!.push(b)
    tree.get(b)!.push(a)
  }
  return tree
}

/** The cheapest pairs of nodes, by the sets of nodes that are matched already. */
function bestMatching(nodes: readonly number[], shortest: Distances): [number, number][] {
  if (nodes.length > maxOdd) throw wrongGold(`it has ${nodes.length} cities of odd degree`, `use problems with at most ${maxOdd}`)
  const all = 2 ** nodes.length
  const cost = new Float64Array(all).fill(Number.POSITIVE_INFINITY)
  const chosen = new Int32Array(all)
  cost[0] = 0
  for (let done = 0; done < all; done++) {
    if (cost[done] === Number.POSITIVE_INFINITY) continue
    let first = 0
    while (first < nodes.length && done & (1 << first)) first++
    for (let second = first + 1; second < nodes.length; second++) {
      if (done & (1 << second)) continue
      const next = done | (1 << first) | (1 << second)
      const sum = cost[done]! + shortest[nodes[first]!]![nodes[second]!]!
      if (sum < cost[next]!) [cost[next], chosen[next]] = [sum, first * nodes.length + second]
    }
  }
  const pairs: [number, number][] = []
  for (let done = all - 1; done > 0; ) {
    const [first, second] = [Math.floor(chosen[done]! / nodes.length), chosen[done]! % nodes.length]
    pairs.push([nodes[first]!, nodes[second]!])
    done &= ~((1 << first) | (1 << second))
  }
  return pairs
}

/** Neighbours as networkx orders them in a copy of a graph: those before the node first, in the order of the nodes. */
function copied(roads: ReadonlyMap<number, readonly number[]>): Map<number, number[]> {
  const order = [...roads.keys()]
  return new Map(
    [...roads].map(([node, others]) => {
      const before = order.slice(0, order.indexOf(node)).filter((one) => others.includes(one))
      return [node, [...new Set([...before, ...others])].flatMap((one) => others.filter((other) => other === one))]
    }),
  )
}

/** The nodes of a circuit over all edges; a road that was driven is removed. */
function eulerCircuit(roads: Map<number, number[]>): number[] {
  const circuit: number[] = []
  const stack = [roads.keys().next().value!]
  while (stack.length > 0) {
    const here = stack.at(-1)!
    const next = roads.get(here)![0]
    if (next === undefined) circuit.push(stack.pop()!)
    else {
      stack.push(next)
      for (const [from, to] of [
        [here, next],
        [next, here],
      ] as const)
        roads.get(from)!.splice(roads.get(from)!.indexOf(to), 1)
    }
  }
  return circuit
}

const shortcuts = (circuit: readonly number[]) => [...new Set(circuit)]

/** The length of the tour that always goes to the nearest city left, from the first one. */
export function greedyLength(distances: Distances): number {
  const left = new Set(distances.keys())
  let [here, length] = [0, 0]
  left.delete(here)
  while (left.size > 0) {
    const nearest = [...left].reduce((best, city) => (distances[here]![city]! < distances[here]![best]! ? city : best))
    length += distances[here]![nearest]!
    here = nearest
    left.delete(here)
  }
  return length + distances[here]![0]!
}
