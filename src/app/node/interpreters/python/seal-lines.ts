import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/**
 * The host's end of the protocol with the runner inside Deno; `sandbox/sealed-lines.ts` is the other. Code reaches the pipes of its
 * process, whatever is taken away from its thread. The key it does not reach: the runner is given it before there is a thread for code.
 * So lines that code takes from the pipe are noise to it, lines that it writes are not taken for the runner's, and lines of one end
 * cannot be sent back to it as the other's.
 */
export function sealLine(key: Uint8Array, message: object): string {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from('host'))
  const sealed = [sealing.update(JSON.stringify(message), 'utf8'), sealing.final(), sealing.getAuthTag()]
  return Buffer.concat([nonce, ...sealed]).toString('base64')
}

/** What the runner has sealed; undefined for anything else. */
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
