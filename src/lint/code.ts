import type { Expression, Statement } from '../jinja/syntax/ast.ts'
import type { Span } from './rule.ts'

type Node = Statement | Expression

/** A condition under which some code is reached. */
export type Condition = Span & { isNegated: boolean }

/** The innermost condition around some code: of an `if` statement, or of a value that is written one way or another. */
export function conditionAround(body: readonly Statement[], { start, end }: Span): Condition | undefined {
  let found: Condition | undefined
  const visit = (node: Node): boolean => {
    if (node.start === start && node.end === end && node.kind === 'const') return true
    if (node.kind === 'data') return node.start === start && node.end === end
    if (node.kind === 'if') {
      for (const [index, branch] of node.branches.entries()) {
        if (visit(branch.test)) return true
        if (branch.body.some(visit)) {
          found ??= { start: node.branches[index]!.test.start, end: node.branches[index]!.test.end, isNegated: false }
          return true
        }
      }
      const last = node.branches.at(-1)!.test
      if (!node.otherwise.some(visit)) return false
      found ??= { start: last.start, end: last.end, isNegated: true }
      return true
    }
    if (node.kind === 'condition') {
      const isValue = visit(node.value)
      if (!isValue && !(node.otherwise && visit(node.otherwise))) return visit(node.test)
      found ??= { start: node.test.start, end: node.test.end, isNegated: !isValue }
      return true
    }
    return childrenOf(node).some(visit)
  }
  body.some(visit)
  return found
}

/** The first loop over the messages, which most of a template stands in. */
export function messageLoop(body: readonly Statement[], source: string): Span | undefined {
  const loops = [...nodesIn(body)].filter((node) => node.kind === 'for')
  const overs = (pattern: RegExp) => loops.find(({ iterable }) => pattern.test(source.slice(iterable.start, iterable.end)))
  const first = overs(/^\w*messages$/) ?? overs(/messages/) ?? loops[0]
  return first && { start: first.start, end: first.iterable.end }
}

/** All statements and expressions, from the first to the last. */
export function* nodesIn(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node
    yield* nodesIn(childrenOf(node))
  }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap(partsOf)
}

function partsOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(partsOf)
  if (typeof value !== 'object' || value === null) return []
  if ('kind' in value && 'start' in value) return [value as Node]
  return Object.values(value).flatMap(partsOf)
}
