import { PromptError } from '@rolecall/core/internal/errors'

/** A description of a server for errors, without keys. */
export type ServerName = {
  /** The user's name for the model. */
  where: string
  /** The server's address without secrets. */
  shown: string
  model: string
  /** The environment variable of the key, and whether it is set. */
  keyName: string
  hasKey: boolean
  /** Secrets to redact: keys. */
  secrets: readonly string[]
}

/** A failed response. */
export type Refusal = {
  status: number
  message: string
  code?: string
  location?: string | undefined
  /** The delay that the body asks for, in seconds. */
  retryAfter?: string
}

/** The statuses after which the same request may succeed. */
export function isWorthRetrying(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

/** An account without credit: waiting does not help. */
export function isSpent({ status, code, message }: Refusal): boolean {
  return (
    (status === 429 && code === 'insufficient_quota') || status === 402 || (status === 400 && /credit balance is too low/i.test(message))
  )
}

/** Gemini's API answers 400 to a wrong key. */
function isBadKey({ status, message }: Refusal): boolean {
  return status === 401 || status === 403 || (status === 400 && /\bAPI key (?:not valid|expired|not found)/i.test(message))
}

/** The error text of the server: OpenAI's error object, FastAPI's `detail`, or the text itself. */
export function readRefusal(status: number, body: string, secrets: readonly string[]): Refusal {
  const { message, code, retryAfter } = messageIn(body)
  return {
    status,
    message: printable(message, secrets),
    ...(typeof code === 'string' ? { code } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

function messageIn(body: string): { message: string; code?: unknown; retryAfter?: string } {
  try {
    const parsed = JSON.parse(body) as Record<string, unknown> | null
    const error = parsed?.error ?? parsed?.detail ?? parsed
    if (typeof error === 'string') return { message: error }
    const { message, code, details } = (error ?? {}) as { message?: unknown; code?: unknown; details?: unknown }
    if (typeof message === 'string') return { message, code, ...retryInfoIn(details) }
  } catch {}
  return { message: body }
}

/** The delay among the details of Google's errors: `{ "retryDelay": "34s" }`. */
function retryInfoIn(details: unknown): { retryAfter?: string } {
  for (const detail of Array.isArray(details) ? (details as unknown[]) : []) {
    const delay = (detail as { retryDelay?: unknown } | null)?.retryDelay
    const seconds = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined
    if (seconds !== undefined) return { retryAfter: seconds }
  }
  return {}
}

/** Text from a server as part of a line: short, without control characters, without keys. */
export function printable(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '***')
  clean = clean.replace(/[\p{C}\s]+/gu, ' ').trim()
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean
}

/** The error for a request that the server refuses for every row. */
export function refusalError(refusal: Refusal, server: ServerName, others: readonly string[]): PromptError {
  const { status, message, code, location } = refusal
  const said = message === '' ? '' : `: "${message}"`
  const problem = `${server.shown} answered ${status}${said}`
  if (isSpent(refusal)) {
    const fix = 'see to the account, and run again: what is done is kept'
    return new PromptError('unauthorized', { where: `${server.where} › key_env`, problem, fix })
  }
  if (isBadKey(refusal)) {
    const fix = server.hasKey
      ? `check the key in the environment variable ${server.keyName}, and whether it may use "${server.model}"`
      : `set the environment variable ${server.keyName} to a key of this server (key_env names another variable)`
    return new PromptError('unauthorized', { where: `${server.where} › key_env`, problem, fix })
  }
  if (status === 404 && (code === 'model_not_found' || /\bmodels?\b/i.test(message))) {
    const fix =
      others.length === 0 ? 'set path to the name of a model that the server has' : `set path to one that it has: ${others.join(', ')}`
    return new PromptError('no-such-model', { where: `${server.where} › path`, problem, fix })
  }
  if (status === 404 || status === 405 || status === 501 || (status >= 300 && status < 400)) {
    return new PromptError('no-endpoint', {
      where: `${server.where} › base_url`,
      problem: location === undefined ? problem : `${problem}, and points to ${printable(location, server.secrets)}`,
      fix: 'check base_url (most servers want it to end in /v1), and whether the server has this endpoint',
    })
  }
  return new PromptError('refused', {
    where: server.where,
    problem,
    fix: 'see what the server says; extra_body changes what is sent, and null in it leaves a field out',
  })
}
