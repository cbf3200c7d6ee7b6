import type { ApiMessage, Prompt } from '../format/format.ts'
import { escapeJson } from '../text/escape-json.ts'
import type { Piece } from '../text/index.ts'

/** A prompt as one sequence: its pieces, and for a chat where each message starts. */
export type FlatPart = { kind: 'piece'; piece: Piece } | { kind: 'message'; message: Omit<ApiMessage, 'content'> }

export function flatten(prompt: Prompt): FlatPart[] {
  if (prompt.kind === 'completion') return prompt.pieces.map((piece) => ({ kind: 'piece', piece }))
  return prompt.messages.flatMap(({ content, ...message }) => [
    { kind: 'message', message } as const,
    ...content.map((piece) => ({ kind: 'piece', piece }) as const),
  ])
}

/** What is sent, as one text: a completion's own, a chat's messages as JSON. */
export function bodyOf(prompt: Prompt): string {
  return (
    flatten(prompt)
      .map((part, index) => textOfPart(part, prompt.kind, index === 0))
      .join('') + endOf(prompt.kind)
  )
}

/** The text of one part in the body; in JSON a message closes the one before it. */
export function textOfPart(part: FlatPart, kind: Prompt['kind'], isFirst: boolean): string {
  if (part.kind === 'piece') {
    const text = 'text' in part.piece ? part.piece.text : ''
    return kind === 'chat' ? escapeJson(text) : text
  }
  const { role, name } = part.message
  const named = name === undefined ? '' : `,"name":${JSON.stringify(name)}`
  return `${isFirst ? '[' : '"},'}{"role":${JSON.stringify(role)}${named},"content":"`
}

export function endOf(kind: Prompt['kind']): string {
  return kind === 'chat' ? '"}]' : ''
}
