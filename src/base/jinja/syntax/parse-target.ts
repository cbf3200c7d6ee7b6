import type { Target } from './ast.ts'
import { isTupleEnd } from './parse-expression.ts'
import { isConstantName } from './parse-operand.ts'
import type { TokenStream } from './token-stream.ts'

/** Reads what stands left of `=` or `in`. */
export function parseTarget(
  stream: TokenStream,
  { withNamespace = false, endsAt }: { withNamespace?: boolean; endsAt?: string } = {},
): Target {
  const { start } = stream.current
  const items: Target[] = []
  let isTuple = false
  for (;;) {
    if (items.length > 0) stream.expect(',')
    if (isTupleEnd(stream, endsAt)) break
    items.push(parseOneTarget(stream, withNamespace))
    if (!stream.is(',')) break
    isTuple = true
  }
  if (!isTuple) return items[0] ?? stream.fail(`Expected an expression, got ${stream.describe()}`)
  return { kind: 'tuple', items, start, end: stream.lastEnd }
}

function parseOneTarget(stream: TokenStream, withNamespace: boolean): Target {
  const { start } = stream.current
  if (stream.skipIf('(')) {
    const inner = parseTarget(stream, { withNamespace })
    stream.expect(')')
    return inner
  }
  const token = stream.current
  if (token.type !== 'name') return stream.fail(`can't assign to ${stream.describe()}`)
  if (isConstantName(token.value)) return stream.fail(`can't assign to '${token.value}'`)
  stream.next()
  if (withNamespace && stream.skipIf('.')) {
    const attribute = stream.expect('name').value
    return { kind: 'namespace', name: token.value, attribute, start, end: stream.lastEnd }
  }
  return { kind: 'name', name: token.value, start, end: token.end }
}
