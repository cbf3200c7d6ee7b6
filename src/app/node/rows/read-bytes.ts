import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { PromptError } from '../../../base/errors/prompt-error.ts'

/** Text of this length dies young: longer ones are put where V8 looks only now and then, and a long file fills the memory. */
const chunkSize = 1 << 16

/** Streams the bytes of a file, unpacked where its name ends in .gz. Whoever stops early closes the file. */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: chunkSize })
  const gunzip = /\.gz$/i.test(path) ? createGunzip({ chunkSize }) : undefined
  // An error of the file ends the unpacking, too, and is thrown by it.
  if (gunzip) pipeline(file, gunzip, () => {})
  try {
    yield* gunzip ?? file
  } catch (error) {
    throw asReadError(error, path)
  } finally {
    file.destroy()
    gunzip?.destroy()
  }
}

function asReadError(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const told = (kind: string, problem: string, fix: string) => new PromptError(kind, { where: path, problem, fix })
  switch (code) {
    case 'ENOENT':
      return told('no-file', 'there is no such file', 'check the path; in a config it is relative to the config file')
    case 'ENOTDIR':
      return told('no-file', 'a part of the path is a file, not a folder', 'check the path; in a config it is relative to the config file')
    case 'EISDIR':
      return told('no-file', 'this is a folder', 'name the file with the rows')
    case 'EACCES':
    case 'EPERM':
      return told('no-file', 'the file may not be read', 'change its permissions')
    case 'Z_BUF_ERROR':
      return told('bad-file', 'the compressed file ends too early', 'copy or download it again')
    case 'Z_DATA_ERROR':
      return told(
        'bad-file',
        `the file cannot be unpacked (${message})`,
        'if it is not compressed, take .gz from its name; else copy it again',
      )
    default:
      return error
  }
}
