import { PromptError } from '../../../base/errors/prompt-error.ts'
import { control, isText, type Piece, type Source, type TextPiece, textOf } from '../../../base/text/index.ts'
import type { Affix } from '../../conversation/conversation.ts'
import { type NewConversation, pathOf } from './mlc-conversation.ts'

/** A message to be written; without content it is only the header of a reply. */
export type NewMessage = {
  role: string
  content?: readonly Piece[]
  /** The content was given in parts: each text goes through the role's template separately. */
  inParts?: true
  begin?: Affix
  end?: Affix
  example?: number
  /** The last example, if it was joined from several. */
  endExample?: number | undefined
  /** The path of the message, for errors. */
  path: string
}

export type NewSegmentsOptions = {
  from: 'start' | 'last-round'
  /** The text for the system prompt, instead of the template's own. */
  system?: readonly Piece[]
  /** The tools, for the last `{function_string}` of the templates; the template's own by default. */
  functions?: readonly TextPiece[]
  /** A thought that is written behind the header of the reply: an empty one keeps the model from reasoning. */
  thought?: string
}

/** The prompt in segments, one per message: the text around a message depends on its role. */
export function newSegments(conversation: NewConversation, messages: readonly NewMessage[], options: NewSegmentsOptions): Piece[][] {
  const system = systemPieces(conversation, options.system).filter(
    (piece) => !isText(piece) || piece.text !== '' || piece.source.by === 'field',
  )
  const hasSystem = system.length > 0
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const written = messages.map((message, index) => {
    const said = conversation.stripReasoningInHistory && index < lastUser ? withoutReasoning(message) : message
    return writeMessage(conversation, said, index === 0 && hasSystem && !conversation.addRoleAfterSystemMessage, options.thought)
  })
  if (options.from === 'start') {
    const segments = withFunctions(conversation, [system, ...written], options.functions).filter((segment) => segment.length > 0)
    if (segments.length > 0 || messages.length > 0) return segments
    throw new PromptError('empty-prompt', {
      where: conversation.path,
      problem: 'there are no messages, and the template has no system text',
      fix: 'let the user say something',
    })
  }
  const start = lastRoundStart(messages, conversation.path)
  const before = messages[start - 1]
  const leading = before?.role === 'assistant' ? [[sepOf(conversation, before.role)]] : []
  return withFunctions(conversation, [...leading, ...written.slice(start)], options.functions)
}

/** A running chat has been sent everything up to the last reply, but not the separator after it. */
function lastRoundStart(messages: readonly NewMessage[], path: string): number {
  const lastReply = messages.findLastIndex(({ role, content }) => role === 'assistant' && content !== undefined)
  if (lastReply + 1 < messages.length) return lastReply + 1
  throw new PromptError('no-last-round', {
    where: path,
    problem: 'nothing was said after the last reply',
    fix: 'let the user say something first',
  })
}

const placeholder = '{function_string}'

function systemPieces(conversation: NewConversation, given: readonly Piece[] | undefined): Piece[] {
  const own: Piece[] = [control(conversation.systemMessage, { by: 'format', path: pathOf(conversation, 'system_message') })]
  return fill(conversation.systemTemplate, '{system_message}', given ?? own, {
    by: 'format',
    path: pathOf(conversation, 'system_template'),
  })
}

function writeMessage(conversation: NewConversation, message: NewMessage, withoutRole: boolean, thought: string | undefined): Piece[] {
  const { role, content, begin, end } = message
  const name = Object.hasOwn(conversation.roles, role) ? conversation.roles[role]! : undefined
  if (name === undefined) throw unknownRole(conversation, message)
  const sources = { role: `${pathOf(conversation, 'roles')}.${role}` }
  if (content === undefined) {
    const own = control(name, { by: 'format', path: sources.role })
    if (thought !== undefined) {
      const written = control(thought, { by: 'format', path: 'chat_template_kwargs.enable_thinking' })
      return ofExample([...(begin ?? [own, text(conversation.roleContentSep, conversation, 'role_content_sep')]), written], message)
    }
    return ofExample(begin ?? [own, text(conversation.roleEmptySep, conversation, 'role_empty_sep')], message)
  }
  const prefix = withoutRole
    ? []
    : (begin ?? [control(name, { by: 'format', path: sources.role }), text(conversation.roleContentSep, conversation, 'role_content_sep')])
  const wrapped = message.inParts
    ? content.flatMap((piece) => writePart(conversation, message, piece))
    : wrap(conversation, message, content)
  return [...ofExample(prefix, message), ...wrapped, ...ofExample(end ?? [sepOf(conversation, role)], atEnd(message))]
}

