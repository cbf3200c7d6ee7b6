import type { TextPiece } from '../../base/text/index.ts'

/** A chat as a format writes it, with who wrote each character. */
export type Written = { text: string; pieces: readonly TextPiece[] }

/** Writes messages of a chat, with the prompt for the model's turn behind them or without. */
export type WriteChat<Message> = (messages: readonly Message[], isAsked: boolean) => Written

/** How far the text of a message, or of a field of it, goes, and where it begins: what the format writes around it is not its own. */
export function ownText({ pieces }: Written, message: number, field = ''): { start: number; end: number } | undefined {
  const path = `messages[${message}]${field}`
  let at = 0
  let start = -1
  let end = -1
  for (const { text, control, source } of pieces) {
    if (!control && text !== '' && source.path.startsWith(path)) {
      if (start < 0) start = at
      end = at + text.length
    }
    at += text.length
  }
  return start < 0 ? undefined : { start, end }
}

/** Whether a long text begins with another one. Engines compare whole texts at once, but the beginning of one character by character. */
export function beginsWith(text: string, start: string): boolean {
  return text.slice(0, start.length) === start
}

/** How many characters two texts have in common from their beginning. */
export function commonLength(first: string, second: string): number {
  const limit = Math.min(first.length, second.length)
  let at = 0
  while (at < limit && first.charCodeAt(at) === second.charCodeAt(at)) at++
  return at
}
