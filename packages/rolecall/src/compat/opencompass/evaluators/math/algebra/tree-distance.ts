import { type Formula, partsOf } from './expression.ts'

type Tree = { label: string; children: readonly Tree[] }

/** The tree of a formula with flattened sums and products, in canonical order. */
function treeOf(formula: Formula): Tree {
  if (formula.kind === 'number') return { label: String(formula.value), children: [] }
  if (formula.kind === 'symbol') return { label: formula.name, children: [] }
  if (formula.kind === 'call') return { label: formula.name, children: [treeOf(formula.of)] }
  if (formula.kind === 'power') return { label: '^', children: partsOf(formula).map(treeOf) }
  const label = formula.kind === 'sum' ? '+' : '*'
  const flat = formula.parts.map(treeOf).flatMap((tree) => (tree.label === label ? tree.children : [tree]))
  return { label, children: [...flat].sort((a, b) => (written(a) < written(b) ? -1 : 1)) }
}

const written = ({ label, children }: Tree): string => `${label}(${children.map(written).join()})`

function sizeOf({ children }: Tree): number {
  return children.reduce((sum, child) => sum + sizeOf(child), 1)
}

/** The number of nodes to insert, delete or rename to turn one forest into the other. */
function distance(a: readonly Tree[], b: readonly Tree[], known: Map<string, number>): number {
  const all = (trees: readonly Tree[]) => trees.reduce((sum, tree) => sum + sizeOf(tree), 0)
  if (a.length === 0 || b.length === 0) return all(a) + all(b)
  const key = `${a.map(written).join()}|${b.map(written).join()}`
  const found = known.get(key)
  if (found !== undefined) return found
  const [first, second] = [a.at(-1)!, b.at(-1)!]
  const [before, beforeThere] = [a.slice(0, -1), b.slice(0, -1)]
  const result = Math.min(
    distance([...before, ...first.children], b, known) + 1,
    distance(a, [...beforeThere, ...second.children], known) + 1,
    distance(first.children, second.children, known) + distance(before, beforeThere, known) + Number(first.label !== second.label),
  )
  known.set(key, result)
  return result
}

/** Larger formulas count as entirely different, without a node-by-node comparison. */
const largest = 80

/** The distance from one formula to another, as a share of the latter's nodes. */
export function treeDistance(said: Formula, right: Formula): number {
  const [ours, theirs] = [treeOf(said), treeOf(right)]
  if (sizeOf(ours) > largest || sizeOf(theirs) > largest) return 1
  return distance([ours], [theirs], new Map()) / sizeOf(theirs)
}
