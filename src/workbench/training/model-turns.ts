import { attempt, type EndOfTurn } from './end-of-turn.ts'
import { beginsWith, commonLength, ownText, type WriteChat, type Written } from './written.ts'

/**
 * What the model itself writes of a conversation: from where the prompt for its turn ends to and including the token that ends
 * the turn. Where the format writes a finished turn in another way than it asks for it, nobody can say.
 */
export type ModelTurn = {
  message: number
  /** The format writes no end of it, and nothing tells where it ends: it has no words, or calls that the format does not write. */
  isSilent?: true
} & (
  | {
      isKnown: true
      /** Of the whole text. */
      span: [start: number, end: number]
      /** What the format writes to ask for the turn. */
      generationPrompt: string
      /** What the model writes before its first word: an empty thought, the name of a channel. */
      lead: string
      /** The token that ends the turn. Some formats write it only once another message follows, and some never. */
      stop?: string
      stopAt: 'text' | 'before-next-message' | 'none'
    }
  | {
      isKnown: false
      /** `prompt`: the finished turn does not begin as it is asked for; `history`: what follows rewrites it; `error`: it cannot be asked for. */
      stage: 'prompt' | 'history' | 'error'
      /** Where the texts begin to differ, and what stands there. */
      at: number
      expected: string
      found: string
    }
)

/** What must be known of a message. */
export type MessageTraits = { role: string; hasCalls: boolean }

/** The turns of the model in a conversation whose whole text is given. */
export function modelTurns<Given>(
  given: readonly Given[],
  read: (message: Given) => MessageTraits,
  write: WriteChat<Given>,
  whole: Written,
  end: EndOfTurn,
): ModelTurn[] {
  return given.flatMap((one, message) => {
    const { role, hasCalls } = read(one)
    return role === 'assistant' ? [modelTurn({ given, message, hasCalls, write, whole, end })] : []
  })
}

/** A message of the model in its conversation. */
type Place<Given> = {
  given: readonly Given[]
  message: number
  hasCalls: boolean
  write: WriteChat<Given>
  whole: Written
  end: EndOfTurn
}

/** One turn of the model. */
export function modelTurn<Given>({ given, message, hasCalls, write, whole, end }: Place<Given>): ModelTurn {
  const prompt = attempt(() => write(given.slice(0, message), true))
  const isLast = message === given.length - 1
  const finished = isLast ? whole : attempt(() => write(given.slice(0, message + 1), false))
  if (prompt === undefined || finished === undefined) return { message, isKnown: false, stage: 'error', at: 0, expected: '', found: '' }
  const from = prompt.text.length
  if (!beginsWith(finished.text, prompt.text)) return differs(message, 'prompt', prompt.text, finished.text)
  const own = ownWords(finished, whole, message)
  const ownEnd = Math.max(from, own?.end ?? from)
  const stop = end.find(finished.text, ownEnd, finished.text.length, hasCalls)
  // Where no token ends a turn, what closes its calls does.
  const showsCalls = hasCalls && ownText(finished, message, '.tool_calls') !== undefined
  const closed = showsCalls && end.marker === undefined ? Math.max(ownEnd, finished.text.trimEnd().length) : ownEnd
  const turn = finished.text.slice(0, stop?.end ?? closed)
  const silence =
    stop === undefined && (own === undefined || (hasCalls && !showsCalls && ownEnd < finished.text.length))
      ? { isSilent: true as const }
      : {}
  if (!beginsWith(whole.text, turn)) return { ...differs(message, 'history', turn, whole.text), ...silence }
  // The next message may be what makes the format write the token.
  const next = stop === undefined && !isLast ? end.find(whole.text, ownEnd, nextTurn(whole, message), false) : undefined
  const found = stop ?? next
  return {
    message,
    ...silence,
    isKnown: true,
    span: [from, found?.end ?? closed],
    get generationPrompt() {
      const history = attempt(() => write(given.slice(0, message), false))
      return prompt.text.slice(history === undefined ? from : wholeMarkers(prompt.text, commonLength(history.text, prompt.text)))
    },
    lead: whole.text.slice(from, Math.max(from, own?.start ?? from)),
    ...(found && { stop: whole.text.slice(found.start, found.end) }),
    stopAt: stop ? 'text' : next ? 'before-next-message' : 'none',
  }
}

/** The words of a finished turn: those of the whole chat where it has the same text up to there. */
function ownWords(finished: Written, whole: Written, message: number): { start: number; end: number } | undefined {
  const own = ownText(whole, message)
  return own !== undefined && startsAlike(finished.text, whole.text, own.end) ? own : ownText(finished, message)
}

function startsAlike(one: string, other: string, length: number): boolean {
  return one.length >= length && beginsWith(other, one.slice(0, length))
}

/** The place, or the beginning of the marker that it stands in. */
function wholeMarkers(text: string, at: number): number {
  const open = text.lastIndexOf('<', at - 1)
  return open >= 0 && /^<[^<>\s]*$/.test(text.slice(open, at)) && /^[^<>\s]*>/.test(text.slice(at)) ? open : at
}

/** Where the text of the message behind this one begins. */
function nextTurn(whole: Written, message: number): number {
  return ownText(whole, message + 1)?.start ?? whole.text.length
}

function differs(message: number, stage: 'prompt' | 'history', expected: string, found: string): ModelTurn {
  const at = commonLength(expected, found)
  return { message, isKnown: false, stage, at, expected: expected.slice(at, at + 40), found: found.slice(at, at + 40) }
}