/** A part of a message; an image gets a separate line. */
function writePart(conversation: NewConversation, message: NewMessage, piece: Piece): Piece[] {
  if ('media' in piece && piece.media.kind !== 'image')
    throw new PromptError('images-not-supported', {
      where: piece.source.path,
      problem: `MLC's conversation templates take text and images, but this is ${piece.media.kind === 'audio' ? 'audio' : `a ${piece.media.kind}`}`,
      fix: 'leave it out',
    })
  if ('media' in piece) return [piece, ...ofExample([control('\n', { by: 'format', path: 'image' })], message)]
  return wrap(conversation, message, [piece])
}

function wrap(conversation: NewConversation, message: NewMessage, content: readonly Piece[]): Piece[] {
  const { role } = message
  const template = Object.hasOwn(conversation.roleTemplates, role) ? conversation.roleTemplates[role]! : undefined
  if (template === undefined) throw unknownRole(conversation, message)
  const source: Source = { by: 'format', path: `${pathOf(conversation, 'role_templates')}.${role}` }
  const own = message.example === undefined ? source : { ...source, example: message.example }
  return fill(template, `{${role}_message}`, content, own)
}

/** Replaces every occurrence of a template's placeholder. Only the template's own text is searched. */
function fill(template: string, name: string, content: readonly Piece[], source: Source): Piece[] {
  if (template === name) return [...content]
  return template
    .split(name)
    .flatMap((part, index): Piece[] => [...(index === 0 ? [] : content), ...(part === '' ? [] : [control(part, source)])])
}

/** Separators go by role: the second is the model's, the first everyone else's. */
function sepOf(conversation: NewConversation, role: string): TextPiece {
  const number = role === 'assistant' ? conversation.seps.length - 1 : 0
  return control(conversation.seps[number]!, { by: 'format', path: `${pathOf(conversation, 'seps')}[${number}]` })
}

/** The tools replace their last placeholder in the templates; earlier ones become empty. Only templates are searched. */
function withFunctions(
  conversation: NewConversation,
  segments: readonly Piece[][],
  functions: readonly TextPiece[] | undefined,
): Piece[][] {
  const own = text(conversation.functionString, conversation, 'function_string')
  let left = functions ?? (own.text === '' ? [] : [own])
  const filled = segments.toReversed().map((segment) =>
    segment.toReversed().flatMap((piece) => {
      if (!isTemplate(piece) || !piece.text.includes(placeholder)) return [piece]
      const parts = fill(piece.text, placeholder, [marker], piece.source)
      return parts.toReversed().flatMap((part): Piece[] => {
        if (part !== marker) return [part]
        const here = left
        left = []
        return [...here].reverse()
      })
    }),
  )
  return filled.toReversed().map((segment) => segment.toReversed())
}

const marker = control('', { by: 'format', path: 'function_string' })

function isTemplate(piece: Piece): piece is TextPiece {
  return isText(piece) && piece.control && piece.source.by === 'format'
}

/** Whether the templates contain the tools placeholder. */
export function showsFunctions({ systemTemplate, roleTemplates }: NewConversation): boolean {
  return [systemTemplate, ...Object.values(roleTemplates)].some((template) => template.includes(placeholder))
}

/** The text of a past reply after its reasoning. */
function withoutReasoning(message: NewMessage): NewMessage {
  if (message.role !== 'assistant' || !message.content || message.inParts || !message.content.every(isText)) return message
  const said = textOf(message.content)
  const at = said.lastIndexOf('</think>')
  if (at < 0) return message
  let start = at + '</think>'.length
  while (said[start] === '\n') start++
  return { ...message, content: dropStart(message.content, start) }
}

function dropStart(pieces: readonly TextPiece[], count: number): TextPiece[] {
  let left = count
  return pieces.flatMap((piece) => {
    const dropped = Math.min(left, piece.text.length)
    left -= dropped
    return dropped === piece.text.length ? [] : [dropped === 0 ? piece : { ...piece, text: piece.text.slice(dropped) }]
  })
}

function text(written: string, conversation: NewConversation, key: string): TextPiece {
  return control(written, { by: 'format', path: pathOf(conversation, key) })
}

function atEnd(message: NewMessage): { example?: number | undefined } {
  return 'endExample' in message ? { example: message.endExample } : message
}

function ofExample(pieces: Affix, { example }: { example?: number | undefined }): Piece[] {
  const written = pieces.filter((piece) => !('text' in piece) || piece.text !== '')
  return example === undefined ? written : written.map((piece) => ({ ...piece, source: { ...piece.source, example } }))
}

function unknownRole({ roles, name }: NewConversation, { role, path }: NewMessage): PromptError {
  return new PromptError('unknown-role', {
    where: `${path}.role`,
    problem: `role "${role}" is not in the conversation template${name === '' ? '' : ` "${name}"`} (it has: ${Object.keys(roles).join(', ')})`,
    fix: 'use one of its roles, or add this one to roles and role_templates',
  })
}
