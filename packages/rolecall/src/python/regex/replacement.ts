import { PythonError } from '@rolecall/core/internal/python'
import { type GuardedMatch, guardedPattern } from './guarded.ts'
import type { PatternFlags } from './translate-pattern.ts'

/**
 * Python's `re.sub` with a replacement as `re` reads it: `\1` and `\g<name>` are groups. `count` limits how many matches are
 * replaced; 0 is all of them.
 *
 * @example replaceMatches('(a)(b)', '\\2\\1', 'abab', 1) // => 'baab'
 */
export function replaceMatches(pattern: string, replacement: string, text: string, count = 0, flags: Partial<PatternFlags> = {}): string {
  const by = replacer(pattern, replacement)
  let left = count > 0 ? count : Number.POSITIVE_INFINITY
  return guardedPattern(pattern, flags).replace(text, (match) => (left-- > 0 ? by(match) : match.text))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07', b: '\b', '\\': '\\' }

/** What takes the place of a match. https://docs.python.org/3/library/re.html#re.sub */
export function replacer(pattern: string, replacement: string): (match: GuardedMatch) => string {
  if (!replacement.includes('\\')) return () => replacement
  const parts: (string | number)[] = []
  let last = 0
  for (const found of replacement.matchAll(/\\(?:g<([^>]*)>|(0[0-7]{0,2})|([1-3][0-7]{2})|([1-9]\d?)|([\s\S]))/g)) {
    parts.push(replacement.slice(last, found.index))
    last = found.index + found[0].length
    const [, named, octal, threeDigits, number, escaped] = found
    if (named !== undefined) parts.push(groupNumber(pattern, named))
    else if (octal !== undefined || threeDigits !== undefined) parts.push(String.fromCharCode(Number.parseInt(octal ?? threeDigits!, 8)))
    else if (number !== undefined) parts.push(Number(number))
    else parts.push(escapeOf(escaped!))
  }
  parts.push(replacement.slice(last))
  return ({ text, groups }) =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part
        if (part > groups.length) throw new PythonError('PatternError', `invalid group reference ${part}`)
        return part === 0 ? text : (groups[part - 1] ?? '')
      })
      .join('')
}

function escapeOf(letter: string): string {
  const found = escapes[letter]
  if (found !== undefined) return found
  if (/[A-Za-z]/.test(letter)) throw new PythonError('PatternError', `bad escape \\${letter}`)
  return `\\${letter}`
}

function groupNumber(pattern: string, name: string): number {
  if (/^\d+$/.test(name)) return Number(name)
  const number = groupNames(pattern).indexOf(name) + 1
  if (number === 0) throw new PythonError('IndexError', `unknown group name '${name}'`)
  return number
}

/** The names of a pattern's groups, in their order; undefined for those that have none. */
export function groupNames(pattern: string): (string | undefined)[] {
  const names: (string | undefined)[] = []
  for (const [part, name] of pattern.matchAll(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P<(\w+)>|\((?!\?)/g)) {
    if (part === '(' || name !== undefined) names.push(name)
  }
  return names
}
