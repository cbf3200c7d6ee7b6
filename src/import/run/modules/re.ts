import { notUnderstood } from '../../../python/syntax/import-error.ts'
import type { Value } from '../../../python/values/value.ts'
import type { Session } from '../session.ts'
import { type Builtin, Unknown } from '../values.ts'
import { defineModule, native, onText, textOf, unknownOr } from './define-module.ts'

/**
 * What of `re` can be had without a danger: patterns of literals, classes and one repetition, which no text makes slow. Patterns that are
 * only handed on, as those of evaluators, are texts and need nothing.
 */
export const re = defineModule('re', {
  sub: onPattern('sub', 3, (session, pattern, [replacement, text]) => {
    if (typeof replacement !== 'string' || replacement.includes('\\'))
      throw notUnderstood(session.at, 'this replacement of re.sub', 'write the result out')
    return textOf(text).replace(pattern, () => replacement)
  }),
  split: onPattern('split', 2, (_, pattern, [text]) => textOf(text).split(pattern)),
  findall: onPattern('findall', 2, (_, pattern, [text]) => [...(textOf(text).match(pattern) ?? [])]),
  escape: onText('escape', (text) => text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&')),
  compile: native('compile', (session) => new Unknown(notUnderstood(session.at, 're.compile(…)', 'write the pattern as text'))),
  I: 2,
  IGNORECASE: 2,
  M: 8,
  MULTILINE: 8,
  S: 16,
  DOTALL: 16,
})

/** A function of a pattern and so many arguments in all; flags and counts are not understood. */
function onPattern(name: string, count: number, run: (session: Session, pattern: RegExp, rest: readonly Value[]) => Value): Builtin {
  return native(name, (session, args, kwargs) =>
    unknownOr(args, () => {
      if (args.length !== count || (kwargs?.size ?? 0) > 0)
        throw notUnderstood(session.at, `re.${name} with these arguments`, 'write the result out')
      session.measure(args as readonly Value[])
      return session.made(run(session, simple(session, textOf(args[0])), args.slice(1)))
    }),
  )
}

function simple(session: Session, pattern: string): RegExp {
  const parts = pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])+\]/g, (part) => (/^\\[1-9AZbBpPkgu]/.test(part) ? '(' : 'x'))
  if (/[(){}|^$]/.test(parts) || (parts.match(/[*+?]/g) ?? []).length > 1)
    throw notUnderstood(session.at, `the pattern ${JSON.stringify(pattern)} of re`, 'use .replace or .split, or write the result out')
  return new RegExp(pattern, 'gu')
}
