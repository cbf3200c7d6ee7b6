import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'

/** The hash of a file as its publisher gives it: SHA-256 (64 digits), MD5 (32), or Git's SHA-1 (40), which covers a header with the size. */
export async function fileHash(path: string, digits: 32 | 40 | 64 = 64): Promise<string> {
  const hash = digits === 40 ? createHash('sha1').update(`blob ${statSync(path).size}\0`) : createHash(digits === 64 ? 'sha256' : 'md5')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
