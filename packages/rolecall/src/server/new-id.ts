/**
 * A random id of a call: nine letters and digits, the only form that every chat template writes again when the client sends the call back
 * (Mistral's raise at any other).
 */
export function newCallId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => callIdCharacters[byte % callIdCharacters.length]).join('')
}

const callIdCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random id such as `cmpl-…`, `chatcmpl-…` or `msg_…`. */
export function newId(kind: string, separator = '-'): string {
  return `${kind}${separator}${crypto.randomUUID().replaceAll('-', '')}`
}
