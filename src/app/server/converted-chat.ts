import type { ChatMessage, ChatPart } from '../../prompt/conversation/chat-message.ts'
import { ApiError, toApiError } from './api-error.ts'

/** A message of a chat, and where it stands in a request of another shape. */
export type PlacedMessage = { message: ChatMessage; place: string }

/** Names messages by where the client wrote them: `places` has one for each message of the chat. */
export function relocate(text: string, places: readonly string[]): string {
  return text.replace(/\bmessages\[(\d+)\]/g, (all, index: string) => places[Number(index)] ?? all)
}

/** Does work whose errors speak of messages of the chat, and lets them speak of the request. */
export function withPlaces<Result>(places: readonly string[], work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const told = toApiError(error)
    if (told.status >= 500) throw error
    const { status, message, param, code, type, headers } = told
    const details = { message: relocate(message, places), code, type, headers }
    throw new ApiError(status, param === undefined ? details : { ...details, param: relocate(param, places) })
  }
}

/** The content of a message. One text needs no list: formats may treat lists in their own way. */
export function contentOf(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}
