import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'

/** The hash of a file as hubs give it: plain SHA-256 (64 digits), or Git's SHA-1 (40), which covers a header with the size. */
export async function fileHash(path: string, digits: 40 | 64 = 64): Promise<string> {
  const hash = digits === 64 ? createHash('sha256') : createHash('sha1').update(`blob ${statSync(path).size}\0`)
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
