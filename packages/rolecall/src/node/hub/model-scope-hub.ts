import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { boundedPages } from './bounded-pages.ts'
import { fileHash } from './file-hash.ts'
import { HubClient } from './hub-client.ts'
import { hubError } from './hub-errors.ts'
import type { HubName } from './hub-name.ts'
import type { HubSettings } from './hub-settings.ts'
import { fileSize, type HubCache, type HubSite, type RepoFile } from './hub-site.ts'
import { ownFolder, readTree, textOf, writeTree } from './hugging-face-cache.ts'

const filesSchema = z.object({
  Data: z.object({
    Files: z.array(z.object({ Path: z.string(), Type: z.string(), Size: fileSize, Sha256: z.string().nullish() })),
    TotalCount: z.number().optional(),
  }),
})

const pageSize = 200

/** ModelScope: another list of files, a token in a cookie, and a cache without blobs. */
export function modelScope(settings: HubSettings, unreachable?: Map<string, string>): HubSite {
  const authorise = (token: string) => ({ cookie: `m_session_id=${token}`, authorization: `Bearer ${token}` })
  const client = new HubClient(settings, authorise, unreachable)
  const revisionOf = (name: HubName) => name.revision ?? 'master'
  const site: HubSite = {
    title: 'ModelScope',
    variables: { endpoint: 'MODELSCOPE_ENDPOINT', token: 'MODELSCOPE_API_TOKEN' },
    client,
    cache: modelScopeCache(settings),
    page: ({ kind, id }) => `${settings.endpoint}/${kind}/${id}`,
    address: (name, _commit, path) => {
      const query = new URLSearchParams({ Revision: revisionOf(name), FilePath: path })
      return `api/v1/${name.kind}/${name.id}/repo?${query}`
    },
    async list(name) {
      const isModel = name.kind === 'models'
      const addressOf = (page: number) => {
        const query = new URLSearchParams({ Revision: revisionOf(name), Recursive: 'True' })
        if (!isModel)
          for (const [key, value] of Object.entries({ Root: '/', PageNumber: page, PageSize: pageSize })) query.set(key, String(value))
        return `api/v1/${name.kind}/${name.id}/repo/${isModel ? 'files' : 'tree'}?${query}`
      }
      let page = 1
      let count = 0
      const files = await boundedPages(addressOf(page), async (address) => {
        const { body, reply } = await client.json(address, filesSchema)
        if (body === undefined) throw hubError(site, name, reply, settings)
        const { Files: listed, TotalCount: total } = body.Data
        const found = listed.flatMap(({ Path: path, Type: type, Size: size, Sha256: sha }): RepoFile[] =>
          type === 'blob' ? [{ path, size, etag: hashOf(sha) }] : [],
        )
        count += found.length
        const isLast = isModel || listed.length < pageSize || count >= (total ?? 0)
        return { files: found, next: isLast ? undefined : addressOf(++page) }
      })
      return { commit: revisionOf(name), files }
    },
  }
  return site
}

/** A hash becomes a part of paths in the cache; without one, a file is checked by its size. */
function hashOf(given: string | null | undefined): string {
  return /^[0-9a-f]{64}$/i.test(given ?? '') ? given!.toLowerCase() : ''
}

/** `KIND/ORG--NAME/snapshots/REVISION/PATH` of ModelScope 2; files of 1.x, at `KIND/ORG/NAME/PATH`, are found too. */
function modelScopeCache({ cache }: Pick<HubSettings, 'cache'>): HubCache {
  const newest = ({ kind, id }: HubName, revision: string) => join(cache, kind, id.replaceAll('/', '--'), 'snapshots', revision)
  const older = ({ kind, id }: HubName) => {
    const [org, name] = id.split('/') as [string, string]
    return [join(cache, kind), join(cache, 'hub', kind)].map((root) => join(root, org, name.replaceAll('.', '___')))
  }
  const treeOf = ({ kind, id }: HubName, revision: string) =>
    join(cache, kind, id.replaceAll('/', '--'), ownFolder, `${revision.replaceAll('/', '--')}.json`)
  const folders = (name: HubName) => [
    newest(name, name.revision ?? 'master'),
    ...((name.revision ?? 'master') === 'master' ? older(name) : []),
  ]
  return {
    snapshot: newest,
    listing(name) {
      const commit = name.revision ?? 'master'
      const tree = readTree(textOf(treeOf(name, commit)))
      if (tree !== undefined) return { commit, files: tree }
      const found = folders(name).filter((one) => existsSync(one))
      if (found.length === 0) return undefined
      const files = new Map(found.reverse().flatMap((folder) => filesBelow(folder).map((file) => [file.path, file] as const)))
      return { commit, files: [...files.values()], isPartial: true }
    },
    records: (name, commit) => [treeOf(name, commit)].filter((file) => existsSync(file)),
    remember(name, { commit, files }) {
      // Files without a hash cannot be stored: what is on the disk says more then.
      if (files.every(({ etag }) => etag !== '')) writeTree(treeOf(name, commit), files)
    },
    async find(name, revision, file) {
      for (const folder of folders(name)) {
        const place = join(folder, file.path)
        if (statSync(place, { throwIfNoEntry: false })?.size !== file.size) continue
        if (file.etag === '' || (await fileHash(place)) === file.etag) return together(place, join(newest(name, revision), file.path))
      }
      return undefined
    },
    partial: (name, revision, file) => join(newest(name, revision), file.path),
    keep(name, revision, file, partial) {
      const place = join(newest(name, revision), file.path)
      mkdirSync(dirname(place), { recursive: true })
      renameSync(partial, place)
      return place
    },
    start: ({ kind, id }, revision, file) =>
      join(cache, kind, id.replaceAll('/', '--'), ownFolder, 'starts', file.etag || revision.replaceAll('/', '--'), basename(file.path)),
    noteAbsent() {},
  }
}

/** Files of 1.x join those of 2: a tokenizer and its template must be in one folder. */
function together(found: string, place: string): string {
  if (found === place) return place
  mkdirSync(dirname(place), { recursive: true })
  try {
    linkSync(found, place)
  } catch {
    copyFileSync(found, place)
  }
  return place
}

function filesBelow(folder: string): RepoFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const place = join(entry.parentPath, entry.name)
    const isFile = entry.isFile() && !entry.name.startsWith('.') && !entry.name.endsWith('.incomplete')
    return isFile ? [{ path: relative(folder, place).replaceAll('\\', '/'), size: statSync(place).size, etag: '' }] : []
  })
}
