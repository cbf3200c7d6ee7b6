import { dictEntries, isDict, type PyValue, parseJson, stringifyJson } from '../../../base/python/index.ts'
import { type Piece, plain } from '../../../base/text/index.ts'
import type { Tool, ToolCall } from '../../conversation/conversation.ts'
import type { Line } from '../adapt/script.ts'
import { asOneText, asUser, isResult, ladderText, type Report, withFields, withText } from './ladder-lines.ts'

/** Tools as text, for a template that does not write them: a system message that declares them, and how to call them. */
export function declaration(tools: readonly Tool[]): Line {
  const text = (value: string) => ladderText(value, 'tools')
  const content = [
    text('You can call these functions, one JSON object per line:\n<tools>\n'),
    ...tools.flatMap(({ schema, path }) => [plain(stringifyJson(schema, { ensureAscii: false }), { by: 'tool', path }), text('\n')]),
    text(
      '</tools>\nTo call functions, answer with one block for each call, and nothing after them:\n<tool_call>\n{"name": "the name of the function", "arguments": {the arguments by name}}\n</tool_call>\nThe results follow as <tool_response> blocks in the order of the calls.',
    ),
  ]
  return { role: 'system', content, path: tools[0]?.path ?? 'tools' }
}

/** Calls and results as text, in the same words. */
export function foldCalls(lines: readonly Line[], { notes }: Report): Line[] {
  let names = new Map<string, string>()
  return lines.map((line) => {
    if (line.calls?.length) {
      names = new Map(line.calls.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])))
      notes.push({ code: 'tools-folded', where: line.path, text: 'calls are written as text' })
      const { calls, ...rest } = asOneText(line)
      const said = withText(rest, [...(rest.content ?? []), ...calls!.flatMap((call, index) => callText(call, index > 0 || hasText(rest)))])
      return withFields(said, { tool_calls: undefined })
    }
    if (!isResult(line)) return line
    const name = (line.callId === undefined ? undefined : names.get(line.callId)) ?? line.name
    const open = name === undefined ? '<tool_response>\n' : `<tool_response name=${JSON.stringify(name)}>\n`
    const { content = [] } = asOneText(line)
    return asUser(line, [ladderText(open, 'tools'), ...content, ladderText('\n</tool_response>', 'tools')])
  })
}

function hasText({ content = [] }: Line): boolean {
  return content.some((piece) => 'text' in piece && piece.text !== '')
}

function callText({ name, arguments: given, path }: ToolCall, isNext: boolean): Piece[] {
  const written = stringifyJson({ name, arguments: objectOf(given) }, { ensureAscii: false })
  return [
    ladderText(`${isNext ? '\n' : ''}<tool_call>\n`, 'tools'),
    plain(written, { by: 'message', path }),
    ladderText('\n</tool_call>', 'tools'),
  ]
}

/** Arguments that clients send as JSON text are written as an object. */
function objectOf(given: PyValue): PyValue {
  if (typeof given !== 'string') return isDict(given) ? Object.fromEntries(dictEntries(given)) : given
  try {
    return parseJson(given)
  } catch {
    return given
  }
}
