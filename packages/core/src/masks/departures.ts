import { type ChatText, commonLength } from './chat-text.ts'
import { wholeMarkers } from './model-turns.ts'

/** A difference between what the model has seen and what its format would write of it now. */
export type Departure = {
  /**
   * `dropped`, `moved` (behind the reply, so that the model sees it twice), `changed`: the text of a message or of the tools; `format-text`:
   * the format's own text, such as the opening of a reply that is not in the history; `other-end`: the reply ended on another special token
   * than the one that the format writes, so the prompt has both.
   */
  kind: 'dropped' | 'moved' | 'changed' | 'format-text' | 'other-end'
  /** Whose text: `messages[1].reasoning_content`, `tools`; of `format-text`, undefined. */
  path?: string
  /** The offset in the text of the seen prompt; where the reply itself is written differently, in the text of the reply. */
  at: number
  /** What was seen there, and what the format writes now: excerpts. */
  seen: string
  now: string
}

/** Length of the excerpts at a difference. */
const shownLength = 40

type OwnTexts = Map<string, { text: string; start: number }>

/**
 * How the render of the whole chat differs from the seen prompt in front of a reply that ends at `end`: one departure for each field of a
 * message whose text is gone, moved or different, else one where the format's own text differs.
 */
export function departuresOf(seen: ChatText, whole: ChatText, count: number, end: number): Departure[] {
  const before = ownTexts(seen, count)
  const now = ownTexts(whole, count)
  const ofMessages = [...before].flatMap(([path, { text, start }]): Departure[] => {
    const later = now.get(path)
    const excerpts = { path, at: start, seen: text.slice(0, shownLength), now: later?.text.slice(0, shownLength) ?? '' }
    if (later === undefined) return [{ kind: 'dropped', ...excerpts }]
    if (later.start >= end) return [{ kind: 'moved', ...excerpts }]
    return later.text === text ? [] : [{ kind: 'changed', ...excerpts }]
  })
  if (ofMessages.length > 0) return ofMessages
  const common = commonLength(seen.text, whole.text)
  if (common >= seen.text.length) return []
  const at = wholeMarkers(seen.text, common)
  return [{ kind: 'format-text', at, seen: excerpt(seen.text, at), now: excerpt(whole.text, at) }]
}

/**
 * How a reply differs from what the format writes of it: reasoning may be left out, and booleans, spaces and quotes of calls are often
 * written anew. Its place is that in the reply.
 */
export function replyDeparture(sampled: string, written: string, { reply, path }: { reply: object; path: string }): Departure[] {
  const common = commonLength(sampled, written)
  // A truncated reply ends earlier; nothing in it differs.
  if (common === sampled.length) return []
  const at = wholeMarkers(sampled, common)
  const excerpts = { at, seen: excerpt(sampled, at), now: excerpt(written, at) }
  const { reasoning_content: reasoning } = reply as { reasoning_content?: unknown }
  const isDropped = typeof reasoning === 'string' && reasoning.trim() !== '' && !written.includes(reasoning.trim())
  return [isDropped ? { kind: 'dropped', path: `${path}.reasoning_content`, ...excerpts } : { kind: 'changed', path, ...excerpts }]
}

/** A reply that ended on a special token which its format does not write there. */
export function endDeparture(
  { text, end }: { text: string; end: string },
  { written, stop = '' }: { written: string; stop?: string | undefined },
  { reply, path }: { reply: object; path: string },
): Departure[] {
  if (end === '' || end === stop) return []
  const { content } = reply as { content?: unknown }
  // A reply that was cut behind its reasoning or a call ends on a token of those. One that no reader knows as an end is part of the text.
  const isOfText = typeof content === 'string' && content.endsWith(end)
  if (!isOfText && written.includes(end)) return []
  return [{ kind: 'other-end', path, at: text.length, seen: end, now: stop }]
}

/** The texts of the fields of messages, and of all tools together, with the place where each begins. */
function ownTexts({ pieces }: ChatText, count: number): OwnTexts {
  const texts: OwnTexts = new Map()
  let at = 0
  for (const { text, control, source } of pieces) {
    const path = control || text === '' ? undefined : fieldOf(source.path, count)
    if (path !== undefined) {
      const known = texts.get(path)
      if (known) known.text += text
      else texts.set(path, { text, start: at })
    }
    at += text.length
  }
  return texts
}

/** `messages[1].tool_calls` of `messages[1].tool_calls[0].function.name`; undefined for messages from `count` on. */
function fieldOf(path: string, count: number): string | undefined {
  if (path.startsWith('tools')) return 'tools'
  const [field, index] = /^messages\[(\d+)\](?:\.\w+)?/.exec(path) ?? []
  return index === undefined || Number(index) >= count ? undefined : field
}

function excerpt(text: string, at: number): string {
  return text.slice(at, at + shownLength)
}
