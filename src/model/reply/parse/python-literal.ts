import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictFromEntries, type PyValue } from '../../../base/python/index.ts'
import { literalValue } from '../../../base/python/literal.ts'
import { PythonError } from '../../../base/python/python-error.ts'
import type { Expression } from '../../../base/python/syntax/ast.ts'
import { parseModule } from '../../../base/python/syntax/parse-module.ts'
import { entriesOf } from '../../../base/python/values/dict.ts'
import { toPlainData } from '../../../base/python/values/plain-data.ts'
import { isDictValue, isListValue, Tuple, type Value } from '../../../base/python/values/value.ts'

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

/** The value of a literal; names, calls and sums have none. JSON's words are accepted: models mix them. */
export function literal(expression: Expression): PyValue {
  try {
    const value = literalValue(expression, jsonWords)
    checkKeys(value)
    return toPlainData(value)
  } catch (error) {
    throw error instanceof PythonError ? malformed('an argument is not a plain value') : error
  }
}

const jsonWords = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function checkKeys(value: Value): void {
  if (isListValue(value)) value.forEach(checkKeys)
  else if (value instanceof Tuple) value.items.forEach(checkKeys)
  else if (isDictValue(value))
    for (const [key, item] of entriesOf(value)) {
      if (typeof key !== 'string') throw malformed('the keys of a dict must be texts')
      checkKeys(item)
    }
}

export function malformed(problem: string): PromptError {
  return new PromptError('malformed', { where: 'reply', problem, fix: 'ask the model again' })
}
