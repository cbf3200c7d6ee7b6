import { isDict, type PyDict, type PyValue, strip } from '@rolecall/core/internal/python'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { readXml } from './read-xml.ts'

/** What stands between a tag and its first end; undefined if one is missing. */
function between(text: string, tag: string): string | undefined {
  const [start, end] = [text.indexOf(`<${tag}>`), text.indexOf(`</${tag}>`)]
  return start < 0 || end < 0 ? undefined : text.slice(start + tag.length + 2, end)
}

const asDict = (value: PyValue | undefined) => (isDict(value) ? value : undefined)

/** The dict in <final_answer>, where <reasoning> must not be missing. */
export function taggedAnswer(text: string): PyDict | undefined {
  const answer = between(text, 'final_answer')
  return answer === undefined || between(text, 'reasoning') === undefined ? undefined : asDict(readLiteral(strip(answer)))
}

/** The dict between the first braces of <final_answer>. */
export function bracedAnswer(text: string): PyDict | undefined {
  const answer = between(text, 'final_answer') ?? ''
  const [start, end] = [answer.indexOf('{'), answer.indexOf('}')]
  return start < 0 || end < start ? undefined : asDict(readLiteral(answer.slice(start, end + 1)))
}

/** The dict in <final_answer> of an XML text; in one that is not well formed, its braces may be missing. */
export function xmlAnswer(text: string): PyDict | undefined {
  const root = readXml(text)
  if (root) return asDict(readLiteral(root.children.find(({ name }) => name === 'final_answer')?.text ?? ''))
  const answer = between(text, 'final_answer')
  if (answer === undefined || between(text, 'reasoning') === undefined) return undefined
  return asDict(readLiteral(answer) ?? readLiteral(`{${answer}}`))
}
