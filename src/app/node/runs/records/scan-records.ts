import { readSync } from 'node:fs'
import { outcomeBits } from '../../../../evaluation/run/record/outcome.ts'
import { keyWords } from './key-table.ts'
import type { RecordIndex } from './record-index.ts'

const newline = 0x0a
const blockSize = 1 << 20

/**
 * Adds the complete lines after what the index covers and returns where they end; at most one partial line follows. Lines that are not
 * records (bytes left by a crash) are skipped and counted.
 */
export function scanRecords(descriptor: number, index: RecordIndex): { end: number; bad: number } {
  let [end, bad] = [index.covered, 0]
  let rest = Buffer.alloc(0)
  const block = Buffer.allocUnsafe(blockSize)
  for (let position = end; ; ) {
    const read = readSync(descriptor, block, 0, blockSize, position)
    if (read === 0) break
    position += read
    const bytes = rest.length === 0 ? block.subarray(0, read) : Buffer.concat([rest, block.subarray(0, read)])
    let start = 0
    for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, start)) {
      const length = stop + 1 - start
      if (!addLine(bytes.subarray(start, stop), end, length, index)) bad++
      end += length
      start = stop + 1
    }
    rest = Buffer.from(bytes.subarray(start))
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
