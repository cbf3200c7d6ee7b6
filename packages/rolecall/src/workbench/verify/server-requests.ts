import { PromptError } from '@rolecall/core/internal/errors'
import { type HttpClient, HttpFailure } from '../../model/openai/http/http-client.ts'

/** A server's reply: JSON, or the problem. */
export type Answered = { status: number; json: unknown } | { status: number; problem: string }

const seconds = 1000

/** Sends a limited number of requests to a server. Error replies are data; an unreachable server throws. */
export class ServerRequests {
  used = 0

  constructor(
    private readonly client: HttpClient,
    /** The server's address without a path. */
    readonly root: string,
    private readonly headers: Readonly<Record<string, string>>,
    readonly most: number,
  ) {}

  get left(): number {
    return this.most - this.used
  }

  get(path: string): Promise<Answered> {
    return this.#ask('GET', path)
  }

  post(path: string, body: object): Promise<Answered> {
    return this.#ask('POST', path, JSON.stringify(body))
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: string): Promise<Answered> {
    this.used++
    const url = `${this.root}${path}`
    try {
      const reply = await this.client({
        url,
        method,
        headers: { ...this.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
        timeout: 60 * seconds,
        limit: { bytes: 2 ** 24, milliseconds: 120 * seconds },
      })
      const text = await reply.text()
      return reply.status < 400 ? parsed(reply.status, text) : { status: reply.status, problem: messageIn(text) }
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      throw new PromptError('server-failed', {
        where: url,
        problem: error.message,
        fix: 'check the address and that the server is running; the key comes from the variable given by --key-env',
      })
    }
  }
}

function parsed(status: number, text: string): Answered {
  try {
    return { status, json: JSON.parse(text) as unknown }
  } catch {
    return { status, problem: 'its reply is not JSON' }
  }
}

/** Extracts the error message from the formats servers use. */
function messageIn(text: string): string {
  try {
    const { error, detail, message } = JSON.parse(text) as { error?: unknown; detail?: unknown; message?: unknown }
    const found = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : (error ?? message ?? detail)
    if (typeof found === 'string') return found
  } catch {
    // Not JSON: use the text itself.
  }
  return text.slice(0, 300)
}
