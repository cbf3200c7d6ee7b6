import { control, type Piece } from '../text/index.ts'

/** Joins what one role says several times in a row, with a newline between, as formats need that alternate. */
export function mergeNeighbours<Message extends { role: string; content: readonly Piece[] }>(messages: readonly Message[]): Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === message.role) {
      const before = last.content.at(-1)?.source.example
      const after = message.content.at(0)?.source.example
      const newline = control('\n', {
        by: 'format',
        path: 'merge',
        ...(before !== undefined && before === after ? { example: before } : {}),
      })
      merged[merged.length - 1] = { ...last, content: [...last.content, newline, ...message.content] }
    } else merged.push(message)
  }
  return merged
}
