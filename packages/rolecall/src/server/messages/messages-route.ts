import { openChat } from '../chat/open-chat.ts'
import { measurePrompt } from '../prompt-length.ts'
import { readBodyInTurn } from '../read-body.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServerContext } from '../server-context.ts'
import { countTokensRequest, messagesRequest } from './messages-request.ts'
import { readMessages, readMessagesPrompt } from './read-messages.ts'
import { writeMessage } from './write-message.ts'

/** POST /v1/messages: Anthropic's protocol, converted to a chat. */
export async function messagesRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = await readBodyInTurn(text, messagesRequest)
  const opened = await openChat(server, readMessages(body), client)
  return writeMessage(opened, body.fields, client)
}

/** POST /v1/messages/count_tokens: the length of the prompt. */
export async function countTokensRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = await readBodyInTurn(text, countTokensRequest)
  const opened = await openChat(server, readMessagesPrompt(body), client)
  const { tokens, problems } = await measurePrompt(opened, client)
  return { response: Response.json({ input_tokens: tokens, problems }) }
}
