import type { Expression, Module } from '@rolecall/core/internal/python'
import { tokenizePython } from '@rolecall/core/internal/python'
import { parseExpressions } from './parse-expression.ts'
import { PythonTokenStream } from './python-token-stream.ts'

/** Words that begin a statement. */
const statement = /^(?:if|for|while|with|try|def|class|async|pass|break|continue|import|from|return|del|assert|global|nonlocal|raise)$/

/**
 * Parses a text that is a single expression, without the statements of `parseModule`. The expression is undefined if the text is empty, a
 * statement, or more than one expression; what is no Python at all throws.
 */
export function parseOneExpression(text: string, file: string): { expression?: Expression; slips: Module['slips'] } {
  const stream = new PythonTokenStream(tokenizePython(text, file))
  const { slips, current: first } = stream
  if (first.kind === 'end' || (first.kind === 'name' && statement.test(first.text))) return { slips }
  const expression = parseExpressions(stream)
  stream.accept(';')
  if (stream.current.kind === 'newline') stream.next()
  return stream.current.kind === 'end' ? { expression, slips } : { slips }
}
