import { isUtf8 } from 'node:buffer'
import { PromptError } from '@rolecall/core/internal/errors'
import { readWholeFile } from '../read-whole-file.ts'

/** Reads a UTF-8 text file without its byte order mark; throws a `PromptError` if it is unreadable or not text. */
export function readText(file: string, where: string): string {
  const bytes = bytesOf(file, where)
  const text = bytes.toString('utf8')
  if (!isUtf8(bytes) || text.includes('\0'))
    throw new PromptError('bad-config', {
      where,
      problem: `this is not text in UTF-8 (byte ${firstBadByte(bytes)} of ${bytes.length})`,
      fix: 'choose a text file, or save it as UTF-8',
    })
  // Windows editors write a byte order mark.
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function bytesOf(file: string, where: string): Buffer {
  try {
    return readWholeFile(file)
  } catch (error) {
    if (error instanceof PromptError) throw error
    throw fileError(error, where)
  }
}

/** The `PromptError` for a file that could not be opened. */
export function fileError(error: unknown, where: string): PromptError {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new PromptError('no-file', {
        where,
        problem: 'there is no such file',
        fix: 'check the path, or write a config with `rolecall init`',
      })
    case 'EISDIR':
      return new PromptError('bad-config', { where, problem: 'this is a folder, not a file', fix: 'choose the config file in it' })
    case 'EACCES':
    case 'EPERM':
      return new PromptError('bad-config', {
        where,
        problem: `permission denied (${code})`,
        fix: 'allow this user to read it: chmod u+r, or see who owns it',
      })
    default:
      return new PromptError('bad-config', {
        where,
        problem: `the file cannot be read (${code ?? message})`,
        fix: 'check the file and the disk it is on',
      })
  }
}

/** The position, from 1, of the first byte that is zero or not valid UTF-8. */
function firstBadByte(bytes: Buffer): number {
  const text = bytes.toString('utf8')
  for (const { index } of text.matchAll(/[\0\ufffd]/g)) {
    const before = Buffer.byteLength(text.slice(0, index))
    // U+FFFD may also be in the file itself.
    if (bytes.toString('hex', before, before + 3) !== 'efbfbd') return before + 1
  }
  return bytes.length
}
