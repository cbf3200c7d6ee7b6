import type { Parameter } from './ast.ts'
import { parseExpression } from './parse-expression.ts'
import type { TokenStream } from './token-stream.ts'

/** Parameters up to a `)` or, in a lambda, a `:`, which is read, too. Annotations are passed over. */
export function parseParameters(stream: TokenStream, close: ')' | ':'): Parameter[] {
  const parameters: Parameter[] = []
  let keywordOnly = false
  while (!stream.accept(close)) {
    if (stream.accept('/')) {
      // Positional-only parameters are called like the others.
    } else if (stream.accept('**')) parameters.push({ name: stream.expectName('a parameter'), star: '**' })
    else if (stream.accept('*')) {
      keywordOnly = true
      if (!stream.is(',')) parameters.push({ name: stream.expectName('a parameter'), star: '*' })
    } else {
      const parameter: Parameter = { name: stream.expectName('a parameter') }
      if (keywordOnly) parameter.keywordOnly = true
      if (close === ')' && stream.accept(':')) parseExpression(stream)
      if (stream.accept('=')) parameter.byDefault = parseExpression(stream)
      parameters.push(parameter)
    }
    if (close === ')' && stream.accept(':')) parseExpression(stream)
    if (!stream.accept(',') && !stream.is(close)) throw stream.error(`expected "," or "${close}", found ${stream.shown()}`, 'correct it')
  }
  return parameters
}
