import type { Dialect, Filter } from '@rolecall/core/internal/jinja'
import { bind, isInt, stringOf, typeError, type Value } from '@rolecall/core/internal/python'
import { replaceMatches } from '../../../python/regex/index.ts'

/** `regex_replace(pattern, repl, count=0)`: Python's `re.sub`. */
const regexReplace: Filter = (_, input, args, kwargs) => {
  const [pattern, replacement, count = 0] = bind('regex_replace', ['pattern', 'repl', 'count'], 2, args, kwargs)
  if (!isInt(count)) throw typeError('count is not an integer')
  return replaceMatches(textOf(pattern), textOf(replacement), textOf(input), Number(count))
}

function textOf(value: Value | undefined): string {
  const text = stringOf(value)
  if (text === undefined) throw typeError('expected string or bytes-like object')
  return text
}

/** The dialect of task templates: Jinja2 with `StrictUndefined`, `keep_trailing_newline`, no trimming, and one additional filter. */
export const taskDialect: Dialect = {
  trims: false,
  keepsLastNewline: true,
  strict: true,
  filters: new Map([['regex_replace', regexReplace]]),
}
