import type { Note } from '../base/errors/note.ts'
import type { TextPiece } from '../base/text/index.ts'

/** A rendered chat, with the origin of each character, and what was changed or left out. */
export type ChatText = { text: string; pieces: readonly TextPiece[]; notes?: readonly Note[] }

/** Renders messages, with or without a generation prompt. */
export type WriteChat<Message> = (messages: readonly Message[], addGenerationPrompt: boolean) => ChatText

/**
 * The range of a message's own text, or that of a field, without the format's text around it. What a format repeats later does not count,
 * such as the name of a call in front of its result.
 */
export function ownText({ pieces }: ChatText, message: number, field = ''): { start: number; end: number } | undefined {
  const path = `messages[${message}]${field}`
  /** How far each text has been written. */
  const written = new Map<string, number>()
  let at = 0
  let start = -1
  let end = -1
  for (const { text, control, source } of pieces) {
    if (!control && text !== '' && source.path.startsWith(path) && isNew(source, written)) {
      if (start < 0) start = at
      end = at + text.length
    }
    at += text.length
  }
  return start < 0 ? undefined : { start, end }
}

function isNew({ path, span }: TextPiece['source'], written: Map<string, number>): boolean {
  const before = written.get(path)
  const [from, to] = span ?? [0, Number.POSITIVE_INFINITY]
  if (before !== undefined && from < before) return false
  written.set(path, to)
  return true
}

/** Like `startsWith`, but faster for long texts: engines compare whole strings at once, prefixes by character. */
export function beginsWith(text: string, start: string): boolean {
  return text.slice(0, start.length) === start
}

/** The length of the common prefix. */
export function commonLength(first: string, second: string): number {
  const limit = Math.min(first.length, second.length)
  let at = 0
  while (at < limit && first.charCodeAt(at) === second.charCodeAt(at)) at++
  return at
}

/** Whether a longer text extends a shorter one, and where it diverges. */
export type Growth = { isAppended: true } | { isAppended: false; at: number; shorter: string; longer: string }

/** Length of the excerpts at a difference. */
const shownLength = 40

/** Compares consecutive prompts: prefix cache and kept ids are valid up to the first difference. */
export function growthOf(shorter: string, longer: string): Growth {
  if (beginsWith(longer, shorter)) return { isAppended: true }
  const at = commonLength(shorter, longer)
  return { isAppended: false, at, shorter: shorter.slice(at, at + shownLength), longer: longer.slice(at, at + shownLength) }
}
