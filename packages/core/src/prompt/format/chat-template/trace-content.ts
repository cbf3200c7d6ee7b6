import { slicePieces, type TextPiece } from '../../../base/text/index.ts'
import type { Tool } from '../../conversation/conversation.ts'
import type { ShownMessage } from './shown-messages.ts'

/**
 * Restores the origins of texts after rendering: the template saw a list of messages, whose texts come from the user's data (a row's field,
 * a template, a message elsewhere). A range of a content becomes the pieces of that content.
 */
export function traceContent(piece: TextPiece, shown: readonly ShownMessage[], tools: readonly Tool[]): TextPiece[] {
  const [, list, number, rest = ''] = /^(messages|tools)\[(\d+)\](.*)$/s.exec(piece.source.path) ?? []
  if (list === undefined) return [piece]
  const index = Number(number)
  if (list === 'tools') {
    const tool = tools[index]
    return tool === undefined ? [piece] : [{ ...piece, source: { ...piece.source, path: tool.path + rest.replace(/^\.function/, '') } }]
  }
  const message = shown[index]
  if (message === undefined) return [piece]
  const { span } = piece.source
  const content = rest === '.content' ? message.content : partAt(rest, message)
  if (content !== undefined) {
    if (span !== undefined && span[1] - span[0] === piece.text.length) {
      const parts = slicePieces(content, span[0], span[1])
      if (parts.map(({ text }) => text).join('') === piece.text) return parts.map((part) => ({ ...part, turn: index }))
    }
    // Transformed (escaped, in capitals): it still belongs to the content, and is never control text.
    const first = content.find(({ text }) => text !== '')
    if (first !== undefined)
      return [{ ...piece, control: false, source: first.source, turn: index, ...(first.answer ? { answer: true } : {}) }]
  }
  const source =
    message.isMessage && !(message.parts && rest.startsWith('.content')) ? { ...piece.source, path: message.path + rest } : piece.source
  return [{ ...piece, source, turn: index }]
}

/** The origins of the text of a part, which may stand elsewhere in what was given. */
function partAt(rest: string, { parts }: ShownMessage): readonly TextPiece[] | undefined {
  const number = parts === undefined ? undefined : /^\.content\[(\d+)\](?:\.text)?$/.exec(rest)?.[1]
  return number === undefined ? undefined : parts![Number(number)]
}
