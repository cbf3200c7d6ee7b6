import { PromptError } from '../../../base/errors/prompt-error.ts'
import { control, type Piece, plain, type Source, type TextPiece } from '../../../base/text/index.ts'
import type { Affix } from '../../conversation/conversation.ts'
import { type OldConversation, pathOf } from './mlc-conversation.ts'

/** A message to be written: a role by its name in the prompt, and its text; without content it is only a header. */
export type OldMessage = {
  role: string
  /** The path of the role's name. */
  rolePath: string
  content?: readonly Piece[]
  /** Replaces the template's text before and after the message. */
  begin?: Affix
  end?: Affix
  /** The in-context example it belongs to. */
  example?: number
  /** The last example, if it was joined from several. */
  endExample?: number | undefined
}

/** Which part of a round this is, if a round is sent in several: its beginning, middle or end. */
export type SegmentPlace = 'all' | 'begin' | 'middle' | 'end'

export type OldSegmentsOptions = {
  /** `last-round`: the part that a running chat has not been sent yet, which starts with the separator after the last reply. */
  from: 'start' | 'last-round'
  place?: SegmentPlace
  /** The text for the system prompt, instead of the template's own. */
  system?: readonly Piece[]
}

/** A message of the user or the model, with the template's role name. */
export function oldMessage(conversation: OldConversation, role: 'user' | 'assistant', content?: readonly Piece[]): OldMessage {
  const index = role === 'user' ? 0 : 1
  return {
    role: conversation.roles[index],
    rolePath: `${pathOf(conversation, 'roles')}[${index}]`,
    content,
  }
}

/** The template's own history, as messages. */
export function oldHistory(conversation: OldConversation): OldMessage[] {
  return conversation.history.map(({ role, text }, index) => {
    const path = `${pathOf(conversation, 'messages')}[${index}]`
    return { role, rolePath: `${path}[0]`, ...(text === undefined ? {} : { content: [plain(text, { by: 'format', path: `${path}[1]` })] }) }
  })
}

/** The prompt in segments, one per message, as document 003 describes it. `messages` include the history. */
export function oldSegments(conversation: OldConversation, messages: readonly OldMessage[], options: OldSegmentsOptions): Piece[][] {
  if (conversation.style !== 'chat') return lastUserText(conversation, messages)
  const { from, place = 'all', system } = options
  const start = from === 'start' ? 0 : lastRoundStart(conversation, messages)
  const segments: Piece[][] = []
  if (place === 'all' || place === 'begin') {
    if (start > 0) segments.push(ofExample([sepAfter(conversation, 1)], {}))
    else {
      const written = systemPieces(conversation, system)
      if (written.length > 0) segments.push([...written, ...ofExample([sepAfter(conversation, 0)], {})])
    }
  }
  const isOpen = place === 'begin' || place === 'middle'
  const isContinued = place === 'middle' || place === 'end'
  for (let index = start; index < messages.length; index++) {
    const message = messages[index]!
    if (message.content === undefined) {
      if (!isOpen) segments.push(ofExample([...header(conversation, message)], message))
      continue
    }
    const begin = index === start && isContinued ? [] : (message.begin ?? beginOf(conversation, message))
    const end = index === messages.length - 2 && isOpen ? [] : (message.end ?? [sepAfter(conversation, index)])
    segments.push([...ofExample(begin, message), ...message.content, ...ofExample(end, atEnd(message))])
  }
  return segments
}

/** In the language-model styles the model is not aware of the chat: only the last user text is sent. */
function lastUserText(conversation: OldConversation, messages: readonly OldMessage[]): Piece[][] {
  const message = messages.at(-2)
  if (!message) return []
  if (message.content) return [[...message.content]]
  throw new PromptError('no-user-text', {
    where: conversation.path,
    problem: 'the message before the reply has no words',
    fix: 'let the user say something before the model speaks',
  })
}

function lastRoundStart({ path }: OldConversation, messages: readonly OldMessage[]): number {
  const start = messages.length - 2
  if (start >= 0 && start % 2 === 0) return start
  throw new PromptError('no-last-round', {
    where: path,
    problem:
      start < 0
        ? 'there is no round yet: a round is what the user says and the reply'
        : `${start} messages stand before the last round, and whole rounds have an even number`,
    fix: start < 0 ? 'let the user say something first' : 'let user and model speak in turn, in the template’s own messages, too',
  })
}

/** The system prompt without its separator; empty if there is none. A turn's text counts as non-empty, whatever the row contains. */
function systemPieces(conversation: OldConversation, given: readonly Piece[] | undefined): Piece[] {
  const { before, text, after } = conversation.system
  const source: Source = { by: 'format', path: pathOf(conversation, 'system') }
  const affix = (markup: string): TextPiece[] => (markup === '' ? [] : [control(markup, source)])
  const isGiven = given?.some((piece) => piece.source.by === 'field' || !('text' in piece) || piece.text !== '')
  if (given && !isGiven) return []
  return [...affix(before), ...(given ?? affix(text)), ...affix(after)]
}

/** By position, not by role: the first after even messages, the second after odd ones, and so on. */
function sepAfter(conversation: OldConversation, index: number): TextPiece {
  const number = index % conversation.seps.length
  return control(conversation.seps[number]!, { by: 'format', path: `${pathOf(conversation, 'seps')}[${number}]` })
}

function beginOf(conversation: OldConversation, { role, rolePath }: OldMessage): TextPiece[] {
  return [
    control(role, { by: 'format', path: rolePath }),
    control(conversation.roleMessageSep, { by: 'format', path: pathOf(conversation, 'role_msg_sep') }),
  ]
}

function header(conversation: OldConversation, { role, rolePath, begin }: OldMessage): Affix {
  if (begin) return begin
  return [
    control(role, { by: 'format', path: rolePath }),
    control(conversation.roleEmptySep, { by: 'format', path: pathOf(conversation, 'role_empty_sep') }),
  ]
}

function atEnd(message: OldMessage): { example?: number | undefined } {
  return 'endExample' in message ? { example: message.endExample } : message
}

/** The format's text around an example belongs to that example. Empty text is dropped. */
function ofExample(pieces: Affix, { example }: { example?: number | undefined }): Piece[] {
  const written = pieces.filter((piece) => !('text' in piece) || piece.text !== '')
  return example === undefined ? written : written.map((piece) => ({ ...piece, source: { ...piece.source, example } }))
}
