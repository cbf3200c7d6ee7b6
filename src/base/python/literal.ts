import { PromptError } from '../errors/prompt-error.ts'
import { type PyValue, pyFloat } from './data/value.ts'
import type { Expression } from './syntax/ast.ts'
import { parseModule } from './syntax/parse-module.ts'

/**
 * The value of Python that is written out: texts, numbers, lists, tuples and dicts with texts as keys. Nothing is run; what is
 * no such value is undefined.
 *
 * @example
 * pythonLiteral("['YES', 'NO']") // => ['YES', 'NO']
 */
export function pythonLiteral(text: string): PyValue | undefined {
  const expression = onlyExpression(text)
  return expression && literalValue(expression)
}

function onlyExpression(text: string): Expression | undefined {
  if (text.length > longest) return undefined
  try {
    const { body } = parseModule(text, 'a text')
    return body.length === 1 && body[0]!.kind === 'expression' ? body[0]!.value : undefined
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

function literalValue(expression: Expression): PyValue | undefined {
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'list':
    case 'tuple':
      return all(expression.items)
    case 'dict': {
      const keys = all(expression.entries.map(({ key }) => key))
      const values = all(expression.entries.map(({ value }) => value))
      if (!keys?.every((key) => typeof key === 'string') || !values) return undefined
      return new Map(keys.map((key, index) => [key as string, values[index]!]))
    }
    case 'unary':
      return expression.operator === '-' ? negative(literalValue(expression.operand)) : undefined
    default:
      return undefined
  }
}

function all(expressions: readonly (Expression | undefined)[]): PyValue[] | undefined {
  const values = expressions.map((one) => one && literalValue(one))
  return values.includes(undefined) ? undefined : (values as PyValue[])
}

function negative(value: PyValue | undefined): PyValue | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return -value
  return value instanceof Object && 'value' in value && typeof value.value === 'number' ? pyFloat(-value.value) : undefined
}

/** Longer than any list that a model writes down; more would only take time. */
const longest = 100_000
