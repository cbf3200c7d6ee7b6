import { closeSync, readSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { GgufMetadata, GgufValue } from '../../../model/gguf/gguf-metadata.ts'
import { openRegular } from '../../regular-file.ts'

/** Metadata precedes the weights; vocabularies make it several megabytes long. */
const mostBytes = 256 * 1024 * 1024

/** Nested lists are legal but unused in practice. */
const mostDepth = 16

/** Across all lists; the largest vocabularies have a million tokens, each with a score and a type. */
const mostItems = 1 << 25

/** Reads a GGUF file's metadata. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
export function readGgufMetadata(path: string): GgufMetadata {
  const file = openRegular(path)
  try {
    for (let size = 1 << 20; ; size *= 4) {
      const buffer = Buffer.alloc(Math.min(size, mostBytes))
      const read = readSync(file, buffer, 0, buffer.length, 0)
      const found = parseMetadata(buffer.subarray(0, read), path)
      if (found !== undefined) return found
      if (read < buffer.length || size >= mostBytes) throw badFile(path, 'its metadata is truncated')
    }
  } finally {
    closeSync(file)
  }
}

/** Whether the start of a GGUF file has all of its metadata. */
export function holdsMetadata(start: Uint8Array, path: string): boolean {
  if (start.length >= mostBytes) throw badFile(path, 'its metadata is too long')
  return parseMetadata(Buffer.from(start.buffer, start.byteOffset, start.length), path) !== undefined
}

/** Undefined if more bytes are needed. */
function parseMetadata(bytes: Buffer, path: string): Map<string, GgufValue> | undefined {
  if (bytes.length < 24) throw badFile(path, 'it is too short')
  if (bytes.toString('latin1', 0, 4) !== 'GGUF') throw badFile(path, 'it does not begin with "GGUF"')
  const version = bytes.readUInt32LE(4)
  if (version < 2 || version > 3) throw badFile(path, `version ${version} of the format is not supported`)
  let at = 16
  let items = 0
  const more = Symbol('more')
  const need = (count: number): number => {
    if (at + count > bytes.length) throw more
    at += count
    return at - count
  }
  const length = (): number => Number(bytes.readBigUInt64LE(need(8)))
  const text = (): string => {
    const size = length()
    if (size > mostBytes) throw badFile(path, 'a string is too long')
    const start = need(size)
    return bytes.toString('utf8', start, start + size)
  }
  const value = (type: number, depth = 0): GgufValue => {
    switch (type) {
      case 0:
        return bytes.readUInt8(need(1))
      case 1:
        return bytes.readInt8(need(1))
      case 2:
        return bytes.readUInt16LE(need(2))
      case 3:
        return bytes.readInt16LE(need(2))
      case 4:
        return bytes.readUInt32LE(need(4))
      case 5:
        return bytes.readInt32LE(need(4))
      case 6:
        return bytes.readFloatLE(need(4))
      case 7:
        return bytes.readUInt8(need(1)) !== 0
      case 8:
        return text()
      case 9:
        return array(depth + 1)
      case 10:
        return bytes.readBigUInt64LE(need(8))
      case 11:
        return bytes.readBigInt64LE(need(8))
      case 12:
        return bytes.readDoubleLE(need(8))
      default:
        throw badFile(path, `a value has the unknown type ${type}`)
    }
  }
  const array = (depth: number): readonly GgufValue[] => {
    if (depth > mostDepth) throw badFile(path, `lists are nested more than ${mostDepth} levels deep`)
    const type = bytes.readUInt32LE(need(4))
    const count = length()
    items += count
    if (items > mostItems) throw badFile(path, 'its lists are too long')
    const list: GgufValue[] = []
    for (let index = 0; index < count; index++) list.push(value(type, depth))
    return list
  }
  try {
    const count = length()
    const metadata = new Map<string, GgufValue>()
    for (let index = 0; index < count; index++) {
      const key = text()
      metadata.set(key, value(bytes.readUInt32LE(need(4))))
    }
    return metadata
  } catch (error) {
    if (error === more) return undefined
    throw error
  }
}

function badFile(where: string, problem: string): PromptError {
  return new PromptError('bad-gguf', { where, problem: `this is not a valid GGUF file: ${problem}`, fix: 'check that it is complete' })
}
