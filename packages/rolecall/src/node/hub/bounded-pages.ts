import { limits } from '@rolecall/core/internal/errors'
import { HubUnreachable } from './hub-client.ts'
import type { RepoFile } from './hub-site.ts'

/** A page of a list of files, and the address of the next one. */
export type ListedPage = { files: readonly RepoFile[]; next: string | undefined }

/** All files of a list that comes in pages. A hub that has no end of them, or that sends a page again, is broken or hostile. */
export async function boundedPages(first: string, read: (address: string) => Promise<ListedPage>): Promise<RepoFile[]> {
  const files = new Map<string, RepoFile>()
  const seen = new Set<string>()
  for (let address: string | undefined = first; address !== undefined; ) {
    if (seen.has(address)) throw new HubUnreachable('its list of files comes back to a page that was read already')
    if (seen.size >= limits.hubPages) throw new HubUnreachable(`its list of files has more than ${limits.hubPages} pages`)
    seen.add(address)
    const page: ListedPage = await read(address)
    const before = files.size
    for (const file of page.files) files.set(file.path, file)
    if (page.next !== undefined && page.files.length > 0 && files.size === before)
      throw new HubUnreachable('its list of files repeats itself')
    address = page.next
  }
  return [...files.values()]
}
