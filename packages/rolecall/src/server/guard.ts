import { createHash, timingSafeEqual } from 'node:crypto'
import { PromptError } from '@rolecall/core/internal/errors'
import { ApiError } from './api-error.ts'
import type { ClientLimits } from './server-limits.ts'

/** A client's key; `name` identifies the client in logs and limits. */
export type ApiKey = ClientLimits & { name: string; key: string }

export type GuardOptions = {
  /** Required of every request, as `Authorization: Bearer KEY` or `x-api-key: KEY` (Anthropic's clients). */
  apiKey?: string
  /** Keys of several clients with their limits; accepted in addition to `apiKey`. */
  keys?: readonly ApiKey[]
  /** Accepted host names, e.g. `localhost`: prevents DNS rebinding by web pages. */
  hosts?: readonly string[]
  /** Origins of the web pages that may call the server, e.g. `http://localhost:5173`, or `*` for all; none by default. */
  origins?: readonly string[]
}

/** Returns a function that rejects requests for another host, from a foreign origin or without a valid key, and returns their key. */
export function guard({ apiKey, keys = [], hosts, origins = [] }: GuardOptions): (request: Request) => ApiKey | undefined {
  const known = [...keys, ...(apiKey === undefined ? [] : [{ name: 'default', key: apiKey }])]
  if (known.some(({ key }) => key.trim() === '')) {
    throw new PromptError('no-key', {
      where: '--api-key',
      problem: 'the key is empty',
      fix: 'set ROLECALL_API_KEY to a key, or unset it',
    })
  }
  const names = new Set(known.map(({ name }) => name))
  if (names.size < known.length) {
    throw new PromptError('same-name', { where: 'keys', problem: 'two keys have the same name', fix: 'use unique names' })
  }
  const expected = known.map((one) => ({ one, digest: digest(one.key) }))
  return (request) => {
    if (hosts && !hosts.includes(hostOf(request))) {
      throw new ApiError(403, { message: `host name "${hostOf(request)}" is not allowed`, code: 'wrong_host' })
    }
    const origin = request.headers.get('origin')
    if (origin !== null && !origins.includes(origin) && !origins.includes('*')) {
      throw new ApiError(403, { message: `origin ${origin} is not allowed`, code: 'wrong_origin' })
    }
    if (expected.length === 0 || open.has(new URL(request.url).pathname)) return undefined
    const given = /^Bearer (.*)$/is.exec(request.headers.get('authorization') ?? '')?.[1] ?? request.headers.get('x-api-key') ?? ''
    // Digests have equal length, as timingSafeEqual requires.
    const sent = digest(given)
    const found = expected.filter((one) => timingSafeEqual(sent, one.digest))
    if (found[0]) return found[0].one
    throw new ApiError(401, {
      message: given === '' ? 'missing API key: send Authorization: Bearer KEY' : 'invalid API key',
      code: 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
}

/** Health checks need no key. */
const open: ReadonlySet<string> = new Set(['/', '/health'])

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase()
}
