/** Base64 with the functions available in Deno. */
type Base64Bytes = Uint8Array & { toBase64(): string }
type Base64Class = { fromBase64(text: string): Uint8Array<ArrayBuffer> }

export function toBase64(bytes: Uint8Array): string {
  return (bytes as Base64Bytes).toBase64()
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  // TypeScript does not declare `Uint8Array.fromBase64` for this target; Deno has it.
  return (Uint8Array as unknown as Base64Class).fromBase64(text)
}
