import { limits, PromptError } from '@rolecall/core/internal/errors'
import { LinearPattern, type PatternRisk, patternRisk, UnsupportedPattern } from '@rolecall/core/internal/pattern'
import { pythonRegex } from './python-regex.ts'
import type { PatternFlags } from './translate-pattern.ts'

/** A match of a guarded pattern: the text and its groups, undefined for groups that did not take part. */
export type GuardedMatch = { index: number; text: string; groups: readonly (string | undefined)[] }

/**
 * A pattern of Python's that a config brings along, for texts of any size: it matches what `pythonRegex` matches, and never takes
 * longer than the text's length allows. Where that cannot be had (back references, looking ahead further than a character), long
 * texts are refused, and so are patterns that may take for ever on short ones.
 *
 * @example
 * guardedPattern('Answer: (.*)').all('Answer: 42').map(({ groups }) => groups) // => [['42']]
 */
export function guardedPattern(pattern: string, flags: Partial<PatternFlags> = {}): GuardedPattern {
  const key = `${JSON.stringify(flags)}${pattern}`
  const found = known.get(key)
  if (found) return found
  const made = new GuardedPattern(pattern, pythonRegex(pattern, flags))
  if (known.size >= mostKnown) known.clear()
  known.set(key, made)
  return made
}

const known = new Map<string, GuardedPattern>()
const mostKnown = 500

export class GuardedPattern {
  readonly #pattern: string
  readonly #expression: RegExp
  readonly #risk: PatternRisk
  readonly #linear: LinearPattern | undefined

  constructor(pattern: string, expression: RegExp) {
    this.#pattern = pattern
    this.#expression = new RegExp(expression.source, expression.flags)
    this.#risk = patternRisk(expression.source, expression.flags)
    this.#linear = linearOf(expression)
    const { isNested, choices } = this.#risk
    if (!this.#linear && (isNested || choices > mostUnboundedChoices))
      throw tooSlow(pattern, 'it repeats a repetition or many choices, and looks back or ahead')
  }

  first(text: string): GuardedMatch | undefined {
    if (this.#isQuick(text)) {
      this.#expression.lastIndex = 0
      const found = this.#expression.exec(text)
      return found ? { index: found.index, text: found[0], groups: found.slice(1) } : undefined
    }
    const found = this.#linear!.exec(text)
    return found && { index: found.index, text: text.slice(found.index, found.end), groups: found.groups }
  }

  all(text: string): GuardedMatch[] {
    // Matches are searched from lastIndex on, which the first match has moved.
    this.#expression.lastIndex = 0
    if (this.#isQuick(text))
      return [...text.matchAll(this.#expression)].map((found) => ({ index: found.index, text: found[0], groups: found.slice(1) }))
    const found = [...this.#linear!.matches(text)]
    return found.map(({ index, end, groups }) => ({ index, text: text.slice(index, end), groups }))
  }

  /** The text with every match left out. */
  without(text: string): string {
    return this.replace(text, () => '')
  }

  /** The text with every match replaced, as `re.sub` does it; data is never read as a replacement pattern. */
  replace(text: string, by: (match: GuardedMatch) => string): string {
    let from = 0
    let kept = ''
    for (const match of this.all(text)) {
      kept += text.slice(from, match.index) + by(match)
      from = match.index + match.text.length
    }
    return kept + text.slice(from)
  }

  /** Whether JavaScript's own engine, which is faster on most texts, is certain to be fast on this one. */
  #isQuick({ length }: string): boolean {
    const { endless, isNested, choices } = this.#risk
    if (!isNested && choices <= mostChoices && length <= (longestFor[endless] ?? 0)) return true
    if (this.#linear) return false
    if (length <= longest) return true
    throw tooSlow(this.#pattern, `it looks back or ahead, and the text has ${length} characters, more than ${longest}`)
  }
}

/** By the number of endless repetitions: texts up to this length take less than a second, whatever they are. */
const longestFor = [Number.POSITIVE_INFINITY, 20_000, 1000]
const longest = limits.patternText

/** As a binary logarithm: a backtracking engine may try that many ways at every position. */
const mostChoices = 16
/** The same for patterns that cannot be matched in linear time. */
const mostUnboundedChoices = 24

function linearOf({ source, flags }: RegExp): LinearPattern | undefined {
  try {
    return new LinearPattern(source, flags)
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined
    throw error
  }
}

function tooSlow(pattern: string, why: string): PromptError {
  return new PromptError('slow-pattern', {
    where: `the pattern ${JSON.stringify(pattern)}`,
    problem: `it may take forever: ${why}`,
    fix: 'write it without (?=…), (?<…) and \\1, or without repetitions within repetitions',
  })
}
