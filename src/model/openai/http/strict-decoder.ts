import { BadReply } from './http-client.ts'

/** Reads UTF-8 as it comes, and refuses what is none: a character that was replaced in silence would be scored. */
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
