import { readSync } from 'node:fs'
import { outcomeBits } from '../../../evaluation/run/record/outcome.ts'
import { keyWords } from './key-table.ts'
import type { RecordIndex } from './record-index.ts'

const newline = 0x0a
const blockSize = 1 << 20

/** No record is longer than 256 MiB; JavaScript's strings end at twice that. */
const longestLine = 1 << 28

/**
 * Adds the complete lines after what the index covers and returns where they end; at most one partial line follows. Lines that are not
 * records (bytes left by a crash, or lines that are too long) are skipped and counted.
 */
export function scanRecords(descriptor: number, index: RecordIndex, longest = longestLine): { end: number; bad: number } {
  let [end, bad] = [index.covered, 0]
  // The start of a line that spans blocks, joined once. Of one that is too long, only the length is kept.
  let [parts, held]: [Buffer[], number] = [[], 0]
  const block = Buffer.allocUnsafe(blockSize)
  for (let position = end; ; ) {
    const read = readSync(descriptor, block, 0, blockSize, position)
    if (read === 0) break
    position += read
    const bytes = block.subarray(0, read)
    let start = 0
    for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, start)) {
      const last = bytes.subarray(start, stop)
      const length = held + last.length + 1
      if (length > longest || !addLine(parts.length === 0 ? last : Buffer.concat([...parts, last]), end, length, index)) bad++
      end += length
      start = stop + 1
      parts = []
      held = 0
    }
    held += read - start
    if (held > longest) parts = []
    else if (start < read) parts.push(Buffer.from(bytes.subarray(start)))
  }
  index.covered = end
  return { end, bad }
}

function addLine(line: Buffer, offset: number, length: number, index: RecordIndex): boolean {
  try {
    const { id, key, score, error, outcome, prediction } = JSON.parse(
      line.toString('utf8').replace(/\b(?:NaN|-?Infinity)\b/g, 'null'),
    ) as Record<string, unknown>
    if (!Number.isInteger(id) || (id as number) < 0 || typeof key !== 'string') return false
    index.add({
      id: id as number,
      offset,
      length,
      key: keyWords(key),
      score: typeof score === 'number' ? score : Number.NaN,
      failed: error !== undefined,
      outcomes: outcomeBits({ outcome, error, prediction }),
    })
    return true
  } catch {
    return false
  }
}
