import { refuseOversizedPrompt } from '../prompt-length.ts'
import { findModel, type ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import { buildChatPrompt, type ChatPrompt, type ExactChat } from './chat-prompt.ts'
import type { ChatSettings } from './chat-request.ts'
import { constrainChat } from './constrain-chat.ts'

/** A chat ready to be answered: its model was found and its prompt built. */
export type OpenedChat = { server: ServerContext; served: ServedModel; request: ChatSettings; chatPrompt: ChatPrompt }

/** The first step of every chat protocol: rejects invalid requests before anything is generated. */
export function openChat(server: ServerContext, request: ChatSettings, exact: ExactChat): OpenedChat {
  const served = findModel(server.models, request.model)
  const chatPrompt = constrainChat(buildChatPrompt(served, request, exact), request, served, exact.formatPlaces)
  refuseOversizedPrompt(chatPrompt.prompt, served)
  return { server, served, request, chatPrompt }
}
