import type { ErrorShape } from '../api-error.ts'
import { anthropicOverflow, overflowCode } from '../context-overflow.ts'

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** Anthropic's error shape. */
export const messagesError: ErrorShape = (error, requestId) => ({
  type: 'error',
  error: {
    type: types[error.status] ?? (error.status < 500 ? 'invalid_request_error' : 'api_error'),
    message: error.code === overflowCode ? anthropicOverflow(error) : error.message,
  },
  request_id: requestId ?? null,
})
