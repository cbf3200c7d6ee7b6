import type { ModelReply } from '../model/language-model/language-model.ts'
import { newId } from './new-id.ts'
import type { ServerLayer } from './request-env.ts'
import type { ServerMetrics } from './server-metrics.ts'

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

/** The status of requests whose client closed the connection, in metrics and the log: nginx's. */
export const clientClosed = 499

type ObservedBy = {
  metrics: ServerMetrics
  /** Called when a request has finished. */
  onRequest?: ((entry: RequestEntry) => void) | undefined
  /** The label of a path in metrics. */
  labelOf: (path: string) => string
  now: () => number
}

/** Gives every request its id, and reports it to metrics and log when the work behind its response has ended. */
export function observeRequests({ metrics, onRequest, labelOf, now }: ObservedBy): ServerLayer {
  return async (context, next) => {
    const { raw, method, path } = context.req
    const [id, start] = [requestIdOf(raw), now()]
    let replies: Pick<RequestEntry, 'model' | 'tokens'> = {}
    context.set('observer', {
      first: (model, milliseconds) => metrics.firstToken(model, milliseconds / 1000),
      reply: (model, tokens) => {
        metrics.reply(model, tokens)
        const { prompt, reused, reply } = replies.tokens ?? { prompt: 0, reused: 0, reply: 0 }
        replies = { model, tokens: { prompt: prompt + tokens.prompt, reused: reused + tokens.reused, reply: reply + tokens.reply } }
      },
    })
    await next()
    // `request-id` is Anthropic's header.
    for (const name of ['x-request-id', 'request-id']) context.res.headers.set(name, id)
    const { res } = context
    void Promise.resolve(context.get('done')).then((ended) => {
      const status = ended?.isAborted ? clientClosed : res.status
      const milliseconds = now() - start
      metrics.request(labelOf(path), status, milliseconds / 1000)
      const client = context.get('key')?.name
      onRequest?.({ id, method, path, status, milliseconds, ...(client === undefined ? {} : { client }), ...replies })
    })
  }
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
