import { PromptError } from '@rolecall/core/internal/errors'
import type { Expression, PyValue } from '@rolecall/core/internal/python'
import { isNumber, makeDict, makeSet, negate, PythonError, Tuple, type Value } from '@rolecall/core/internal/python'
import { parseOneExpression } from './parse-one-expression.ts'
import { toPlainData } from './plain-data.ts'

/** No one writes longer literals; reading them would only take time. */
const maxLength = 1_000_000

/** The text or expression is Python, but not a literal. */
export class NotLiteral extends PythonError {
  constructor() {
    super('ValueError', 'malformed node or string')
  }
}

/**
 * A Python literal as plain data, with tuples and sets as lists and keys as strings; undefined if the text is anything else. Nothing in it
 * is run.
 *
 * @example
 * readLiteral("{'rows': [['1', 'Ann'], (2, None)]}") // => { rows: [['1', 'Ann'], [2, null]] }
 * readLiteral('print(1)') // => undefined
 */
export function readLiteral(text: string): PyValue | undefined {
  return dataOrUndefined(() => evaluateLiteral(text))
}

/** As `readLiteral`, for an expression that is already parsed. */
export function literalData(expression: Expression): PyValue | undefined {
  return dataOrUndefined(() => literalValue(expression))
}

function dataOrUndefined(evaluate: () => Value): PyValue | undefined {
  try {
    return toPlainData(evaluate())
  } catch (error) {
    if (error instanceof PromptError || error instanceof PythonError) return undefined
    throw error
  }
}

/** Python's `ast.literal_eval`; throws a `PythonError` or, if the text is not Python, a `PromptError`. There are no complex numbers or bytes. */
export function evaluateLiteral(text: string): Value {
  if (text.length > maxLength) throw new NotLiteral()
  const { expression, slips } = parseOneExpression(text, 'a text')
  // Slips that are forgiven in configs are errors here.
  if (expression === undefined || slips.length > 0) throw new NotLiteral()
  return literalValue(expression)
}

/** The value of an expression that is a literal. */
function literalValue(expression: Expression): Value {
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'list':
      return expression.items.map(literalValue)
    case 'tuple':
      return new Tuple(expression.items.map(literalValue))
    case 'set':
      return makeSet(expression.items.map(literalValue))
    case 'dict':
      return makeDict(
        expression.entries.map(({ key, value }) => {
          if (key === undefined) throw new NotLiteral()
          return [literalValue(key), literalValue(value)] as const
        }),
      )
    case 'unary': {
      const { operator, operand } = expression
      if (operand.kind !== 'constant' || typeof operand.value === 'boolean' || !isNumber(operand.value)) throw new NotLiteral()
      if (operator !== '-' && operator !== '+') throw new NotLiteral()
      return operator === '-' ? negate(operand.value) : operand.value
    }
    case 'call':
      // The empty set has no other literal.
      if (expression.callee.kind === 'name' && expression.callee.name === 'set' && expression.args.length === 0) return makeSet([])
      throw new NotLiteral()
    default:
      throw new NotLiteral()
  }
}
