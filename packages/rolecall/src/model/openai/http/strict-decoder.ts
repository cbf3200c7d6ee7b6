import { BadReply } from './http-client.ts'

/** Decodes streamed UTF-8 and rejects invalid bytes: a silently replaced character would be scored. */
export function strictDecoder(): { decode(chunk?: Uint8Array): string } {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return {
    decode(chunk) {
      try {
        return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
      } catch {
        throw new BadReply('its reply is not UTF-8')
      }
    },
  }
}
