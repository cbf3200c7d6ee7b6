import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { pyStr } from '../../base/python/index.ts'
import type * as z from '../../base/schema/schema.ts'
import type { Piece, TextPiece } from '../../base/text/index.ts'
import { withCallIds } from './call-ids.ts'
import { type Carried, carriedFields, fillCarried, fillData, readCarried, saysData } from './carried.ts'
import type { Turn } from './conversation.ts'
import { fillText, noteUnknownFields, readText, type TemplateText } from './fill.ts'
import { readContent } from './read-content.ts'
import { readMessage } from './read-message.ts'
import { type Fields, fieldNames, fieldValue, hasField } from './row.ts'
import type { messagesTemplateSchema } from './template-schema.ts'

type MessagesConfig = z.output<typeof messagesTemplateSchema>

type MessageTemplate =
  | { kind: 'ice' }
  | { kind: 'expand'; column: string; path: string }
  | { kind: 'message'; role: string; content: TemplateText | readonly Piece[]; asParts: boolean; carried?: Carried; path: string }

export type MessagesBody = { kind: 'messages'; messages: readonly MessageTemplate[] }

/** The reference's default, so that `'</E>'` among the messages works without `ice_token`. */
export function messagesIceToken(config: MessagesConfig): string {
  return config.ice_token ?? '</E>'
}

/** Reads a template of chat messages (OpenCompass's RawPromptTemplate). */
export function compileMessages(config: MessagesConfig, path: string, quirks: Quirks, notes: Note[]): MessagesBody {
  const messages = withCallIds(config.messages).flatMap((message, index): MessageTemplate[] => {
    const place = `${path}.messages[${index}]`
    if (typeof message === 'string') {
      if (message === messagesIceToken(config)) return [{ kind: 'ice' }]
      if (quirks.has('api-string-dropped')) {
        notes.push({ code: 'loose-text-dropped', where: place, text: 'text that no role says was left out' })
        return []
      }
      throw new PromptError('loose-text', {
        where: place,
        problem: `${JSON.stringify(message)} is not the ice token (${JSON.stringify(messagesIceToken(config))}), and it has no role`,
        fix: 'write { role: "user", content: … }, or name it as ice_token',
      })
    }
    if ('expand_column' in message) return [{ kind: 'expand', column: message.expand_column, path: place }]
    const fills = config.format_variables !== false
    const { content: given = message.tool_calls === undefined ? undefined : '', role } = message
    if (given === undefined) throw noContent(place)
    const content =
      fills && typeof given === 'string'
        ? readText(given, `${place}.content`, {}, { control: false })
        : readContent(given, { by: 'template', path: `${place}.content` })
    const carried = readCarried(message, place, fills)
    return [{ kind: 'message', role, content, asParts: isParts(given), ...(carried ? { carried } : {}), path: place }]
  })
  return { kind: 'messages', messages }
}

/** The turns of one message of the template; `ice` messages have none. */
export function fillMessage(message: MessageTemplate, fields: Fields, quirks: Quirks, notes: Note[]): Turn[] {
  switch (message.kind) {
    case 'ice':
      return []
    case 'expand':
      return expandColumn(message, fields, quirks, notes)
    case 'message': {
      const { role, content, asParts, carried, path } = message
      if ('segments' in content && fields.example === undefined) noteUnknownFields(content, fields, notes)
      const pieces = 'segments' in content ? fillWords(message, content, fields, quirks) : content
      return [{ role, path, content: pieces, ...fillCarried(carried, fields, quirks), ...(asParts ? { asParts } : {}) }]
    }
    default:
      return message satisfies never
  }
}

function fillWords(
  { role, carried }: MessageTemplate & { kind: 'message' },
  text: TemplateText,
  fields: Fields,
  quirks: Quirks,
): TextPiece[] {
  const data = saysData({ role, name: carried?.name }) ? fillData(text, fields) : undefined
  return data ?? fillText(text, { fields, quirks })
}

/** Whether this message shows a column, which in a generative prompt must be omitted for the model. */
export function showsField(message: MessageTemplate, column: string): boolean {
  return Boolean(
    message.kind === 'message' &&
      ((message.carried && carriedFields(message.carried).includes(column)) ||
        ('segments' in message.content && message.content.segments.some((segment) => segment.kind === 'field' && segment.name === column))),
  )
}

function expandColumn({ column, path }: MessageTemplate & { kind: 'expand' }, fields: Fields, quirks: Quirks, notes: Note[]): Turn[] {
  if (fields.masked?.column === column) {
    throw new PromptError('masked-column', {
      where: `${path}.expand_column`,
      problem: `"${column}" is the answer column, which a generative prompt does not show`,
      fix: 'name another column, or another reader_cfg.output_column',
    })
  }
  const value = fieldValue(fields, column)
  if (!Array.isArray(value)) {
    if (!hasField(fields, column) || quirks.has('expand-column-ignored')) {
      notes.push({
        code: 'column-missing',
        where: path,
        text: `the row has no list of messages in "${column}" (it has: ${fieldNames(fields).join(', ')})`,
      })
      return []
    }
    throw new PromptError('wrong-type', {
      where: `${path}.expand_column`,
      problem: `the column "${column}" holds ${pyStr(value).slice(0, 60)}, not a list of messages`,
      fix: 'name a column that holds [{ role, content }, …]',
    })
  }
  const example = fields.example === undefined ? {} : { example: fields.example }
  return value.map((entry, index) => readMessage(entry, { by: 'field', path: `${column}[${index}]`, ...example }, { notes }))
}

function isParts(content: unknown): boolean {
  return Array.isArray(content)
}

function noContent(where: string): PromptError {
  return new PromptError('missing', {
    where: `${where}.content`,
    problem: 'the message says nothing and calls nothing',
    fix: 'add content, tool_calls or both',
  })
}
