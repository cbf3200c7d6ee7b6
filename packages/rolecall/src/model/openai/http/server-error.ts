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
export type Refusal = { status: number; message: string; code?: string; location?: string | undefined }

/** The statuses after which the same request may succeed. */
export function isWorthRetrying(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

/** Too many requests from an account without credit: waiting does not help. */
export function isSpent({ status, code }: Refusal): boolean {
  return status === 429 && code === 'insufficient_quota'
}

/** The error text of the server: OpenAI's error object, FastAPI's `detail`, or the text itself. */
export function readRefusal(status: number, body: string, secrets: readonly string[]): Refusal {
  const { message, code } = messageIn(body)
  return { status, message: printable(message, secrets), ...(typeof code === 'string' ? { code } : {}) }
}

function messageIn(body: string): { message: string; code?: unknown } {
  try {
    const parsed = JSON.parse(body) as Record<string, unknown> | null
    const error = parsed?.error ?? parsed?.detail ?? parsed
    if (typeof error === 'string') return { message: error }
    const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown }
    if (typeof message === 'string') return { message, code }
  } catch {}
  return { message: body }
}

/** Text from a server as part of a line: short, without control characters, without keys. */
export function printable(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '***')
  clean = clean.replace(/[\p{C}\s]+/gu, ' ').trim()
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean
}

/** The error for a request that the server refuses for every row. */
export function refusalError({ status, message, code, location }: Refusal, server: ServerName, others: readonly string[]): PromptError {
  const said = message === '' ? '' : `: "${message}"`
  const problem = `${server.shown} answered ${status}${said}`
  if (isSpent({ status, message, code })) {
    const fix = 'see to the account, and run again: what is done is kept'
    return new PromptError('unauthorized', { where: `${server.where} › key_env`, problem, fix })
  }
  if (status === 401 || status === 403) {
    const fix = server.hasKey
      ? `check the key in the environment variable ${server.keyName}, and whether it may use "${server.model}"`
      : `set the environment variable ${server.keyName} to a key of this server (key_env names another variable)`
    return new PromptError('unauthorized', { where: `${server.where} › key_env`, problem, fix })
  }
  if (status === 404 && (code === 'model_not_found' || /\bmodel\b/i.test(message))) {
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
