import type { ModelReply } from '../model/language-model/language-model.ts'
import { newId } from './server-context.ts'

/** The outcome of a request; never its content. */
export type RequestEntry = {
  id: string
  method: string
  path: string
  /** 499: the client closed the connection. */
  status: number
  milliseconds: number
  /** The name of its key, if clients have keys. */
  client?: string
  model?: string
  tokens?: ModelReply['tokens']
}

/**
 * Formats an entry as a line of the log.
 *
 * @example
 * requestLine({ id: 'req_1', method: 'POST', path: '/v1/messages', status: 200, milliseconds: 8.4 }) // => 'req_1 POST /v1/messages 200 8 ms'
 */
export function requestLine({ id, method, path, status, milliseconds, client, model, tokens }: RequestEntry): string {
  const who = client === undefined ? '' : ` by ${client}`
  const counted = tokens ? ` ${tokens.prompt}+${tokens.reply} tokens, ${tokens.reused} reused` : ''
  return `${id} ${method} ${path} ${status} ${Math.round(milliseconds)} ms${who}${model === undefined ? '' : ` ${model}`}${counted}`
}

/** Ids accepted from clients: characters that cannot corrupt a log line. */
const safeId = /^[\w.:-]{1,128}$/

const ids = new WeakMap<Request, string>()

/** A request's id in the log and the response: its `x-request-id`, or a new one. */
export function requestIdOf(request: Request): string {
  const known = ids.get(request)
  if (known !== undefined) return known
  const given = request.headers.get('x-request-id')
  const id = given !== null && safeId.test(given) ? given : newId('req', '_')
  ids.set(request, id)
  return id
}
