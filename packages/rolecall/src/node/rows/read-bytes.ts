import { statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { PromptError, UnpackBudget } from '@rolecall/core/internal/errors'
import { openRegularFile } from '../regular-file.ts'

/** Strings of this size stay in V8's young generation; larger ones are collected late and fill the memory. */
const chunkSize = 1 << 16

/** Streams the bytes of a file, decompressed if its name ends in .gz. Ending the iteration early closes the file. */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const handle = await openRegularFile(path).catch((error: unknown) => {
    throw asReadError(error, path)
  })
  const file = handle.createReadStream({ highWaterMark: chunkSize })
  const gunzip = /\.gz$/i.test(path) ? createGunzip({ chunkSize }) : undefined
  // `pipeline` forwards file errors to the decompressor, which throws them.
  if (gunzip) pipeline(file, gunzip, () => {})
  try {
    if (gunzip) yield* withinBudget(gunzip, path)
    else yield* file
  } catch (error) {
    throw asReadError(error, path)
  } finally {
    file.destroy()
    gunzip?.destroy()
  }
}

async function* withinBudget(unpacked: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  let budget: UnpackBudget | undefined
  for await (const chunk of unpacked) {
    budget ??= new UnpackBudget(path, statSync(path).size)
    budget.take(chunk.length)
    yield chunk
  }
}

/** The error for a file that cannot be opened or decompressed. */
export function asReadError(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const readError = (kind: string, problem: string, fix: string) => new PromptError(kind, { where: path, problem, fix })
  switch (code) {
    case 'ENOENT':
      return readError('no-file', 'there is no such file', 'check the path; in a config it is relative to the config file')
    case 'ENOTDIR':
      return readError(
        'no-file',
        'part of the path is a file, not a folder',
        'check the path; in a config it is relative to the config file',
      )
    case 'EISDIR':
      return readError('no-file', 'this is a folder', 'choose the file with the rows')
    case 'EACCES':
    case 'EPERM':
      return readError('no-file', 'permission denied', 'change the permissions of the file')
    case 'Z_BUF_ERROR':
      return readError('bad-file', 'the compressed file ends too early', 'copy or download it again')
    case 'Z_DATA_ERROR':
      return readError(
        'bad-file',
        `the file cannot be decompressed (${message})`,
        'if it is not compressed, remove .gz from its name; otherwise copy it again',
      )
    default:
      return error
  }
}
