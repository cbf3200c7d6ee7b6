import type { JinjaExpression, JinjaStatement, Span } from '@rolecall/core/internal/jinja'

type Node = JinjaStatement | JinjaExpression

/** A condition under which code is reached. */
export type Condition = Span & { isNegated: boolean }

/** The innermost condition around a constant: of an `if` statement or a conditional expression. */
export function conditionAround(body: readonly JinjaStatement[], { start, end }: Span): Condition | undefined {
  // Iterative: a template may nest thousands of concatenations.
  const open: { node: Node; condition: Condition | undefined }[] = body.map((node) => ({ node, condition: undefined }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, condition } = next
    if ((node.kind === 'const' || node.kind === 'data') && node.start === start && node.end === end) return condition
    for (const child of childrenOf(node)) open.push({ node: child, condition: conditionOf(node, child) ?? condition })
  }
  return undefined
}

/** The condition under which a child of a node is reached; undefined if the node sets none. */
function conditionOf(node: Node, child: Node): Condition | undefined {
  const on = ({ start, end }: Span, isNegated = false): Condition => ({ start, end, isNegated })
  if (node.kind === 'if') {
    const branch = node.branches.find(({ body }) => body.includes(child as JinjaStatement))
    if (branch) return on(branch.test)
    return node.otherwise.includes(child as JinjaStatement) ? on(node.branches.at(-1)!.test, true) : undefined
  }
  if (node.kind !== 'condition' || child === node.test) return undefined
  return on(node.test, child !== node.value)
}

/** The first loop over the messages, the default location of findings. */
export function messageLoop(body: readonly JinjaStatement[], source: string): Span | undefined {
  const loops = [...nodesIn(body)].filter((node) => node.kind === 'for')
  const overs = (pattern: RegExp) => loops.find(({ iterable }) => pattern.test(source.slice(iterable.start, iterable.end)))
  const first = overs(/^\w*messages$/) ?? overs(/messages/) ?? loops[0]
  return first && { start: first.start, end: first.iterable.end }
}

/** All statements and expressions in source order. */
export function* nodesIn(nodes: readonly Node[]): Generator<Node> {
  const open = nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node
    for (const child of childrenOf(node).reverse()) open.push(child)
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
