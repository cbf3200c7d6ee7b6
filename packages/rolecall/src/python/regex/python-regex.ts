import { PromptError } from '@rolecall/core/internal/errors'
import { type PatternFlags, translatePattern } from './translate-pattern.ts'

const known = new Map<string, RegExp>()
const mostKnown = 500

/**
 * A regular expression of Python's `re` as a JavaScript one that matches the same; it is global, for `matchAll` and `replace`.
 *
 * @example
 * '٣ and ４'.replace(pythonRegex(String.raw`\d`), '#') // => '# and #'
 */
export function pythonRegex(pattern: string, flags: Partial<PatternFlags> = {}): RegExp {
  const key = `${JSON.stringify(flags)}${pattern}`
  const found = known.get(key)
  if (found) {
    found.lastIndex = 0
    return found
  }
  const made = makeRegex(pattern, flags)
  // Patterns come from configs, so there are few; a program that makes them up must not fill the memory.
  if (known.size >= mostKnown) known.clear()
  known.set(key, made)
  return made
}

function makeRegex(pattern: string, given: Partial<PatternFlags>): RegExp {
  const { source, flags } = translatePattern(pattern, given)
  try {
    return new RegExp(source, flags.ignoreCase ? 'dgiv' : 'dgv')
  } catch (error) {
    throw new PromptError('bad-pattern', {
      where: `the pattern ${JSON.stringify(pattern)}`,
      problem: `it cannot be used (${(error as Error).message})`,
      fix: "write it as Python's re module takes it",
    })
  }
}

/** Python's `re.search`: the first match, if any. */
export function search(pattern: string, text: string, flags: Partial<PatternFlags> = {}): RegExpExecArray | null {
  return pythonRegex(pattern, flags).exec(text)
}

/** Python's `re.findall` of a pattern without groups or with one. */
export function findAll(pattern: string, text: string, flags: Partial<PatternFlags> = {}): string[] {
  return [...text.matchAll(pythonRegex(pattern, flags))].map((match) => (match.length > 1 ? (match[1] ?? '') : match[0]))
}

/** Python's `re.sub`; `by` is a literal text, or a function of the groups. Data is never read as a replacement pattern. */
export function substitute(
  pattern: string,
  by: string | ((...groups: string[]) => string),
  text: string,
  flags: Partial<PatternFlags> = {},
): string {
  return text.replace(pythonRegex(pattern, flags), (...match: unknown[]) => {
    if (typeof by === 'string') return by
    return by(
      ...match.filter((one): one is string | undefined => typeof one !== 'number' && typeof one !== 'object').map((one) => one ?? ''),
    )
  })
}

/** Python's `re.split` of a pattern without groups. */
export function splitBy(pattern: string, text: string, flags: Partial<PatternFlags> = {}): string[] {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(pythonRegex(pattern, flags))) {
    parts.push(text.slice(from, match.index))
    from = match.index + match[0].length
  }
  return [...parts, text.slice(from)]
}

/** Python's `re.escape`, as far as patterns built from texts need it. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}#&~\s-]/g, '\\$&')
}
