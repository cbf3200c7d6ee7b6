import { setTimeout as sleep } from 'node:timers/promises'
import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { z } from 'zod'
import { BadReply, HttpFailure, type HttpReply } from '../../model/openai/http/http-client.ts'
import type { ReplyLimit } from '../../model/openai/http/reply-limit.ts'
import { nodeClient } from '../models/node-client.ts'
import type { HubSettings } from './hub-settings.ts'

/** The hub cannot be reached, or does not work: the cache may help. */
export class HubUnreachable extends Error {
  override readonly name = 'HubUnreachable'

  constructor(
    message: string,
    /** The last answer's status, if the hub answered. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** An answer with the address that gave it, after redirects, as messages show it. */
export type HubReply = HttpReply & { url: string }

type GetOptions = {
  headers?: Readonly<Record<string, string>>
  timeout?: number
  /** The maximum size and time of an answer that is not a file. */
  limit?: ReplyLimit
}

/** Milliseconds for an answer that is not a file. */
const longestAnswer = 300_000

const tries = 5
const redirects = 8
const longestWait = 60_000

/** Failures that the next request to the same host would have, too. */
const lasting: ReadonlySet<string> = new Set(['unreachable', 'impossible', 'timeout'])

/** Sends requests to a hub. The token goes to the hub's own origin only (scheme, host and port), never to a CDN. */
export class HubClient {
  readonly #send: ReturnType<typeof nodeClient>['client']
  readonly close: () => Promise<void>

  constructor(
    readonly settings: HubSettings,
    /** How this hub takes a token. */
    readonly authorise: (token: string) => Readonly<Record<string, string>>,
    /** Origins that could not be reached, and why: they are not tried again. */
    readonly unreachable?: Map<string, string>,
  ) {
    const { client, close } = nodeClient({ connections: 4, environment: settings.environment })
    this.#send = client
    this.close = close
  }

  /** The JSON at an address of the hub, checked by a schema, and the reply's headers; an answer other than 200 has no body. */
  async json<Body>(path: string, schema: z.ZodType<Body>): Promise<{ body: Body; reply: HubReply } | { body: undefined; reply: HubReply }> {
    const limit = { bytes: limits.hubAnswer, milliseconds: longestAnswer }
    const reply = await this.get(path, { limit })
    const text = await this.#text(reply)
    if (reply.status !== 200) return { body: undefined, reply }
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      throw new HubUnreachable(
        /^\s*</.test(text)
          ? `${reply.url} answered with a web page instead of JSON: a proxy or a sign-in page is between this machine and the hub`
          : `${reply.url} answered with incomplete JSON`,
      )
    }
    const checked = schema.safeParse(body)
    if (checked.success) return { body: checked.data, reply }
    const [issue] = checked.error.issues
    throw new HubUnreachable(`${reply.url} answered with unexpected JSON (${issue!.path.join('.') || 'the whole'}: ${issue!.message})`)
  }

  async #text(reply: HubReply): Promise<string> {
    try {
      return await reply.text()
    } catch (error) {
      if (error instanceof HttpFailure || error instanceof BadReply) throw new HubUnreachable(`${reply.url}: ${error.message}`)
      throw error
    }
  }

  /** Follows redirects, and repeats a request that failed for a temporary reason. */
  async get(path: string, { headers = {}, timeout = this.settings.timeouts.answer, limit }: GetOptions = {}): Promise<HubReply> {
    const first = this.#address(path)
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === tries
      const at = { url: first }
      try {
        const reply = await this.#follow(at, { headers, timeout, limit })
        const wait = waitFor(reply, attempt)
        if (wait === undefined || isLast) {
          if (wait === undefined) return reply
          reply.discard()
          throw new HubUnreachable(`${reply.url} answered ${reply.status} ${tries} times`, reply.status)
        }
        reply.discard()
        await sleep(wait)
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        if (isLast || error.kind === 'impossible' || error.kind === 'unreachable') {
          if (lasting.has(error.kind)) this.unreachable?.set(new URL(at.url).origin, error.message)
          throw new HubUnreachable(`${shownAddress(first)}: ${error.message}`)
        }
        await sleep(backOff(attempt))
      }
    }
  }

  /** The address of a path on the hub, for messages: without a password. */
  shown(path: string): string {
    const url = new URL(this.#address(path))
    url.username = ''
    url.password = ''
    return url.href
  }

  #address(path: string): string {
    const { endpoint } = this.settings
    if (/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)) return new URL(path, `${endpoint}/`).href
    throw new PromptError('hub-endpoint', {
      where: 'HF_ENDPOINT or MODELSCOPE_ENDPOINT',
      problem: `${JSON.stringify(endpoint)} is not an address`,
      fix: 'write it with its scheme, as in https://hub.example.com',
    })
  }

  /** `at` is the address that is being asked, after redirects. */
  async #follow(
    at: { url: string },
    { headers, timeout, limit }: Required<Omit<GetOptions, 'limit'>> & Pick<GetOptions, 'limit'>,
  ): Promise<HubReply> {
    const { url: first } = at
    const hub = new URL(this.settings.endpoint).origin
    for (let count = 0; count < redirects; count++) {
      const { url } = at
      const { origin, host } = new URL(url)
      const failed = this.unreachable?.get(origin)
      if (failed !== undefined) throw new HubUnreachable(`${shownAddress(url)}: ${failed} (${host} is not tried again)`)
      // Another port may be another program, and http would send the token in clear text.
      const token = origin === hub && this.settings.token !== undefined ? this.authorise(this.settings.token) : {}
      const reply = await this.#send({
        url,
        method: 'GET',
        headers: { 'user-agent': 'rolecall', 'accept-encoding': 'identity', ...headers, ...token },
        timeout,
        limit,
      })
      const location = reply.header('location')
      if (![301, 302, 303, 307, 308].includes(reply.status) || location === undefined)
        return Object.assign(reply, { url: shownAddress(url) })
      reply.discard()
      if (!URL.canParse(location, url) || !/^https?:$/.test(new URL(location, url).protocol))
        throw new HubUnreachable(`${shownAddress(url)} answered with a redirect to something that is no web address`)
      at.url = new URL(location, url).href
    }
    throw new HubUnreachable(`${shownAddress(first)} answered with more than ${redirects} redirects`)
  }
}

/** An address for messages: without a password, and without the query, which signs the links of a CDN. */
function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

/** How long to wait before another try; undefined if the reply is final. */
function waitFor(reply: HttpReply, attempt: number): number | undefined {
  if (reply.status === 429) {
    const seconds = Number(reply.header('retry-after') ?? /;t=(\d+)/.exec(reply.header('ratelimit') ?? '')?.[1])
    return Math.min(longestWait, Number.isFinite(seconds) ? seconds * 1000 + 250 : backOff(attempt))
  }
  return reply.status >= 500 ? backOff(attempt) : undefined
}

function backOff(attempt: number): number {
  return 250 * 3 ** (attempt - 1)
}
