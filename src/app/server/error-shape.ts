import type { ApiError } from './api-error.ts'

/** How a protocol writes an error. `requestId` is what the log calls the request. */
export type ErrorShape = (error: ApiError, requestId?: string) => object

/** As OpenAI's servers do, and all that imitate them. */
export const openaiError: ErrorShape = (error) => error.body()
