import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictEntries, dictFromEntries, dictGet, isDict, type PyDict, type PyValue, stringifyJson } from '../../base/python/index.ts'
import { escapeJson } from '../../base/text/escape-json.ts'
import { type Piece, textOf } from '../../base/text/index.ts'
import type { Tool } from '../conversation/conversation.ts'
import type { ApiMessage, Prompt } from './format.ts'

/** A prompt as one sequence: its pieces, and for a chat where each message starts. */
export type FlatPart = { kind: 'piece'; piece: Piece } | { kind: 'message'; message: Omit<ApiMessage, 'content'> }

export function flatten(prompt: Prompt): FlatPart[] {
  if (prompt.kind === 'completion') return prompt.pieces.map((piece) => ({ kind: 'piece', piece }))
  return prompt.messages.flatMap(({ content, ...message }) => [
    { kind: 'message', message } as const,
    ...content.map((piece) => ({ kind: 'piece', piece }) as const),
  ])
}

/**
 * The prompt as one text: a completion's text, or a chat's messages as JSON. Token ids have no text, so they are rejected, except those
 * that the tokenizer adds, such as BOS.
 */
export function bodyOf(prompt: Prompt): string {
  if (prompt.kind === 'chat') return `[${prompt.messages.map(messageJson).join(',')}]`
  const ids = prompt.pieces.find((piece) => 'ids' in piece && piece.source.by !== 'tokenizer')
  if (!ids) return textOf(prompt.pieces)
  throw new PromptError('ids-in-text', {
    where: ids.source.path,
    problem: 'the prompt has token ids in it, which are not text',
    fix: 'take the pieces, or the ids of `tokenize`',
  })
}

/** The tools of a chat, as servers receive them beside its messages. */
export function toolsJson(tools: readonly Tool[]): string {
  return `[${tools.map(({ schema }) => `{"type":"function","function":${stringifyJson(schema, { ensureAscii: false })}}`).join(',')}]`
}

function messageJson(message: ApiMessage): string {
  const start = textOfPart({ kind: 'message', message }, 'chat', true).slice(1)
  const { content, parts: given = content.some((piece) => 'media' in piece) ? [] : undefined } = message
  if (given === undefined) return `${start}${escapeJson(textOf(content))}"}`
  const parts = sentParts(content, given).map((part) => stringifyJson(part, compactWriting))
  return `${start.slice(0, -1)}[${parts.join(',')}]}`
}

const compactWriting = { ensureAscii: false, separators: [',', ':'] } as const

/** The parts of a message as they are sent: those that were given, with the texts as they are now, and text around them as further parts. */
export function sentParts(content: readonly Piece[], given: readonly PyValue[]): PyValue[] {
  const sent: PyValue[] = []
  for (let at = 0; at < content.length; ) {
    const { part } = content[at]!
    const isOne = (piece: Piece) => piece.part === part && (part !== undefined || 'media' in piece === 'media' in content[at]!)
    let end = at + 1
    while (end < content.length && isOne(content[end]!)) end++
    const text = textOf(content.slice(at, end))
    const own = part === undefined ? undefined : given[part]
    const [first] = content.slice(at, end)
    if (own === undefined && first !== undefined && 'media' in first) sent.push(...content.slice(at, end).map(partOfPiece))
    else if (own === undefined || typeof own === 'string') sent.push({ type: 'text', text })
    else sent.push(isDict(own) && typeof dictGet(own, 'text') === 'string' && dictGet(own, 'text') !== text ? withText(own, text) : own)
    at = end
  }
  return sent
}

/** A piece as a part in OpenAI's shape, where none was given. */
function partOfPiece(piece: Piece): PyDict {
  if (!('media' in piece)) return { type: 'text', text: textOf([piece]) }
  const { kind, url } = piece.media
  return kind === 'file' ? { type: 'file', file: { file_data: url } } : { type: `${kind}_url`, [`${kind}_url`]: { url } }
}

function withText(part: PyDict, text: string): PyDict {
  return dictFromEntries(dictEntries(part).map(([key, value]) => [key, key === 'text' ? text : value] as const))
}

/** The text of one part in the body; in JSON a message closes the one before it. */
export function textOfPart(part: FlatPart, kind: Prompt['kind'], isFirst: boolean): string {
  if (part.kind === 'piece') {
    const text = 'text' in part.piece ? part.piece.text : ''
    return kind === 'chat' ? escapeJson(text) : text
  }
  const { role, name, extra } = part.message
  const named = name === undefined ? '' : `,"name":${JSON.stringify(name)}`
  const others = Object.entries(extra ?? {}).map(
    ([key, value]) => `,${JSON.stringify(key)}:${stringifyJson(value, { ensureAscii: false, separators: [',', ':'] })}`,
  )
  return `${isFirst ? '[' : '"},'}{"role":${JSON.stringify(role)}${named}${others.join('')},"content":"`
}

export function endOf(kind: Prompt['kind']): string {
  return kind === 'chat' ? '"}]' : ''
}
