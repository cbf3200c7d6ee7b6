import type { JinjaExpression, JinjaStatement } from '../syntax/jinja-ast.ts'

type Node = JinjaExpression | JinjaStatement

/** Every statement and expression of a template, in the order of its source; targets of assignments are not included. */
export function* nodesIn(body: readonly JinjaStatement[]): Generator<Node> {
  // Without recursion: a template may add thousands of texts.
  const rest: object[] = [...body].reverse()
  while (rest.length > 0) {
    const node = rest.pop()!
    if (!Array.isArray(node) && 'kind' in node) yield node as Node
    const children = childrenOf(node).filter(([key]) => !isTarget(key))
    for (const [, child] of children.reverse()) rest.push(child)
  }
}

/** The template with its expressions changed: `change` is given each one after its parts. */
export function mapExpressions(
  body: readonly JinjaStatement[],
  change: (expression: JinjaExpression) => JinjaExpression,
  changeStatement: (statement: JinjaStatement) => JinjaStatement = (statement) => statement,
): JinjaStatement[] {
  const map = (node: object): object => {
    if (Array.isArray(node)) return node.map((item) => (isNode(item) ? map(item) : item))
    const entries = childrenOf(node).map(([key, child]) => [key, isTarget(key) ? child : map(child)])
    const copy = { ...node, ...Object.fromEntries(entries) }
    if (!('kind' in copy)) return copy
    return statementKinds.has((copy as Node).kind) ? changeStatement(copy as JinjaStatement) : change(copy as JinjaExpression)
  }
  return map(body) as JinjaStatement[]
}

const statementKinds: ReadonlySet<string> = new Set<JinjaStatement['kind']>([
  'data',
  'output',
  'set',
  'set-block',
  'for',
  'if',
  'macro',
  'call-block',
  'filter-block',
  'with',
  'autoescape',
  'generation',
  'block',
  'break',
  'continue',
  'loader',
])

function childrenOf(node: object): [string, object][] {
  // The value of a constant is data.
  if ('kind' in node && node.kind === 'const') return []
  return Object.entries(node).filter((entry): entry is [string, object] => isNode(entry[1]))
}

function isTarget(key: string): boolean {
  return key === 'target' || key === 'targets'
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
