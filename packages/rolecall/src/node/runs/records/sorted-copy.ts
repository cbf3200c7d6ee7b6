import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import type { LineReader } from './line-reader.ts'
import { RecordIndex } from './record-index.ts'

const blockSize = 1 << 20
/** Neighbouring lines are copied together up to about this size. */
const mostCopied = 1 << 19

/**
 * Copies the latest line of each row to a new file, in the order of rows, and returns its index. `placeOf` has the place of each row's line,
 * + 1. Most rows end in that order, so that few stretches of the file have to be read.
 */
export function copySorted(lines: LineReader, index: RecordIndex, placeOf: Uint32Array, file: string): RecordIndex {
  const target = openSync(file, 'w')
  const sorted = new RecordIndex()
  let block = Buffer.allocUnsafe(blockSize)
  let [used, start, end] = [0, 0, 0]
  const flush = () => {
    for (let written = 0; written < used; ) written += writeSync(target, block, written, used - written)
    used = 0
  }
  const copy = () => {
    const length = end - start
    if (used + length > block.length) flush()
    if (length > block.length) block = Buffer.allocUnsafe(length)
    lines.copy(start, length, block, used)
    used += length
  }
  try {
    for (const known of placeOf) {
      if (known === 0) continue
      const offset = index.offsetAt(known - 1)
      if (offset !== end || end - start > mostCopied) {
        copy()
        start = offset
      }
      end = offset + index.lengthAt(known - 1)
      sorted.addCopy(index, known - 1)
    }
    copy()
    flush()
    fdatasyncSync(target)
  } catch (error) {
    // Remove the partial copy: the disk may be full.
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(target)
  }
  return sorted
}
