import { readBodyInTurn } from '../read-body.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServerContext } from '../server-context.ts'
import { chatRequest } from './chat-request.ts'
import { openChat } from './open-chat.ts'
import { readChat } from './read-chat-request.ts'
import { writeChat } from './write-chat.ts'

/** POST /v1/chat/completions: renders the messages in the model's format and parses its reply. */
export async function chatRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = await readBodyInTurn(text, chatRequest)
  const requested = readChat(body, server.limits)
  const opened = await openChat(server, requested, client)
  return writeChat(opened, client)
}
