import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { staysInside } from '../stays-inside.ts'
import type { HubName } from './hub-name.ts'
import type { HubSettings } from './hub-settings.ts'
import type { HubCache, RepoFile } from './hub-site.ts'

/** What only we write in the folder of a repository. */
export const ownFolder = '.rolecall'

const commitPattern = /^[0-9a-f]{40}$/

/** A hash, which names a blob. */
export const blobHash = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)

/** `trees/COMMIT.json`, as huggingface_hub writes it. */
const treeSchema = z.object({
  format_version: z.literal(1),
  files: z.record(z.string().refine(staysInside), z.object({ size: z.number(), blob_id: blobHash, lfs_sha256: blobHash.optional() })),
})

/**
 * The cache of huggingface_hub, read and written as Python does: `blobs/ETAG`, `refs/REVISION`, `snapshots/COMMIT/PATH` as relative links,
 * `.no_exist/COMMIT/PATH`. Without links, snapshots hold the files. Listings are read from `trees/`, but written to `.rolecall/`: Python
 * refuses a snapshot that lacks files of its listing, as ours do.
 * @see https://huggingface.co/docs/hub/local-cache
 */
export function huggingFaceCache({ cache, links }: Pick<HubSettings, 'cache' | 'links'>): HubCache {
  const folderOf = ({ kind, id }: HubName) => join(cache, `${kind}--${id.replaceAll('/', '--')}`)
  const snapshot = (name: HubName, commit: string) => join(folderOf(name), 'snapshots', commit)
  const commitOf = (name: HubName): string | undefined => {
    const revision = name.revision ?? 'main'
    if (commitPattern.test(revision)) return revision
    const commit = textOf(join(folderOf(name), 'refs', revision))?.trim()
    return commit !== undefined && commitPattern.test(commit) ? commit : undefined
  }
  return {
    snapshot,
    records(name, commit) {
      const ref = name.revision === commit ? [] : [join(folderOf(name), 'refs', name.revision ?? 'main')]
      return [...ref, join(folderOf(name), ownFolder, `${commit}.json`), join(folderOf(name), '.no_exist', commit)].filter((file) =>
        existsSync(file),
      )
    },
    listing(name) {
      const commit = commitOf(name)
      if (commit === undefined) return undefined
      const tree = ['trees', ownFolder].map((one) => readTree(textOf(join(folderOf(name), one, `${commit}.json`)))).find(Boolean)
      const folder = snapshot(name, commit)
      if (tree === undefined && !existsSync(folder)) return undefined
      return tree === undefined ? { commit, files: filesIn(folder), isPartial: true } : { commit, files: tree }
    },
    remember(name, { commit, files }) {
      writeTree(join(folderOf(name), ownFolder, `${commit}.json`), files)
      if (name.revision !== commit) writeWhole(join(folderOf(name), 'refs', name.revision ?? 'main'), commit)
    },
    async find(name, commit, file) {
      const place = join(snapshot(name, commit), file.path)
      if (existsSync(place)) return place
      const blob = join(folderOf(name), 'blobs', file.etag)
      if (file.etag === '' || !existsSync(blob)) return undefined
      return link(blob, place, { links, isNew: false })
    },
    partial: (name, _commit, file) => join(folderOf(name), 'blobs', file.etag),
    keep(name, commit, file, partial) {
      const place = join(snapshot(name, commit), file.path)
      const lock = join(cache, '.locks', `${name.kind}--${name.id.replaceAll('/', '--')}`, `${file.etag}.lock`)
      mkdirSync(dirname(lock), { recursive: true })
      writeFileSync(lock, '', { flag: 'a' })
      if (!links) return move(partial, place)
      const blob = join(folderOf(name), 'blobs', file.etag)
      move(partial, blob)
      return link(blob, place, { links, isNew: true })
    },
    start: (name, _commit, file) => join(folderOf(name), ownFolder, 'starts', file.etag, basename(file.path)),
    noteAbsent(name, commit, paths) {
      for (const path of paths) writeWhole(join(folderOf(name), '.no_exist', commit, path), '')
    },
  }
}

/** Without links, a new blob is moved, but one that was there is copied: other snapshots may link to it. */
function link(blob: string, place: string, { links, isNew }: { links: boolean; isNew: boolean }): string {
  const put = isNew ? move : copy
  mkdirSync(dirname(place), { recursive: true })
  if (!links) return put(blob, place)
  const temporary = `${place}.${randomBytes(4).toString('hex')}.link`
  try {
    symlinkSync(relative(dirname(place), blob), temporary)
    renameSync(temporary, place)
    return place
  } catch (error) {
    // Windows without the right to make links.
    if (!['EPERM', 'ENOSYS', 'EACCES', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return put(blob, place)
  }
}

function copy(from: string, to: string): string {
  const temporary = `${to}.${randomBytes(4).toString('hex')}.incomplete`
  copyFileSync(from, temporary)
  renameSync(temporary, to)
  return to
}

function move(from: string, to: string): string {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
  return to
}

/** Stores the files of a commit as huggingface_hub does; files without a hash are left out. */
export function writeTree(file: string, files: readonly RepoFile[]): void {
  const entries = files
    .filter(({ etag }) => etag !== '')
    .map(({ path, size, etag }) => [path, { size, blob_id: etag, ...(etag.length === 64 ? { lfs_sha256: etag, lfs_size: size } : {}) }])
  writeWhole(file, JSON.stringify({ format_version: 1, files: Object.fromEntries(entries) }))
}

/** Writes a file under its name only when it is complete. */
function writeWhole(file: string, text: string): void {
  if (textOf(file) === text) return
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${randomBytes(4).toString('hex')}.incomplete`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The files that `writeTree` stored; undefined if the text is missing or not such a list. */
export function readTree(text: string | undefined): RepoFile[] | undefined {
  try {
    const { files } = treeSchema.parse(JSON.parse(text ?? ''))
    return Object.entries(files).map(([path, { size, blob_id: blob, lfs_sha256: sha }]) => ({ path, size, etag: sha ?? blob }))
  } catch {
    return undefined
  }
}

/** The files of a snapshot that another program downloaded, which may be a part of the repository. */
function filesIn(folder: string): RepoFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && existsSync(join(entry.parentPath, entry.name)))
    .map((entry) => {
      const place = join(entry.parentPath, entry.name)
      const path = relative(folder, place).replaceAll('\\', '/')
      // A link leads to the blob, whose name is the hash.
      const name = basename(realpathSync(place))
      return { path, size: statSync(place).size, etag: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name) ? name : '' }
    })
}

export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
