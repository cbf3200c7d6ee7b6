import { createHash } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from '../../evaluation/dataset/retrieve/embedder.ts'
import type { Vectors } from '../../evaluation/dataset/retrieve/vector-table.ts'
import { readWholeFile } from '../read-whole-file.ts'
import { makeFolder } from '../runs/disk-error.ts'
import { markUsed } from '../runs/shrink-cache.ts'

/** Only batches are cached: the example rows, and questions that are embedded together. */
const fewest = 2

/**
 * Caches the embeddings of a list of texts in a folder, keyed by embedder and texts, so that rows are embedded once across
 * runs. Unreadable or unwritable cache files only cost time.
 */
export function cachedEmbedder(embed: Embedder, identity: string, folder: string): Embedder {
  return async (texts, onDone) => {
    if (texts.length < fewest) return embed(texts, onDone)
    const hash = createHash('sha256').update(identity)
    for (const text of texts) hash.update(`\0${Buffer.byteLength(text)}\0`).update(text)
    const file = join(folder, `${hash.digest('hex').slice(0, 32)}.f64`)
    const known = readVectors(file, texts.length)
    if (known) return known
    const vectors = await embed(texts, onDone)
    writeVectors(file, folder, vectors)
    return vectors
  }
}

/** Of a million texts. */
const mostBytes = 2 ** 31

/** The file is the concatenated vectors, all of the same length. */
function readVectors(file: string, count: number): number[][] | undefined {
  if (!existsSync(file)) return undefined
  try {
    const bytes = readWholeFile(file, mostBytes)
    markUsed(file)
    const size = bytes.length / 8 / count
    if (!Number.isInteger(size) || size === 0) return undefined
    const values = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    return Array.from({ length: count }, (_, index) => [...values.subarray(index * size, (index + 1) * size)])
  } catch {
    return undefined
  }
}

function writeVectors(file: string, folder: string, vectors: Vectors): void {
  const size = vectors[0]?.length ?? 0
  if (size === 0 || vectors.some((vector) => vector.length !== size)) return
  const values = new Float64Array(vectors.length * size)
  for (const [index, vector] of vectors.entries()) values.set(vector, index * size)
  const part = `${file}.${process.pid}`
  try {
    makeFolder(folder)
    writeFileSync(part, Buffer.from(values.buffer))
    // Atomic, even if two runs write at once.
    renameSync(part, file)
  } catch {
    if (existsSync(part)) rmSync(part, { force: true })
  }
}
