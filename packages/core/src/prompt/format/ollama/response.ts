import type { Node, Operand, Pipeline } from '../../../base/go-template/index.ts'

/** Whether a template reads a field of its input. */
export function usesField(nodes: readonly Node[], name: string): boolean {
  return nodes.some((node) => {
    if ('pipeline' in node && asksFor(node.pipeline, name)) return true
    return 'body' in node && (usesField(node.body, name) || usesField(node.otherwise, name))
  })
}

function asksFor({ commands }: Pipeline, name: string): boolean {
  return commands.flat().some((operand) => asks(operand, name))
}

function asks(operand: Operand, name: string): boolean {
  if (operand.kind === 'field') return operand.names[0] === name
  if (operand.kind === 'variable') return operand.name === '' && operand.names[0] === name
  return operand.kind === 'pipeline' && asksFor(operand.pipeline, name)
}

/** A template up to its response, where generation starts: the rest belongs to completed rounds. */
export function cutAtResponse(nodes: readonly Node[]): Node[] {
  return cut(nodes).nodes
}

function cut(nodes: readonly Node[]): { nodes: Node[]; isCut: boolean } {
  const kept: Node[] = []
  for (const node of nodes) {
    if (node.kind === 'write' && asksFor(node.pipeline, 'Response')) return { nodes: [...kept, node], isCut: true }
    if (!('body' in node)) {
      kept.push(node)
      continue
    }
    const body = cut(node.body)
    const otherwise = body.isCut ? { nodes: [], isCut: true } : cut(node.otherwise)
    kept.push({ ...node, body: body.nodes, otherwise: otherwise.nodes })
    if (body.isCut || otherwise.isCut) return { nodes: kept, isCut: true }
  }
  return { nodes: kept, isCut: false }
}
