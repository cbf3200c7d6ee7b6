import { toApiError } from '../api-error.ts'
import { openChat } from '../chat/open-chat.ts'
import { overflowCode } from '../context-overflow.ts'
import { measurePrompt } from '../prompt-length.ts'
import { readBodyInTurn } from '../read-body.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServerContext } from '../server-context.ts'
import { readResponses, readResponsesPrompt } from './read-responses.ts'
import { inputTokensRequest, responsesRequest } from './responses-request.ts'
import { streamRefusal, writeResponse } from './write-response.ts'

/** POST /v1/responses: OpenAI's newer protocol, converted to a chat. */
export async function responsesRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = await readBodyInTurn(text, responsesRequest)
  const requested = readResponses(body, server.responses)
  try {
    const opened = await openChat(server, requested, client)
    return await writeResponse(opened, { request: body.fields, requested, bytes: text.length }, client)
  } catch (error) {
    const refusal = toApiError(error)
    if (!body.fields.stream || refusal.code !== overflowCode) throw error
    return streamRefusal(server, body.fields, refusal, client)
  }
}

/** POST /v1/responses/input_tokens: the length of the prompt. */
export async function inputTokensRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = await readBodyInTurn(text, inputTokensRequest)
  const opened = await openChat(server, readResponsesPrompt(body, server.responses), client)
  const { tokens, problems } = await measurePrompt(opened, client)
  return { response: Response.json({ object: 'response.input_tokens', input_tokens: tokens, problems }) }
}
