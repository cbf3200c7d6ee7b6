import type { Expression } from '../syntax/ast.ts'
import { parseInner } from '../syntax/parse-atom.ts'
import type { Value } from '../values/value.ts'
import { newDict } from './containers.ts'
import type { Session } from './session.ts'

/** What many files compute once, by testing every character that there is; it would take seconds here. */
const punctuationTable = 'dict.fromkeys(i for i in range(sys.maxunicode) if unicodedata.category(chr(i)).startswith("P"))'

let shape: string | undefined
let marks: readonly number[] | undefined

/** The value of an expression that is known without running it. */
export function knownTable(session: Session, expression: Expression): Value | undefined {
  if (expression.kind !== 'call') return undefined
  shape ??= shapeOf(parseInner(punctuationTable, { file: '', line: 1, column: 1 }, 0))
  if (shapeOf(expression) !== shape) return undefined
  marks ??= Array.from({ length: 0x10ffff }, (_, code) => code).filter((code) => /^\p{P}$/u.test(String.fromCodePoint(code)))
  session.step(marks.length)
  return newDict(
    session,
    marks.map((code): [Value, Value] => [code, null]),
  )
}

/** An expression without its places. */
function shapeOf(expression: Expression): string {
  return JSON.stringify(expression, (key, value) => (key === 'at' ? undefined : value))
}
