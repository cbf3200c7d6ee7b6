import { capitalize, strip } from '@rolecall/core/internal/python'
import { search, splitBy, substitute } from '../../../python/regex/index.ts'

const ignoreCase = { ignoreCase: true }

/** Normalizes BBH's free-form answers: the text after "answer is", its first line, yes and true capitalized. */
export function bbhFreeformAnswer(text: string): string {
  const parts = splitBy(String.raw`answer is\s*:?\s*`, text, ignoreCase)
  let answer = strip((parts.length === 1 ? text : strip(parts.at(-1)!)).split('\n')[0]!)
  if (answer.endsWith('.')) answer = strip(answer.slice(0, -1))
  const bold = search(String.raw`\*\*(.*?)\*\*`, answer)
  if (bold) answer = strip(bold[1]!)
  const word = search(String.raw`^(yes|no)\b`, answer, ignoreCase) ?? search(String.raw`^(true|false)\b`, answer, ignoreCase)
  if (word) return capitalize(word[1]!)
  if (!search(String.raw`\d\s*,\s*\d`, answer)) answer = substitute(String.raw`\s*,\s*`, ' ', answer)
  return strip(substitute(String.raw`\s+`, ' ', answer))
}
