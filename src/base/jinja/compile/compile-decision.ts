import { contains, inOrder, truthy } from '../../python/values/compare.ts'
import { equals } from '../../python/values/dict.ts'
import type { Value } from '../../python/values/value.ts'
import type { CompareOperator, Expression } from '../syntax/ast.ts'
import { compileExpression, compileTestCall } from './compile-expression.ts'
import type { CompileFrame } from './context.ts'
import type { Decide } from './frame.ts'

/** Makes a function of a condition, which gives a JavaScript boolean. */
export function compileDecision(node: Expression, frame: CompileFrame): Decide {
  switch (node.kind) {
    case 'not': {
      const operand = compileDecision(node.operand, frame)
      return (running) => !operand(running)
    }
    case 'and': {
      const left = compileDecision(node.left, frame)
      const right = compileDecision(node.right, frame)
      return (running) => left(running) && right(running)
    }
    case 'or': {
      const left = compileDecision(node.left, frame)
      const right = compileDecision(node.right, frame)
      return (running) => left(running) || right(running)
    }
    case 'test':
      return compileTestCall(node, frame)
    case 'compare':
      return compileCompare(node, frame)
    default: {
      const value = compileExpression(node, frame)
      return (running) => truthy(value(running))
    }
  }
}

function compileCompare(node: Expression & { kind: 'compare' }, frame: CompileFrame): Decide {
  const { template } = frame
  const first = compileExpression(node.first, frame)
  const [only] = node.rest
  if (node.rest.length === 1 && (only!.operator === '==' || only!.operator === '!=')) {
    const wanted = only!.operator === '=='
    const { operand } = only!
    if (operand.kind === 'const' && typeof operand.value === 'string') {
      const text = operand.value
      return (running) => {
        const value = first(running)
        return (typeof value === 'string' ? value === text : equals(value, text)) === wanted
      }
    }
    const right = compileExpression(operand, frame)
    return (running) => {
      const left = first(running)
      running.runtime.charge(left)
      return equals(left, right(running)) === wanted
    }
  }
  const rest = node.rest.map(({ operator, operand }) => ({ holds: comparison(operator), operand: compileExpression(operand, frame) }))
  return (running) => {
    let left = first(running)
    for (const { holds, operand } of rest) {
      const right = operand(running)
      let held: boolean
      try {
        running.runtime.charge(left)
        running.runtime.charge(right)
        held = holds(left, right)
      } catch (error) {
        throw template.at(error, node)
      }
      if (!held) return false
      left = right
    }
    return true
  }
}

function comparison(operator: CompareOperator): (left: Value, right: Value) => boolean {
  switch (operator) {
    case '==':
      return equals
    case '!=':
      return (left, right) => !equals(left, right)
    case 'in':
      return (left, right) => contains(right, left)
    case 'not in':
      return (left, right) => !contains(right, left)
    default:
      return (left, right) => inOrder(operator, left, right)
  }
}
