import { formatValue } from '../methods/format-method.ts'
import type { FormattedPart } from '../syntax/ast.ts'
import { repr, str } from '../values/repr.ts'
import { plainText } from '../values/text.ts'
import type { Value } from '../values/value.ts'
import { constantOf } from './constant-of.ts'
import { evaluate } from './evaluate.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { NameRef, PathValue, Unknown } from './values.ts'

/** The text of an f-string. */
export function formatParts(session: Session, parts: readonly FormattedPart[], scope: Scope): Value {
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const value = evaluate(session, part.value, scope)
    session.at = part.value.at
    if ((value instanceof NameRef && !value.declared) || (value instanceof Unknown && value.fromUndeclared)) {
      // Documents show f-strings whose names they do not define.
      session.note('unknown-name', `nothing gives "${part.written}" a value; it is left as it is written`, part.value.at)
      text += part.written
      continue
    }
    if (value instanceof Unknown) return value
    if (value instanceof NameRef) {
      // Its name must not stand for its text.
      const constant = session.attempt<Value>(
        () => constantOf(session, value),
        (error) => new Unknown(error),
      )
      if (typeof constant !== 'string') return constant
      text += constant
      continue
    }
    session.measure(value)
    const spec = part.format ? formatParts(session, part.format, scope) : ''
    if (typeof spec !== 'string') return spec
    const converted =
      part.conversion === 'r' || part.conversion === 'a' ? plainText(repr(value)) : part.conversion === 's' ? plainText(str(value)) : value
    text += plainText(formatValue(converted instanceof PathValue ? converted.path : converted, spec))
  }
  return session.made(text)
}
