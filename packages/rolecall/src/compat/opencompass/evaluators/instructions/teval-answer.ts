import { JsonSyntaxError, type PyValue, parseJson, strip } from '@rolecall/core/internal/python'
import { readLiteral } from '../../../../python/syntax/literal.ts'

/** What an answer is as a Python literal or as JSON, in a fence or bare, from the first `start` to the last `end`; undefined if neither. */
export function valueOfAnswer(text: string, start = '', end = ''): PyValue | undefined {
  const at = text.indexOf('```json')
  const fenced = at < 0 ? text : strip(text.slice(at + '```json'.length), '`')
  const from = start === '' ? fenced : fenced.slice(fenced.indexOf(start))
  const bare = end === '' ? from : from.slice(0, from.lastIndexOf(end) + end.length)
  const literal = readLiteral(bare)
  return literal ?? jsonOf(bare) ?? jsonOf(bare.replaceAll("'", '"'))
}

function jsonOf(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
