import { createHash, timingSafeEqual } from 'node:crypto'
import { PromptError } from '../prompt-error.ts'
import { ApiError } from './api-error.ts'

export type GuardOptions = {
  /** Requests must carry it as `Authorization: Bearer KEY`, or as Anthropic's clients do (`x-api-key: KEY`). */
  apiKey?: string
  /**
   * The names by which the server may be called, e.g. `localhost`. A page in a browser can reach this machine under a name
   * of its own, which this stops.
   */
  hosts?: readonly string[]
  /** The web pages that may call it, e.g. `http://localhost:5173`, or `*` for all; by default none. */
  origins?: readonly string[]
}

/** Refuses requests that are not for this server, or not from whom it serves. */
export function guard({ apiKey, hosts, origins = [] }: GuardOptions): (request: Request) => void {
  if (apiKey !== undefined && apiKey.trim() === '') {
    throw new PromptError('no-key', {
      where: '--api-key',
      problem: 'the key is empty: anyone would have it',
      fix: 'give a key (ROLECALL_API_KEY), or none at all',
    })
  }
  const expected = apiKey === undefined ? undefined : digest(apiKey)
  return (request) => {
    if (hosts && !hosts.includes(hostOf(request))) {
      throw new ApiError(403, { message: `this server is not called "${hostOf(request)}"`, code: 'wrong_host' })
    }
    const origin = request.headers.get('origin')
    if (origin !== null && !origins.includes(origin) && !origins.includes('*')) {
      throw new ApiError(403, { message: `web pages of ${origin} may not use this server`, code: 'wrong_origin' })
    }
    // Whether it is alive is no secret, and those who watch it have no key.
    if (expected === undefined || new URL(request.url).pathname === '/health') return
    const given = /^Bearer (.*)$/is.exec(request.headers.get('authorization') ?? '')?.[1] ?? request.headers.get('x-api-key') ?? ''
    // Digests are of one length, and comparing them tells nothing about how much of a key was right.
    if (timingSafeEqual(digest(given), expected)) return
    throw new ApiError(401, {
      message: given === '' ? 'this server wants a key: send Authorization: Bearer KEY' : 'this is not the key',
      code: 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase()
}
