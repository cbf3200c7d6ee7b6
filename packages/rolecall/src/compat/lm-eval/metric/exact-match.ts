import { PromptError } from '@rolecall/core/internal/errors'
import { equals, isListValue, truthy, type Value } from '@rolecall/core/internal/python'
import { guardedPattern } from '../../../python/regex/index.ts'

const options = ['regexes_to_ignore', 'ignore_case', 'ignore_punctuation', 'ignore_numbers']
const punctuation = /[!-/:-@[-`{-~]/g

/** The share of pairs that are equal after the ignored parts are removed from both sides. */
export function exactMatch(pairs: readonly (readonly [gold: Value, reply: Value])[], given: ReadonlyMap<string, Value>): number {
  for (const key of given.keys())
    if (!options.includes(key))
      throw new PromptError('bad-metric', {
        where: `exact_match.${key}`,
        problem: 'exact_match does not know it',
        fix: `use: ${options.join(', ')}`,
      })
  const clean = cleaner(given)
  let equal = 0
  for (const [gold, reply] of pairs) if (equals(clean(gold), clean(reply))) equal++
  return equal / pairs.length
}

function cleaner(given: ReadonlyMap<string, Value>): (value: Value) => Value {
  const patterns = given.get('regexes_to_ignore') ?? null
  const steps: ((text: string) => string)[] = []
  if (patterns !== null)
    for (const pattern of isListValue(patterns) ? patterns : [...String(patterns)])
      steps.push((text) => guardedPattern(String(pattern)).without(text))
  const says = (key: string) => truthy(given.get(key) ?? false)
  if (says('ignore_case')) steps.push((text) => text.toLowerCase())
  if (says('ignore_punctuation')) steps.push((text) => text.replace(punctuation, ''))
  if (says('ignore_numbers')) steps.push((text) => text.replace(/[0-9]/g, ''))
  return (value) => {
    if (steps.length === 0) return value
    if (typeof value !== 'string')
      throw new PromptError('bad-metric', {
        where: 'exact_match',
        problem: 'ignore options apply only to text',
        fix: 'make doc_to_target and the output of the filters text',
      })
    return steps.reduce((text, step) => step(text), value)
  }
}
