import { isUtf8 } from 'node:buffer'
import { limits, PromptError } from '@rolecall/core/internal/errors'
import { readBytes } from './read-bytes.ts'

/** Complete lines of a file. `broken` lists the lines that are not UTF-8; their text contains U+FFFD. */
export type TextBlock = { text: string; line: number; broken: ReadonlyMap<number, PromptError> }

const newline = 0x0a
const carriageReturn = 0x0d

/** Streams a file as UTF-8 text in blocks of whole lines, without its byte order mark. */
export async function* textBlocks(path: string, mostBytes: number = limits.lineBytes): AsyncGenerator<TextBlock> {
  let line = 1
  let offset = 0
  const block = (bytes: Buffer): TextBlock => {
    if (offset === 0) refuseOtherEncodings(bytes, path)
    const read = decode(bytes, path, line, offset)
    line += countLines(read.text)
    offset += bytes.length
    return read
  }
  // A line spanning many chunks is concatenated once, not per chunk.
  let waiting: Buffer[] = []
  let held = 0
  for await (const chunk of readBytes(path)) {
    const end = lastLineEnd(chunk)
    held += end === 0 ? chunk.length : end
    if (held > mostBytes) throw tooLong(`${path}:${line}`, mostBytes)
    if (end === 0) {
      waiting.push(chunk)
      continue
    }
    yield block(waiting.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...waiting, chunk.subarray(0, end)]))
    waiting = end < chunk.length ? [chunk.subarray(end)] : []
    held = chunk.length - end
  }
  const rest = Buffer.concat(waiting)
  if (rest.length > 0) yield block(rest)
}

/** The position after the last line break; a final CR may be half of a CRLF. */
function lastLineEnd(chunk: Buffer): number {
  const end = chunk.lastIndexOf(newline) + 1
  return end > 0 ? end : chunk.lastIndexOf(carriageReturn, -2) + 1
}

function decode(bytes: Buffer, path: string, line: number, offset: number): TextBlock {
  const text = bytes.toString('utf8')
  const withoutMark = offset === 0 && text.startsWith('\uFEFF') ? text.slice(1) : text
  return { text: withoutMark, line, broken: isUtf8(bytes) ? new Map() : brokenLines(bytes, path, line, offset) }
}

function brokenLines(bytes: Buffer, path: string, firstLine: number, offset: number): Map<number, PromptError> {
  const broken = new Map<number, PromptError>()
  let line = firstLine
  let start = 0
  while (start < bytes.length) {
    const end = lineEnd(bytes, start)
    const part = bytes.subarray(start, end)
    if (!isUtf8(part)) broken.set(line, notUtf8(`${path}:${line}`, offset + start + validLength(part)))
    start = end
    line++
  }
  return broken
}

/** The position after the line that starts at `start`. */
function lineEnd(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] === newline) return at + 1
    if (bytes[at] === carriageReturn) return bytes[at + 1] === newline ? at + 2 : at + 1
  }
  return bytes.length
}

/** The number of leading bytes that are valid UTF-8, by binary search: a prefix of valid UTF-8 is valid up to a truncated character. */
function validLength(bytes: Buffer): number {
  let valid = 0
  let invalid = bytes.length
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isWholeOrCut(bytes.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  while (valid > 0 && !isUtf8(bytes.subarray(0, valid))) valid--
  return valid
}

function isWholeOrCut(bytes: Buffer): boolean {
  return [0, 1, 2, 3].some((cut) => cut <= bytes.length && isUtf8(bytes.subarray(0, bytes.length - cut)))
}

function notUtf8(where: string, byte: number): PromptError {
  return new PromptError('bad-encoding', {
    where,
    problem: `byte ${byte} of the file is not UTF-8`,
    fix: 'save the file as UTF-8, e.g. with iconv -f GB18030 -t UTF-8',
  })
}

/** JavaScript strings cannot be that long. */
function tooLong(where: string, mostBytes: number): PromptError {
  return new PromptError('bad-file', {
    where,
    problem: `the line is longer than ${mostBytes.toLocaleString('en-US')} bytes`,
    fix: 'write one row per line',
  })
}

/** Reports compressed and UTF-16 files with a specific fix. */
function refuseOtherEncodings(bytes: Buffer, path: string): void {
  const [first, second] = bytes
  if (first === 0x1f && second === 0x8b)
    throw new PromptError('bad-encoding', { where: path, problem: 'the file is compressed', fix: 'rename it to end in .gz' })
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new PromptError('bad-encoding', {
      where: path,
      problem: 'the file is UTF-16',
      fix: 'save it as UTF-8, e.g. with iconv -f UTF-16 -t UTF-8',
    })
}

function countLines(text: string): number {
  if (text.includes('\r')) return text.match(/\r\n|\n|\r/g)!.length
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
