import { beginsWith, type ChatText, commonLength, ownText, type WriteChat } from './chat-text.ts'
import { attempt, type EndOfTurn } from './end-of-turn.ts'

/**
 * What the model writes in a conversation: from the end of the generation prompt through the end-of-turn token. Undecidable if the
 * finished turn does not start with its generation prompt.
 */
export type ModelTurn = {
  message: number
  /** The end of the turn is undetectable: no end token, and no content or unsupported calls. */
  isSilent?: true
} & (
  | {
      isKnown: true
      /** Offsets in the whole text. */
      span: [start: number, end: number]
      /** The generation prompt of the turn. */
      generationPrompt: string
      /** What the model writes before its content: empty reasoning, a channel name. */
      lead: string
      /** The end-of-turn token. Some formats write it only if another message follows, some never. */
      stop?: string
      stopAt: 'text' | 'before-next-message' | 'none'
    }
  | {
      isKnown: false
      /** `prompt`: the finished turn does not start with its generation prompt; `history`: later messages rewrite it; `error`: it cannot be rendered. */
      stage: 'prompt' | 'history' | 'error'
      /** The first difference, and the texts there. */
      at: number
      expected: string
      found: string
    }
)

/** The relevant traits of a message. */
export type MessageTraits = { role: string; hasCalls: boolean }

/** The model's turns in a rendered conversation. */
export function modelTurns<Given>(
  given: readonly Given[],
  read: (message: Given) => MessageTraits,
  write: WriteChat<Given>,
  whole: ChatText,
  end: EndOfTurn,
): ModelTurn[] {
  return given.flatMap((one, message) => {
    const { role, hasCalls } = read(one)
    return role === 'assistant' ? [modelTurn({ given, message, hasCalls, write, whole, end })] : []
  })
}

/** A model message in its conversation. */
type Place<Given> = {
  given: readonly Given[]
  message: number
  hasCalls: boolean
  write: WriteChat<Given>
  whole: ChatText
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
  // Without an end token, the end of its calls ends a turn.
  const showsCalls = hasCalls && ownText(finished, message, '.tool_calls') !== undefined
  const closed = showsCalls && end.marker === undefined ? Math.max(ownEnd, finished.text.trimEnd().length) : ownEnd
  const turn = finished.text.slice(0, stop?.end ?? closed)
  const silence =
    stop === undefined && (own === undefined || (hasCalls && !showsCalls && ownEnd < finished.text.length))
      ? { isSilent: true as const }
      : {}
  if (!beginsWith(whole.text, turn)) return { ...differs(message, 'history', turn, whole.text), ...silence }
  // Some formats write the token only before the next message.
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

/** The content range of a finished turn, from the whole chat if its text is the same up to there. */
function ownWords(finished: ChatText, whole: ChatText, message: number): { start: number; end: number } | undefined {
  const own = ownText(whole, message)
  return own !== undefined && startsAlike(finished.text, whole.text, own.end) ? own : ownText(finished, message)
}

function startsAlike(one: string, other: string, length: number): boolean {
  return one.length >= length && beginsWith(other, one.slice(0, length))
}

/** The position, moved to the start of the marker around it. */
export function wholeMarkers(text: string, at: number): number {
  const open = text.lastIndexOf('<', at - 1)
  return open >= 0 && /^<[^<>\s]*$/.test(text.slice(open, at)) && /^[^<>\s]*>/.test(text.slice(at)) ? open : at
}

/** The start of the next message's text. */
function nextTurn(whole: ChatText, message: number): number {
  return ownText(whole, message + 1)?.start ?? whole.text.length
}

function differs(message: number, stage: 'prompt' | 'history', expected: string, found: string): ModelTurn {
  const at = commonLength(expected, found)
  return { message, isKnown: false, stage, at, expected: expected.slice(at, at + 40), found: found.slice(at, at + 40) }
}
