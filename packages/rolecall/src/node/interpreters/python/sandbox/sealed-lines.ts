import { fromBase64, toBase64 } from './base64.ts'

const nonceLength = 12

/** The runner's end of the protocol, in Deno; `seal-lines.ts` is the host's end and explains it. */
export async function sealedLines(key: Uint8Array<ArrayBuffer>) {
  const { subtle } = crypto
  const secret = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
  const how = (iv: Uint8Array<ArrayBuffer>, sender: string) => ({ name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(sender) })
  return {
    async seal(message: object): Promise<string> {
      const iv = crypto.getRandomValues(new Uint8Array(nonceLength))
      const sealed = new Uint8Array(await subtle.encrypt(how(iv, 'runner'), secret, new TextEncoder().encode(JSON.stringify(message))))
      const line = new Uint8Array(nonceLength + sealed.length)
      line.set(iv)
      line.set(sealed, nonceLength)
      return toBase64(line)
    },
    /** Undefined for lines that the host has not sealed. */
    async open(line: string): Promise<unknown> {
      try {
        const bytes = fromBase64(line)
        const opened = await subtle.decrypt(how(bytes.slice(0, nonceLength), 'host'), secret, bytes.subarray(nonceLength))
        return JSON.parse(new TextDecoder().decode(opened))
      } catch {
        return undefined
      }
    },
  }
}
