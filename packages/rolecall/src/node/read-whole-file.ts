import { closeSync, fstatSync, readSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import { openRegular } from './regular-file.ts'

/** Larger than any config, template or vocabulary, and half of what a string can hold. */
const largest = 1 << 28

/** Reads a config, template, vocabulary or a run's file of settings; refuses one that is too large for memory, devices and pipes. */
export function readWholeFile(path: string, most = largest): Buffer {
  const file = openRegular(path)
  try {
    const { size } = fstatSync(file)
    if (size > most) throw tooLarge(path, most)
    const parts: Buffer[] = []
    let length = 0
    for (;;) {
      // A regular file is read at once, and its end is noticed by the next read.
      const part = Buffer.allocUnsafe(Math.max(size - length, 0) + 65_536)
      const read = readSync(file, part)
      if (read === 0) return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts.push(part.subarray(0, read))
      length += read
      if (length > most) throw tooLarge(path, most)
    }
  } finally {
    closeSync(file)
  }
}

/** The same as text in UTF-8. */
export function readWholeText(path: string): string {
  return readWholeFile(path).toString('utf8')
}

function tooLarge(path: string, most: number): PromptError {
  return new PromptError('large-file', {
    where: path,
    problem: `the file is larger than ${(most / 2 ** 20).toLocaleString('en-US')} MiB`,
    fix: 'check that it is the right file: this should be a config, a template or a vocabulary, not data',
  })
}
