import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/**
 * The host's end of the protocol with the runner inside Deno; `sandbox/sealed-lines.ts` is the other end. Code can always reach the pipes of
 * its process, but not the key, which the runner receives before the thread for code exists. So code cannot read lines from the pipe, forge
 * lines of the runner, or reflect the lines of one end as those of the other.
 */
export function sealLine(key: Uint8Array, message: object): string {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from('host'))
  const sealed = [sealing.update(JSON.stringify(message), 'utf8'), sealing.final(), sealing.getAuthTag()]
  return Buffer.concat([nonce, ...sealed]).toString('base64')
}

/** Decrypts a line of the runner; undefined for any other line. */
export function openLine(key: Uint8Array, line: string): unknown {
  const bytes = Buffer.from(line, 'base64')
  if (bytes.length < nonceLength + tagLength) return undefined
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceLength))
    .setAAD(Buffer.from('runner'))
    .setAuthTag(bytes.subarray(-tagLength))
  try {
    const text = Buffer.concat([opening.update(bytes.subarray(nonceLength, -tagLength)), opening.final()]).toString('utf8')
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
