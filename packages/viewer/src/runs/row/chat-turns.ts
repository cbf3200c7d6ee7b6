import type { ChatMessage } from '@rolecall/core/internal/conversation'

/** A message of a chat, or the place of one of the model's answers. */
export type ChatTurn = { message: ChatMessage; isExpected: boolean } | { answer: number }

/**
 * A dataset's chat with the model's answers where they belong: after each message that asks for one. Assistant messages of the dataset are
 * the expected answers. Undefined if there are not as many answers as places: then it is unknown which answer is where.
 */
export function chatTurns(messages: readonly ChatMessage[], answers: number): ChatTurn[] | undefined {
  const isAsked = (place: number) => messages[place]!.role === 'user' && messages[place + 1]?.role !== 'user'
  const asked = [...messages.keys()].filter(isAsked)
  // One answer is the last turn.
  const places = answers === 1 ? asked.slice(-1) : asked
  if (places.length !== answers) return undefined
  return messages.flatMap((message, place): ChatTurn[] => {
    const turn = { message, isExpected: message.role === 'assistant' && places.includes(place - 1) }
    const answer = places.indexOf(place)
    return answer < 0 ? [turn] : [turn, { answer }]
  })
}
