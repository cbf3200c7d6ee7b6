import type { Expression, Value } from '@rolecall/core/internal/python'
import { parseInner } from '../syntax/parse-atom.ts'
import { newDict, newSet } from './containers.ts'
import type { Session } from './session.ts'

/** What many files compute once, by testing every character that there is; it would take seconds here. */
const punctuationTable = 'dict.fromkeys(i for i in range(sys.maxunicode) if unicodedata.category(chr(i)).startswith("P"))'

const punctuationSet = '{chr(i) for i in range(sys.maxunicode) if unicodedata.category(chr(i)).startswith("P")}'

const shapes = new Map<string, string>()
let marks: readonly number[] | undefined

/** The value of an expression that is known without running it. */
export function knownTable(session: Session, expression: Expression): Value | undefined {
  if (expression.kind !== 'call') return undefined
  if (!isLike(expression, punctuationTable)) return undefined
  return newDict(
    session,
    punctuation(session).map((code): [Value, Value] => [code, null]),
  )
}

/** The value of a set that is known without testing every character. */
export function knownSet(session: Session, expression: Extract<Expression, { kind: 'comprehension' }>): Value | undefined {
  const { of, item } = expression
  if (of !== 'set' || item.kind !== 'call' || item.callee.kind !== 'name' || item.callee.name !== 'chr') return undefined
  if (!isLike(expression, punctuationSet)) return undefined
  return newSet(
    session,
    punctuation(session).map((code) => String.fromCodePoint(code)),
  )
}

function punctuation(session: Session): readonly number[] {
  marks ??= Array.from({ length: 0x10ffff }, (_, code) => code).filter((code) => /^\p{P}$/u.test(String.fromCodePoint(code)))
  session.step(marks.length)
  return marks
}

function isLike(expression: Expression, source: string): boolean {
  const shape = shapes.get(source) ?? shapeOf(parseInner(source, { file: '', line: 1, column: 1 }, 0))
  shapes.set(source, shape)
  return shapeOf(expression) === shape
}

/** An expression without its places. */
function shapeOf(expression: Expression): string {
  return JSON.stringify(expression, (key, value) => (key === 'at' ? undefined : value))
}
