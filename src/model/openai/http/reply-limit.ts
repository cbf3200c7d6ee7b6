import { limits } from '../../../base/errors/limits.ts'

/** The most that a reply may have and take in all, from its first byte on. */
export type ReplyLimit = { bytes: number; milliseconds: number }

/** What a reply may have by what was asked for: servers that send without end, or a byte a minute, are given up. */
export function replyLimit(tokens: number, timeout: number): ReplyLimit {
  return {
    bytes: limits.replyBytes.value + tokens * limits.replyBytesPerToken.value,
    milliseconds: timeout + tokens * limits.replyMillisecondsPerToken.value,
  }
}

/** What is said of a reply that goes beyond its limit. */
export function beyondLimit({ bytes, milliseconds }: ReplyLimit, what: 'bytes' | 'milliseconds'): string {
  return what === 'bytes'
    ? `its answer has more than ${Math.ceil(bytes / 1024)} kB, which is more than was asked for`
    : `its answer was not complete after ${Math.ceil(milliseconds / 1000)} s`
}
