import { createHash, timingSafeEqual } from 'node:crypto'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { ApiError } from './api-error.ts'
import type { ClientLimits } from './client-limiter.ts'

/** A client by its key: `name` is what logs and limits call it. */
export type ApiKey = ClientLimits & { name: string; key: string }

export type GuardOptions = {
  /** Requests must carry it as `Authorization: Bearer KEY`, or as Anthropic's clients do (`x-api-key: KEY`). */
  apiKey?: string
  /** Keys of several clients, each with limits of its own; any of them, or `apiKey`, is taken. */
  keys?: readonly ApiKey[]
  /**
   * The names by which the server may be called, e.g. `localhost`. A page in a browser can reach this machine under a name
   * of its own, which this stops.
   */
  hosts?: readonly string[]
  /** The web pages that may call it, e.g. `http://localhost:5173`, or `*` for all; by default none. */
  origins?: readonly string[]
}

/** Refuses requests that are not for this server, or not from whom it serves; of the others it tells whose key they carry. */
export function guard({ apiKey, keys = [], hosts, origins = [] }: GuardOptions): (request: Request) => ApiKey | undefined {
  const known = [...keys, ...(apiKey === undefined ? [] : [{ name: 'default', key: apiKey }])]
  if (known.some(({ key }) => key.trim() === '')) {
    throw new PromptError('no-key', {
      where: '--api-key',
      problem: 'the key is empty',
      fix: 'give a key (ROLECALL_API_KEY), or none at all',
    })
  }
  const names = new Set(known.map(({ name }) => name))
  if (names.size < known.length) {
    throw new PromptError('same-name', { where: 'keys', problem: 'two keys have the same name', fix: 'give each a name of its own' })
  }
  const expected = known.map((one) => ({ one, digest: digest(one.key) }))
  return (request) => {
    if (hosts && !hosts.includes(hostOf(request))) {
      throw new ApiError(403, { message: `this server does not answer to the host name "${hostOf(request)}"`, code: 'wrong_host' })
    }
    const origin = request.headers.get('origin')
    if (origin !== null && !origins.includes(origin) && !origins.includes('*')) {
      throw new ApiError(403, { message: `web pages of ${origin} may not use this server`, code: 'wrong_origin' })
    }
    // Whether it is alive is no secret, and those who watch it have no key.
    if (expected.length === 0 || new URL(request.url).pathname === '/health') return undefined
    const given = /^Bearer (.*)$/is.exec(request.headers.get('authorization') ?? '')?.[1] ?? request.headers.get('x-api-key') ?? ''
    // Digests are of one length, and comparing them tells nothing about how much of a key was right.
    const sent = digest(given)
    const found = expected.filter((one) => timingSafeEqual(sent, one.digest))
    if (found[0]) return found[0].one
    throw new ApiError(401, {
      message: given === '' ? 'this server requires a key: send Authorization: Bearer KEY' : 'the key is wrong',
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
