import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseOversizedPrompt } from '../prompt-length.ts'
import { fieldsToForward } from '../sampling-request.ts'
import { findModel, type ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import { buildChatPrompt, type ChatPrompt, type ExactChat } from './chat-prompt.ts'
import type { ChatSettings } from './chat-request.ts'
import { constrainChat } from './constrain-chat.ts'

/** A chat ready to be answered: its model was found and its prompt built. */
export type OpenedChat = { server: ServerContext; served: ServedModel; request: ChatSettings; chatPrompt: ChatPrompt }

/** The first step of every chat protocol: rejects invalid requests before anything is generated. */
export async function openChat(server: ServerContext, request: ChatSettings, exact: ExactChat, signal: AbortSignal): Promise<OpenedChat> {
  const served = findModel(server.models, request.model)
  const { tool_choice, reasoning_effort, continue_final_message } = request
  const settings = { tool_choice, reasoning_effort, continue_final_message }
  // The request has just been read.
  await nextTurn()
  const rendered = await server.prompts?.render(served, settings, exact, { client: server.client, signal })
  const built = { ...buildChatPrompt(served, request, exact, rendered) }
  built.forwarded = { ...built.forwarded, ...fieldsToForward(request, served) }
  refuseOversizedPrompt(built.prompt, served)
  const chatPrompt = await constrainChat(built, request, served, { client: server.client, signal, places: exact.formatPlaces })
  return { server, served, request, chatPrompt }
}
