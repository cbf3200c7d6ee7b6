import type { Arguments, Expression, Statement } from '../syntax/ast.ts'

/** The names that an expression reads. */
export function namesIn(expression: Expression): Set<string> {
  const found = new Set<string>()
  // Without recursion: a template may add up thousands of texts.
  const rest: (Expression | undefined)[] = [expression]
  while (rest.length > 0) {
    const next = rest.pop()
    if (next === undefined) continue
    if (next.kind === 'name') found.add(next.name)
    for (const part of partsOf(next)) rest.push(part)
  }
  return found
}

/** The expressions that one is made of. */
export function partsOf(expression: Expression): readonly (Expression | undefined)[] {
  switch (expression.kind) {
    case 'const':
    case 'name':
      return []
    case 'list':
    case 'tuple':
    case 'concat':
      return expression.items
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => [key, value])
    case 'attribute':
      return [expression.object]
    case 'item':
      return [expression.object, expression.key]
    case 'slice':
      return expression.parts
    case 'call':
      return [expression.callee, ...argumentsOf(expression)]
    case 'filter':
    case 'test':
      return [expression.input, ...argumentsOf(expression)]
    case 'not':
    case 'negative':
    case 'positive':
      return [expression.operand]
    case 'and':
    case 'or':
    case 'binary':
      return [expression.left, expression.right]
    case 'compare':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)]
    case 'condition':
      return [expression.test, expression.value, expression.otherwise]
  }
}

function argumentsOf({ args, kwargs, dynArgs, dynKwargs }: Arguments): readonly (Expression | undefined)[] {
  return [...args, ...kwargs.map(({ value }) => value), dynArgs, dynKwargs]
}

/** Whether some statements read a name anywhere, in inner blocks as well. */
export function readsName(body: readonly Statement[], wanted: string): boolean {
  const found = (expression: Expression | undefined) => expression !== undefined && namesIn(expression).has(wanted)
  return body.some((statement): boolean => {
    switch (statement.kind) {
      case 'output':
      case 'set':
        return found(statement.value)
      case 'set-block':
        return found(statement.filter) || readsName(statement.body, wanted)
      case 'for':
        return (
          found(statement.iterable) || found(statement.test) || readsName(statement.body, wanted) || readsName(statement.otherwise, wanted)
        )
      case 'if':
        return (
          statement.branches.some(({ test, body: inner }) => found(test) || readsName(inner, wanted)) ||
          readsName(statement.otherwise, wanted)
        )
      case 'macro':
        return statement.defaults.some(found) || readsName(statement.body, wanted)
      case 'call-block':
        return found(statement.call) || statement.defaults.some(found) || readsName(statement.body, wanted)
      case 'filter-block':
        return found(statement.filter) || readsName(statement.body, wanted)
      case 'with':
        return statement.values.some(found) || readsName(statement.body, wanted)
      case 'autoescape':
      case 'generation':
        return readsName(statement.body, wanted)
      default:
        return false
    }
  })
}
