import { type Conversation, isTurn, type Tool } from '../../conversation/conversation.ts'
import { readContent } from '../../conversation/read-content.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { type Piece, plain } from '../../text/index.ts'
import type { Ask } from '../format.ts'
import { type NewConversation, pathOf } from './conversation.ts'
import { functionList } from './function-string.ts'
import { type NewMessage, newSegments, showsFunctions } from './new-segments.ts'
import { type Said, sayConversation } from './said.ts'

type Written = { segments: Piece[][]; notes: readonly Note[] }

/** Writes an adapted conversation with a template of the present generation. */
export function newSpeech(conversation: NewConversation, adapted: Conversation & { kind: 'dialogue' }, ask: Ask): Written {
  for (const { items } of adapted.sections) for (const turn of items.filter(isTurn)) refuseParts(turn.role, turn.asParts, turn.path)
  const speech = sayConversation(adapted, ask, false)
  const next: NewMessage[] = speech.next ? [{ ...speech.next, path: 'the reply' }] : []
  const isOpen = ask.want === 'continue'
  const messages = [...newHistory(conversation), ...speech.messages.map(asMessage), ...next].map((message, index, all) =>
    isOpen && index === all.length - 1 ? { ...message, end: [] } : message,
  )
  const tools = adapted.tools ?? []
  // A bare format, before anybody has said anything, may be empty.
  if (messages.length === 0 && !speech.system && conversation.systemMessage === '') return { segments: [], notes: speech.notes }
  const segments = newSegments(conversation, messages, {
    from: ask.want === 'last-round' ? 'last-round' : 'start',
    ...(speech.system ? { system: speech.system } : {}),
    ...(tools.length > 0 ? { functions: [plain(functionList(tools), { by: 'tool', path: 'tools' })] } : {}),
  })
  return { segments, notes: [...speech.notes, ...toolNotes(conversation, tools)] }
}

function asMessage({ content, ...said }: Said): NewMessage {
  return content ? { ...said, content } : said
}

/** The template's own history, as messages. */
export function newHistory(conversation: NewConversation): NewMessage[] {
  return conversation.history.map(({ role, content }, index) => {
    const path = `${pathOf(conversation, 'messages')}[${index}]`
    if (content === null) return { role, path }
    const pieces = readContent(content, { by: 'format', path: `${path}[1]` })
    return { role, path, content: pieces, ...(typeof content === 'string' ? {} : { inParts: true as const }) }
  })
}

/** Only what the user says may come in parts. */
function refuseParts(role: string, asParts: true | undefined, path: string): void {
  if (!asParts || role === 'user') return
  throw new PromptError('parts-not-supported', {
    where: `${path}.content`,
    problem: `what the role "${role}" says comes in parts, and only the user's may`,
    fix: 'write its content as a string',
  })
}

function toolNotes(conversation: NewConversation, tools: readonly Tool[]): Note[] {
  if (tools.length === 0 || showsFunctions(conversation)) return []
  return [
    { code: 'tools-not-shown', text: 'this conversation template has no {function_string}, so that the model does not see the tools' },
  ]
}
