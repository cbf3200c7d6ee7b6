import { readdir, readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { compareCodePoints } from '../../../base/python/values/strings.ts'
import type { Files } from '../../../compat/opencompass/loaders/files.ts'

/**
 * The file system for loaders. Relative paths are resolved against the working folder, as OpenCompass does, then against the
 * config's folder.
 */
export function diskFiles(folder: string, working = process.cwd()): Files {
  const kindOf = async (path: string) => {
    const found = await stat(path).catch(() => undefined)
    return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : undefined
  }
  const placeOf = async (path: string) => {
    const [first, second] = [resolve(working, path), resolve(folder, path)]
    return first === second || (await kindOf(first)) !== undefined ? first : second
  }
  return {
    environment: process.env,
    async kind(path) {
      const kind = await kindOf(await placeOf(path))
      return kind === 'file' && path.endsWith('/') ? undefined : kind
    },
    async bytes(path) {
      const place = await placeOf(path)
      return (await kindOf(place)) === 'file' ? readFile(place) : undefined
    },
    async names(path) {
      const place = await placeOf(path)
      return (await kindOf(place)) === 'folder' ? (await readdir(place)).sort(compareCodePoints) : undefined
    },
  }
}
