import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Imports a package that users install themselves, from the folder in ROLECALL_PEERS, the working folder's project, or the
 * project this library is installed in. Undefined if it is not found.
 */
export async function importPeer(name: string): Promise<unknown> {
  const file = findPeer(name)
  return file === undefined ? undefined : import(pathToFileURL(file).href)
}

/** The entry file of such a package. */
export function findPeer(name: string): string | undefined {
  const folders = [process.env.ROLECALL_PEERS, process.cwd()].flatMap((folder) => (folder ? [join(folder, 'package.json')] : []))
  for (const from of [...folders, import.meta.url]) {
    try {
      return createRequire(from).resolve(name)
    } catch {
      // Try the next folder.
    }
  }
  return undefined
}
