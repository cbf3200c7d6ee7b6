import { PromptError } from '../../base/errors/prompt-error.ts'
import { tellClient } from './to-client-error.ts'

export type ApiErrorDetails = {
  message: string
  /** The field of the request that is to blame. */
  param?: string | undefined
  code?: string | undefined
  /** By default as OpenAI names it for the status. */
  type?: string
  headers?: Readonly<Record<string, string>>
}

/** An answer that is an error, in the shape that clients of OpenAI know. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly param: string | undefined
  readonly code: string | undefined
  readonly type: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly status: number,
    { message, param, code, type = typeOf(status), headers = {} }: ApiErrorDetails,
  ) {
    super(message)
    this.param = param
    this.code = code
    this.type = type
    this.headers = headers
  }

  body() {
    return { error: { message: this.message, type: this.type, param: this.param ?? null, code: this.code ?? null } }
  }

  /** `body`: as another protocol writes it. */
  response(body: object = this.body()): Response {
    const headers = { 'content-type': 'application/json; charset=utf-8', ...this.headers }
    return new Response(JSON.stringify(body), { status: this.status, headers })
  }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** Whether those who run the server should hear of it. */
export function isOurs(error: unknown): boolean {
  return toApiError(error).status >= 500 && !(error instanceof ApiError)
}

/**
 * What a client is told of an error: its own mistakes with what it can do about them, and of ours only that there was one.
 * What went wrong is for those who run the server.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const told = error instanceof PromptError ? tellClient(error) : undefined
  if (told) return new ApiError(told.status, told)
  return new ApiError(500, { message: 'the server failed to answer; its log says why', code: 'internal_error' })
}
