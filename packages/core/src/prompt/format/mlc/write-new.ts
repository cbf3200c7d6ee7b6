import { type Piece, plain } from '../../../base/text/index.ts'
import { readContent } from '../../conversation/read-content.ts'
import { type Ask, type Line, type Turns, wordsOf } from '../adapt/script.ts'
import { functionList } from './function-string.ts'
import { isHeader, spokenLines } from './lines.ts'
import { type NewConversation, pathOf } from './mlc-conversation.ts'
import { type NewMessage, newSegments } from './new-segments.ts'

/** Writes a script with a template of the present generation, in segments. */
export function writeNewScript(conversation: NewConversation, script: Turns, ask: Ask, thought?: string): Piece[][] {
  const { system, next, isOpen, tools = [] } = script
  const reply: NewMessage[] = next ? [{ role: next.role, ...(next.begin ? { begin: next.begin } : {}), path: 'the reply' }] : []
  const messages = [...newHistory(conversation), ...spokenLines(script).map(asMessage), ...reply].map((message, index, all) =>
    isOpen && index === all.length - 1 ? { ...message, end: [] } : message,
  )
  // A bare format without any message may be empty.
  if (messages.length === 0 && !system && conversation.systemMessage === '') return []
  return newSegments(conversation, messages, {
    from: ask.want === 'last-round' ? 'last-round' : 'start',
    ...(system ? { system } : {}),
    ...(thought === undefined ? {} : { thought }),
    ...(tools.length > 0 ? { functions: [plain(functionList(tools), { by: 'tool', path: 'tools' })] } : {}),
  })
}

function asMessage(line: Line): NewMessage {
  const { role, begin, end, example, parts, path } = line
  return {
    role,
    path,
    ...(isHeader(line) ? {} : { content: wordsOf(line) }),
    ...(parts ? { inParts: true as const } : {}),
    ...(begin ? { begin } : {}),
    ...(end ? { end } : {}),
    example,
    ...('endExample' in line ? { endExample: line.endExample } : {}),
  }
}

/** The template's own history, as messages. */
export function newHistory(conversation: NewConversation): NewMessage[] {
  return conversation.history.map(({ role, content }, index) => {
    const path = `${pathOf(conversation, 'messages')}[${index}]`
    if (content === null) return { role, path }
    const { content: pieces } = readContent(content, { by: 'format', path: `${path}[1]` })
    return { role, path, content: pieces, ...(typeof content === 'string' ? {} : { inParts: true as const }) }
  })
}
