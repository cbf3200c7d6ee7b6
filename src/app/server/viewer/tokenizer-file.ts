import { readFileSync } from 'node:fs'
import { readGgufMetadata } from '../../node/models/gguf/read-gguf.ts'

/** A tokenizer's file as the page reads it; of a GGUF file, which has gigabytes, only the vocabulary, as JSON. */
export function tokenizerFile(path: string): Uint8Array<ArrayBuffer> {
  if (!path.endsWith('.gguf')) return new Uint8Array(readFileSync(path))
  const entries = [...readGgufMetadata(path)].filter(([key]) => key.startsWith('tokenizer.ggml.'))
  return new TextEncoder().encode(JSON.stringify(entries, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))
}
