import * as crypto from 'node:crypto'

/** SHA-256 in hexadecimal. */
export const nodeSha256: (text: string | Uint8Array) => string =
  // `crypto.hash` (Node 20.12 and later) is twice as fast as creating a Hash object.
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text)
    : (text) => crypto.createHash('sha256').update(text).digest('hex')
