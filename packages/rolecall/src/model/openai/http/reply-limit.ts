import { limits } from '@rolecall/core/internal/errors'

/** The maximum size and duration of a reply, from its first byte on. */
export type ReplyLimit = { bytes: number; milliseconds: number }

/** The limits of a reply, by the requested tokens: gives up on servers that stream endlessly, or a byte a minute. */
export function replyLimit(tokens: number, timeout: number): ReplyLimit {
  return {
    bytes: limits.replyBytes + tokens * limits.replyBytesPerToken,
    milliseconds: timeout + tokens * limits.replyMillisecondsPerToken,
  }
}

/** The message for a reply that exceeds its limit. */
export function beyondLimit({ bytes, milliseconds }: ReplyLimit, what: 'bytes' | 'milliseconds'): string {
  return what === 'bytes'
    ? `its answer has more than ${Math.ceil(bytes / 1024)} kB, which is more than requested`
    : `its answer was not complete after ${Math.ceil(milliseconds / 1000)} s`
}
