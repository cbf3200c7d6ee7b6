import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { type PyValue, pyStr } from '../../base/python/index.ts'
import type * as z from '../../base/schema/schema.ts'
import { type Piece, plain, type TextPiece } from '../../base/text/index.ts'
import { withCallIds } from './call-ids.ts'
import { type Carried, carriedFields, fillCarried, fillData, readCarried, saysData } from './carried.ts'
import type { Turn } from './conversation.ts'
import { fillText, noteUnknownFields, readText, type TemplateText } from './fill.ts'
import { fillParts, type PartsTemplate, readParts } from './fill-parts.ts'
import { pieceOfPart } from './read-content.ts'
import { readMessage } from './read-message.ts'
import { type Fields, fieldNames, fieldValue, hasField } from './row.ts'
import type { messagesTemplateSchema } from './template-schema.ts'
import { fieldsOfValue, textsOfValue } from './value-template.ts'

type MessagesConfig = z.output<typeof messagesTemplateSchema>

type MessageTemplate =
  | { kind: 'ice' }
  | { kind: 'expand'; column: string; path: string }
  | { kind: 'message'; role: string; content: TemplateText | PartsTemplate | readonly Piece[]; carried?: Carried; path: string }

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
    const at = `${place}.content`
    const content = Array.isArray(given)
      ? checkedParts(readParts(given, at, fills && !quirks.has('parts-unfilled')), given as PyValue[])
      : fills
        ? readText(given, at, {}, { control: false })
        : [plain(given, { by: 'template', path: at })]
    const carried = readCarried(message, place, fills)
    return [{ kind: 'message', role, content, ...(carried ? { carried } : {}), path: place }]
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
      const { role, content, carried, path } = message
      if (fields.example === undefined) for (const text of textsOf(content)) noteUnknownFields(text, fields, notes)
      const said =
        'items' in content
          ? fillParts(content, fields, quirks)
          : { content: 'segments' in content ? fillWords(message, content, fields, quirks) : content }
      return [{ role, path, ...said, ...fillCarried(carried, fields, quirks) }]
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
        textsOf(message.content).some(({ segments }) => segments.some((segment) => segment.kind === 'field' && segment.name === column))),
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

/** The texts of a content that may name fields. */
function textsOf(content: (MessageTemplate & { kind: 'message' })['content']): readonly TemplateText[] {
  if ('segments' in content) return [content]
  return 'items' in content ? content.items.flatMap(textsOfValue) : []
}

/** Parts without fields are the same for every row, and are checked at once. */
function checkedParts(template: PartsTemplate, given: readonly PyValue[]): PartsTemplate {
  for (const [index, item] of template.items.entries()) {
    if (fieldsOfValue(item).length === 0) pieceOfPart(given[index]!, index, { by: 'template', path: `${template.path}[${index}]` })
  }
  return template
}

function noContent(where: string): PromptError {
  return new PromptError('missing', {
    where: `${where}.content`,
    problem: 'the message says nothing and calls nothing',
    fix: 'add content, tool_calls or both',
  })
}
