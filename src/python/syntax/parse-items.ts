import type { Expression } from './ast.ts'
import { reserved } from './keywords.ts'
import { parseExpression } from './parse-expression.ts'
import type { TokenStream } from './token-stream.ts'

/** A list of arguments, a display or a subscript: a new context up to the closing bracket. */
export function inBrackets<Result>(stream: TokenStream, read: () => Result): Result {
  const { inEntry } = stream
  stream.inEntry = false
  const result = stream.nested(read)
  stream.inEntry = inEntry
  return result
}

/** The value behind a key, in a dict or a call. */
export function parseEntryValue(stream: TokenStream): Expression {
  const { inEntry } = stream
  stream.inEntry = true
  const value = parseExpression(stream)
  stream.inEntry = inEntry
  return value
}

/** Items with commas between them up to a closing bracket. A comma that was forgotten at the end of a line is put there. */
export function readItems(stream: TokenStream, close: string, read: (notBefore: number) => void): void {
  let notBefore = stream.previous.line
  while (!stream.is(close)) {
    read(notBefore)
    notBefore = stream.previous.endLine
    if (stream.accept(',') || stream.is(close)) continue
    const { kind, text, line } = stream.current
    const isNew =
      line > notBefore &&
      (kind === 'string' || kind === 'number' || (kind === 'name' && !reserved.has(text)) || text === '{' || text === '(')
    if (!isNew) throw stream.error(`expected "," or "${close}", found ${stream.shown()}`, `write a "," before it, or close the bracket`)
    stream.slip('the comma that is missing before this is read as if it were there')
  }
  stream.next()
}
