import { PromptError } from '@rolecall/core/internal/errors'
import { toClientError } from './to-client-error.ts'

export type ApiErrorDetails = {
  message: string
  /** The request field at fault. */
  param?: string | undefined
  code?: string | undefined
  /** Defaults to OpenAI's type for the status. */
  type?: string
  headers?: Readonly<Record<string, string>>
}

/** An error response in OpenAI's shape. */
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

  /** `body` is given for protocols other than OpenAI's. */
  response(body: object = this.body()): Response {
    const headers = { 'content-type': 'application/json; charset=utf-8', ...this.headers }
    return new Response(JSON.stringify(body), { status: this.status, headers })
  }
}

/** The body of an error response in some protocol; `requestId` is the id in the log. */
export type ErrorShape = (error: ApiError, requestId?: string) => object

export const openaiError: ErrorShape = (error) => error.body()

/** A request field that is invalid or unsupported. */
export function badField(param: string, problem: string, code: 'invalid_value' | 'unsupported' = 'invalid_value'): ApiError {
  return new ApiError(400, { message: `${param}: ${problem}`, param, code })
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** Whether an error belongs in the server's log. */
export function isServerFault(error: unknown): boolean {
  return toApiError(error).status >= 500 && !(error instanceof ApiError)
}

/** Client mistakes come with a fix; internal errors are not disclosed, only logged. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const clientError = error instanceof PromptError ? toClientError(error) : undefined
  if (clientError) return new ApiError(clientError.status, clientError)
  return new ApiError(500, { message: 'internal server error; see the server log', code: 'internal_error' })
}
