import { PromptError } from '../base/errors/prompt-error.ts'
import { type ChatText, commonLength, ownText, type WriteChat } from './chat-text.ts'

/** How the model's turn ends in a format, found by rendering small chats. */
export type EndOfTurn = {
  /** The token that ends an answer; undefined if the format writes none. */
  marker?: string
  /** The token in front of a user's text: where nothing ends a turn, generation stops on it. */
  opener?: string
  /** Finds the marker after a position, not beyond another one. */
  find(text: string, from: number, to: number, hasCalls: boolean): { start: number; end: number } | undefined
}

type Say = (role: string, text: string) => object

/** Content as a string, and as a list of parts for formats that accept only those. */
const asText: Say = (role, content) => ({ role, content })
const ways: readonly Say[] = [asText, (role, text) => ({ role, content: [{ type: 'text', text }] })]

/**
 * Finds the token that ends an answer: common to a chat that ends with the answer and one that continues; otherwise before the next
 * turn, if the format writes it only as the chat continues; otherwise at the very end.
 */
export function endOfTurnOf<Message>(write: WriteChat<Message>, tokens: readonly string[] = []): EndOfTurn {
  const shows = (say: Say) => {
    const chat: readonly object[] = [say('user', 'qzUser'), say('assistant', 'qzAnswer')]
    const written = attempt(() => write(chat as readonly Message[], false))
    return written !== undefined && ownText(written, 1) !== undefined
  }
  return endIn(write, ways.find(shows) ?? asText, markersAmong(tokens))
}

function endIn<Message>(write: WriteChat<Message>, say: Say, pattern: RegExp): EndOfTurn {
  const markersIn = (text: string) => [...text.matchAll(pattern)].map(([marker]) => marker)
  const behindAnswer = (messages: readonly object[], addGenerationPrompt: boolean): string => {
    const written = attempt(() => write(messages as readonly Message[], addGenerationPrompt))
    if (written === undefined) return ''
    const own = ownText(written, 1)
    return own === undefined ? '' : written.text.slice(own.end, ownText(written, 2)?.start)
  }
  const chat = [say('user', 'qzUser'), say('assistant', 'qzAnswer')]
  const atEnd = behindAnswer(chat, false)
  const beforeUser = behindAnswer([...chat, say('user', 'qzAgain')], false)
  const asked = behindAnswer(chat, true)
  const openers = openersOf(write, say, markersIn)
  /**
   * Markers that may end a turn. Some formats always write a generation prompt, which starts with the markers before a system
   * message; but those may also end a turn that the format itself puts first.
   */
  const endersIn = (text: string) => {
    const found = markersIn(text).filter((marker) => marker !== openers.ofUser)
    if (asked !== atEnd) return found
    const certain = found.filter((marker) => !openers.ofSystem.includes(marker))
    return certain.length > 0 ? certain : found.slice(0, 1)
  }
  const inBoth = shared(atEnd, beforeUser)
  const marker =
    endersIn(inBoth).at(-1) ??
    endersIn(atEnd)[0] ??
    endersIn(shared(asked, beforeUser))[0] ??
    endersIn(beforeUser)[0] ??
    (markersIn(inBoth).length === 0 ? inBoth.trim() || undefined : undefined)
  return {
    marker,
    opener: openers.ofUser,
    find(text, from, to, hasCalls) {
      if (marker === undefined) return undefined
      const at = text.indexOf(marker, from)
      if (at >= 0 && at + marker.length <= to) return { start: at, end: at + marker.length }
      // Calls may have a separate end token, after those that close the call.
      const found = hasCalls ? [...text.slice(from, to).matchAll(pattern)].at(-1) : undefined
      return found && { start: from + found.index, end: from + found.index + found[0].length }
    },
  }
}

/** The markers that open a turn: those before a leading system message, and the last one before user text. */
function openersOf<Message>(
  write: WriteChat<Message>,
  say: Say,
  markersIn: (text: string) => string[],
): { ofSystem: string[]; ofUser?: string } {
  const before = (messages: readonly object[]): string => {
    const written = attempt(() => write(messages as readonly Message[], false))
    return written?.text.slice(0, ownText(written, 0)?.start ?? 0) ?? ''
  }
  return {
    ofSystem: markersIn(before([say('system', 'qzSystem'), say('user', 'qzUser')])),
    ofUser: markersIn(before([say('user', 'qzUser')])).at(-1),
  }
}

/** The common prefix. */
function shared(one: string, other: string): string {
  return one.slice(0, commonLength(one, other))
}

/** Matches special tokens and texts that look like one. */
function markersAmong(tokens: readonly string[]): RegExp {
  const escaped = tokens.filter((token) => token !== '').map((token) => token.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`))
  return new RegExp([...escaped, String.raw`<[^<>\s]+>`, String.raw`\[\/?[A-Z_]+\]`].join('|'), 'g')
}

/** Undefined if the format cannot render the chat. */
export function attempt(write: () => ChatText): ChatText | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
