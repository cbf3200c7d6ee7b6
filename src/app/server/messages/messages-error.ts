import type { ApiError } from '../api-error.ts'
import type { ErrorShape } from '../error-shape.ts'

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** Errors as Anthropic's clients know them. */
export const messagesError: ErrorShape = (error: ApiError, requestId?: string) => ({
  type: 'error',
  error: { type: types[error.status] ?? (error.status < 500 ? 'invalid_request_error' : 'api_error'), message: error.message },
  request_id: requestId ?? null,
})
