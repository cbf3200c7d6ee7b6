import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Imports a package that users install themselves: from the folder in ROLECALL_PEERS, from the project that this process
 * was started in, or from beside this library. Undefined where it is nowhere.
 */
export async function importPeer(name: string): Promise<unknown> {
  const file = findPeer(name)
  return file === undefined ? undefined : import(pathToFileURL(file).href)
}

/** The file that importing such a package would load. */
export function findPeer(name: string): string | undefined {
  const folders = [process.env.ROLECALL_PEERS, process.cwd()].flatMap((folder) => (folder ? [join(folder, 'package.json')] : []))
  for (const from of [...folders, import.meta.url]) {
    try {
      return createRequire(from).resolve(name)
    } catch {
      // It may be in the next place.
    }
  }
  return undefined
}
