import type { MiddlewareHandler } from 'hono'
import type { ApiKey } from './guard.ts'
import type { ReplyObserver } from './server-context.ts'

/** What a route returns: the response, and a promise for the end of the work behind it (a stream outlives its response). */
export type RouteResult = { response: Response; done?: Promise<{ isAborted: boolean }> }

/** What the layers of the server tell each other about a request, as variables of Hono's context. */
export type RequestEnv = {
  Variables: {
    /** Its key, if the server has any. */
    key?: ApiKey | undefined
    /** The name of its key, or its address. */
    client: string
    body: string
    /** Notified about its replies. */
    observer: ReplyObserver
    /** The end of the work behind its response. */
    done?: RouteResult['done']
  }
}

/** A layer of the server: it handles a request, or lets the next layer do so. */
export type ServerLayer = MiddlewareHandler<RequestEnv>
