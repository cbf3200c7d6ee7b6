import { PromptError } from '../../errors/prompt-error.ts'
import { dictFromEntries, PyFloat, type PyValue, pyFloat, pyStr } from '../index.ts'
import type { Expression } from './ast.ts'
import { parseInner } from './parse-atom.ts'

/** Longer texts than this are not a literal that somebody wrote. */
const longest = 1_000_000

/**
 * Python's `ast.literal_eval`: what a text of numbers, strings, lists and dicts is. Tuples and sets are lists. Undefined where the
 * text is anything else; nothing in it is run.
 *
 * @example
 * literalOf("{'rows': [['1', 'Ann'], (2, None)]}") // => { rows: [['1', 'Ann'], [2, null]] }
 * literalOf('print(1)') // => undefined
 */
export function literalOf(text: string): PyValue | undefined {
  if (text.length > longest || text.trim() === '') return undefined
  try {
    return literal(parseInner(text.trim(), { file: 'the text', line: 1, column: 1 }, 0))
  } catch (error) {
    if (error instanceof PromptError || error instanceof NoLiteral) return undefined
    throw error
  }
}

/** The same of an expression that was parsed. */
export function literalExpression(expression: Expression): PyValue | undefined {
  try {
    return literal(expression)
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

class NoLiteral extends Error {}

function literal(expression: Expression): PyValue {
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'list':
    case 'tuple':
    case 'set':
      return expression.items.map(literal)
    case 'dict':
      return dictFromEntries(
        expression.entries.map(({ key, value }) => {
          if (key === undefined) throw new NoLiteral()
          const name = literal(key)
          return [typeof name === 'string' ? name : pyStr(name), literal(value)] as const
        }),
      )
    case 'unary':
      return signed(expression.operator, literal(expression.operand))
    default:
      throw new NoLiteral()
  }
}

function signed(operator: string, value: PyValue): PyValue {
  if (operator === '+' && (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat)) return value
  if (operator !== '-') throw new NoLiteral()
  if (typeof value === 'number' || typeof value === 'bigint') return -value
  if (value instanceof PyFloat) return pyFloat(-value.value)
  throw new NoLiteral()
}
