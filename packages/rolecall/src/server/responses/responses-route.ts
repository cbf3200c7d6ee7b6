import { openChat } from '../chat/open-chat.ts'
import { countTokensOrFail } from '../prompt-length.ts'
import { readBodyInTurn } from '../read-body.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServerContext } from '../server-context.ts'
import { readResponses, readResponsesPrompt } from './read-responses.ts'
import { inputTokensRequest, responsesRequest } from './responses-request.ts'
import { writeResponse } from './write-response.ts'

/** POST /v1/responses: OpenAI's newer protocol, converted to a chat. */
export async function responsesRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = await readBodyInTurn(text, responsesRequest)
  const requested = readResponses(body, server.responses)
  const opened = await openChat(server, requested, client)
  return writeResponse(opened, { request: body.fields, requested, bytes: text.length }, client)
}

/** POST /v1/responses/input_tokens: the length of the prompt. */
export async function inputTokensRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = await readBodyInTurn(text, inputTokensRequest)
  const opened = await openChat(server, readResponsesPrompt(body, server.responses), client)
  return { response: Response.json({ object: 'response.input_tokens', input_tokens: await countTokensOrFail(opened, client) }) }
}
