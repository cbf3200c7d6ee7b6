import { saysLeftOut } from '../../../base/errors/note.ts'
import { refuseHopeless } from '../hopeless.ts'
import { findModel, type ServedModel } from '../served-model.ts'
import type { Serving } from '../server-context.ts'
import type { AnsweredChat } from './answer-chat.ts'
import { type ChatPrompt, chatPrompt, type ExactChat } from './chat-prompt.ts'
import type { ChatRequest } from './chat-request.ts'
import { constrainChat } from './constrain-chat.ts'

/** A chat that can be answered: its model was found, and its prompt written. */
export type OpenedChat = { serving: Serving; served: ServedModel; request: ChatRequest; asked: ChatPrompt }

/** What every protocol of chats begins with. What is wrong with the request is told here, before anything is asked. */
export function openChat(serving: Serving, request: ChatRequest, exact: ExactChat): OpenedChat {
  const served = findModel(serving.models, request.model)
  const asked = constrainChat(chatPrompt(served, request, exact), request, served, exact.formatPlaces)
  refuseHopeless(asked.prompt, served)
  return { serving, served, request, asked }
}

const lossCodes: readonly string[] = [
  'fields-dropped',
  'history-dropped',
  'cut-to-window',
  'thinking-unchanged',
  'format-unused',
  'not-enforced',
]

/** What the client should know: what of its request was left out, and which calls cannot be used. */
export function problemsOf({ problems }: AnsweredChat, { prompt }: ChatPrompt): string[] {
  const dropped = prompt.notes
    .filter((note) => lossCodes.includes(note.code) || saysLeftOut(note))
    .map(({ where, text }) => `${where}: ${text}`)
  return [...dropped, ...problems]
}
