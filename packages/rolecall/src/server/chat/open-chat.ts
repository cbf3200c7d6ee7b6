import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseOversizedPrompt } from '../prompt-length.ts'
import { fieldsToForward } from '../sampling-request.ts'
import { findModel, type ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import { withoutNonces } from '../sessions/client-nonces.ts'
import { buildChatPrompt, type ChatPrompt } from './chat-prompt.ts'
import { constrainChat } from './constrain-chat.ts'
import { type OpenedChat, type RequestedChat, withPlaces } from './requested-chat.ts'

/** The way of every chat from its request to its prompt and the constraint on its reply; rejects what is invalid before anything is generated. */
export function openChat(server: ServerContext, requested: RequestedChat, signal: AbortSignal): Promise<OpenedChat> {
  return withPlaces(requested.places, async () => {
    const served = findModel(server.models, requested.settings.model)
    const stable = server.stablePrefix ? withoutNonces(requested) : requested
    const written = await writePrompt(server, served, stable, signal)
    const chatPrompt = await constrainChat(written, stable, served, { client: server.client, signal })
    return { server, served, requested: stable, chatPrompt }
  })
}

async function writePrompt(
  server: ServerContext,
  served: ServedModel,
  { settings, exact }: RequestedChat,
  signal: AbortSignal,
): Promise<ChatPrompt> {
  const { tool_choice, reasoning_effort, continue_final_message } = settings
  // The request has just been read.
  await nextTurn()
  const rendered = await server.prompts?.render(served, { tool_choice, reasoning_effort, continue_final_message }, exact, {
    client: server.client,
    signal,
  })
  const built = buildChatPrompt(served, settings, exact, rendered)
  const forwarded = { ...built.forwarded, ...fieldsToForward(settings, served) }
  refuseOversizedPrompt(built.prompt, served)
  return { ...built, forwarded }
}
