import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictFromEntries, PyFloat, type PyValue } from '../../../base/python/index.ts'
import type { Expression } from '../../../base/python/syntax/ast.ts'
import { parseModule } from '../../../base/python/syntax/parse-module.ts'

export type PythonCall = { name: string; given: PyValue }

/** The value of a Python literal, e.g. `{'a': None}`. Throws where the text is something else. */
export function pythonLiteral(text: string): PyValue {
  return literal(expressionOf(text))
}

/** A Python call with named arguments, e.g. `f(a=1)`. Throws where the text is something else. */
export function pythonCall(text: string): PythonCall {
  return callOf(expressionOf(text), true)
}

/** The one expression that a text is. Slips that are forgiven in configs are not forgiven here. */
export function expressionOf(text: string): Expression {
  const { body, slips } = parseModule(text, 'reply')
  const [first] = body
  if (slips[0]) throw malformed(slips[0].text)
  if (body.length === 1 && first?.kind === 'expression') return first.value
  throw malformed(body.length === 0 ? 'there is no call' : 'this is not one call')
}

export function callOf(expression: Expression, hasDottedName = false): PythonCall {
  const { callee } = expression.kind === 'call' ? expression : { callee: undefined }
  const name = callee?.kind === 'name' || hasDottedName ? callee && nameOf(callee) : undefined
  if (expression.kind !== 'call' || name === undefined) throw malformed('this is not a call of a function by its name')
  const entries = expression.args.map(({ name, value }): [string, PyValue] => {
    if (name === undefined) throw malformed('an argument has no name: name=value is needed')
    return [name, literal(value)]
  })
  return { name, given: dictFromEntries(entries) }
}

function nameOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  if (expression.kind !== 'attribute') return undefined
  const owner = nameOf(expression.object)
  return owner === undefined ? undefined : `${owner}.${expression.name}`
}

/** The value of a literal; names, calls and sums have none. */
export function literal(expression: Expression): PyValue {
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'list':
    case 'set':
    case 'tuple':
      return expression.items.map(literal)
    case 'dict':
      return dictFromEntries(
        expression.entries.map(({ key, value }): [string, PyValue] => {
          const name = key && literal(key)
          if (typeof name !== 'string') throw malformed('the keys of a dict must be texts')
          return [name, literal(value)]
        }),
      )
    case 'unary': {
      const value = literal(expression.operand)
      if (expression.operator === '+' && isNumber(value)) return value
      if (expression.operator === '-' && isNumber(value)) return value instanceof PyFloat ? new PyFloat(-value.value) : -value
      throw malformed('an argument is not a plain value')
    }
    case 'name': {
      // JSON's words in Python's syntax: models mix them.
      const word = Object.hasOwn(jsonWords, expression.name) ? jsonWords[expression.name] : undefined
      if (word !== undefined) return word
      throw malformed('an argument is not a plain value')
    }
    default:
      throw malformed('an argument is not a plain value')
  }
}

const jsonWords: Record<string, PyValue> = { true: true, false: false, null: null }

function isNumber(value: PyValue): value is number | bigint | PyFloat {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat
}

export function malformed(problem: string): PromptError {
  return new PromptError('malformed', { where: 'reply', problem, fix: 'ask the model again' })
}
