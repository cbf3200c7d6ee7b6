import { closeSync, readSync } from 'node:fs'
import type { GgufMetadata } from '../../../model/gguf/gguf-metadata.ts'
import { badGguf, mostGgufBytes, parseGguf } from '../../../model/gguf/parse-gguf.ts'
import { openRegular } from '../../regular-file.ts'

/** Reads a GGUF file's metadata. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
export function readGgufMetadata(path: string): GgufMetadata {
  const file = openRegular(path)
  try {
    for (let size = 1 << 20; ; size *= 4) {
      const buffer = Buffer.alloc(Math.min(size, mostGgufBytes))
      const read = readSync(file, buffer, 0, buffer.length, 0)
      const found = parseGguf(buffer.subarray(0, read), path)
      if (found !== undefined) return found
      if (read < buffer.length || size >= mostGgufBytes) throw badGguf(path, 'its metadata is truncated')
    }
  } finally {
    closeSync(file)
  }
}

/** Whether the start of a GGUF file has all of its metadata. */
export function holdsMetadata(start: Uint8Array, path: string): boolean {
  if (start.length >= mostGgufBytes) throw badGguf(path, 'its metadata is too long')
  return parseGguf(start, path) !== undefined
}
