import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { download, downloadStart, freeSpace } from './download.ts'
import { fileHash } from './file-hash.ts'
import { type HubReply, HubUnreachable } from './hub-client.ts'
import { checkPath, explained, hubError, notCached, placeOf, unreachable } from './hub-errors.ts'
import { type HubLock, isFrozen, lockName, notLocked } from './hub-lock.ts'
import { type HubName, parseHubName, repositoryOf, showHubName } from './hub-name.ts'
import { huggingFaceSettings, modelScopeSettings } from './hub-settings.ts'
import type { HubSite, HubSource, RepoFile, RepoListing } from './hub-site.ts'
import { huggingFace } from './hugging-face-hub.ts'
import { modelScope } from './model-scope-hub.ts'

/** How a hub is used. */
export type HubOptions = {
  /** The commits to use; anything else is an error if they are frozen. */
  lock?: HubLock
  environment?: Readonly<Record<string, string | undefined>>
  /** Listings and failures that several hubs share. */
  memory?: HubMemory
  /** Receives what was assumed: an unreachable hub, a chosen split or file. */
  note?: (note: Note) => void
  onProgress?: (progress: HubProgress) => void
}

/** Listings of repositories, and hosts that cannot be reached: neither is asked for again. */
export type HubMemory = { listings: Map<string, Promise<RepoListing>>; unreachable: Map<string, string> }

/** A download: bytes so far, in all, and free on the disk. */
export type HubProgress = { name: string; file: string; done: number; total: number; free?: number }

/** Local files of a repository. */
export type FetchedFiles = { folder: string; commit: string; paths: ReadonlyMap<string, string> }

const downloads = new Map<string, Promise<void>>()

/** Models and datasets by name. Files are downloaded once, into the cache that Python's clients use, and are checked by size and hash. */
export class Hub {
  readonly #sites: Readonly<Record<HubName['site'], () => HubSite>>
  readonly #opened = new Map<string, HubSite>()
  readonly #listings: Map<string, Promise<RepoListing>>
  readonly #sources = new Map<string, { repository: string; commit: string; files: Record<string, string> }>()
  readonly #lock: HubLock | undefined
  readonly #isFrozen: boolean
  readonly #note: (note: Note) => void
  readonly #onProgress: (progress: HubProgress) => void

  constructor({ environment = process.env, lock, memory, note = () => undefined, onProgress = () => undefined }: HubOptions = {}) {
    this.#listings = memory?.listings ?? new Map()
    this.#lock = lock
    this.#isFrozen = isFrozen(environment)
    this.#note = note
    this.#onProgress = onProgress
    this.#sites = {
      huggingface: () => huggingFace(huggingFaceSettings(environment), memory?.unreachable),
      modelscope: () => modelScope(modelScopeSettings(environment), memory?.unreachable),
    }
  }

  /** The files of a repository at the commit of its revision or lock, from the hub or, if that cannot be reached, from the cache. */
  list(name: HubName): Promise<RepoListing> {
    const pinned = this.#pinned(name)
    const { endpoint, cache } = this.#site(name).client.settings
    const key = `${endpoint}\n${cache}\n${repositoryOf(pinned)}`
    const known = this.#listings.get(key) ?? this.#list(pinned)
    this.#listings.set(key, known)
    return known
  }

  /** The name at the locked commit. */
  #pinned(name: HubName): HubName {
    const commit = this.#lock?.repositories[repositoryOf(name)]?.commit
    if (commit !== undefined) return { ...name, revision: commit }
    if (this.#isFrozen) throw notLocked(repositoryOf(name))
    return name
  }

  async #list(name: HubName): Promise<RepoListing> {
    const site = this.#site(name)
    const cached = site.cache.listing(name)
    const { isOffline } = site.client.settings
    // ModelScope has branches only, which move on.
    const isPinned = cached !== undefined && /^[0-9a-f]{40}$/.test(cached.commit) && name.revision === cached.commit
    if (isPinned && !cached.isPartial) return cached
    if (isOffline && cached === undefined) throw notCached(site, name)
    if (isOffline) return this.#noted(cached!, name)
    try {
      const listing = await site.list(name)
      for (const { path } of listing.files) checkPath(path, name, site)
      site.cache.remember(name, listing)
      if (listing.movedTo !== undefined)
        this.#note({ code: 'hub-moved', where: showHubName(name), text: `the repository is now called ${listing.movedTo}, which is used` })
      return listing
    } catch (error) {
      const isProxy = error instanceof PromptError && error.code === 'bad-proxy'
      if (!(error instanceof HubUnreachable || isProxy) || (isProxy && cached === undefined)) throw await explained(site, name, error)
      if (cached === undefined) throw unreachable(site, name, error as HubUnreachable)
      this.#note({
        code: 'hub-unreachable',
        where: showHubName(name),
        text: `${site.title} cannot be reached${isProxy ? ` (${error.problem})` : ''}; the cached commit ${cached.commit.slice(0, 12)} is used`,
      })
      return this.#noted(cached, name)
    }
  }

  /** What another program downloaded may be a part of the repository. */
  #noted(listing: RepoListing, name: HubName): RepoListing {
    if (listing.isPartial)
      this.#note({
        code: 'hub-partial',
        where: showHubName(name),
        text: `only the files in the cache are known: the repository may have more${name.kind === 'datasets' ? ', and other splits' : ''}`,
      })
    return listing
  }

  /** Downloads the selected files that are not in the cache. `absent` are files looked for in vain, which Python's cache records. */
  async fetch(asked: HubName, select: (file: RepoFile) => boolean, absent: readonly string[] = []): Promise<FetchedFiles> {
    const name = this.#pinned(asked)
    const site = this.#site(name)
    const { commit, files } = await this.list(asked)
    const known = new Set(files.map(({ path }) => path))
    if (!site.client.settings.isOffline)
      site.cache.noteAbsent(
        name,
        commit,
        absent.filter((path) => !known.has(path)),
      )
    const paths = new Map<string, string>()
    for (const file of files.filter(select)) {
      const path = await this.#once(site, name, commit, file)
      paths.set(file.path, path)
      const etag = file.etag === '' ? await this.#hashOf(path, asked, file) : file.etag
      this.#checkLocked(asked, file.path, etag)
      this.#record(asked, commit, { ...file, etag })
    }
    return { folder: site.cache.snapshot(name, commit), commit, paths }
  }

  /** The hash of a file that the hub's listing has none for, of the kind that the lock has. */
  #hashOf(path: string, name: HubName, file: RepoFile): Promise<string> {
    const locked = this.#lock?.repositories[repositoryOf(name)]?.files[file.path]
    return fileHash(path, locked?.length === 40 ? 40 : 64)
  }

  /** Two uses of a file in this process share its download. */
  #once(site: HubSite, name: HubName, commit: string, file: RepoFile): Promise<string> {
    const key = `${site.cache.snapshot(name, commit)}\n${site.cache.partial(name, commit, file)}`
    const previous = downloads.get(key) ?? Promise.resolve()
    const next = previous.then(() => this.#file(site, name, commit, file))
    const settled = next.then(
      () => undefined,
      () => undefined,
    )
    downloads.set(key, settled)
    void settled.then(() => downloads.get(key) === settled && downloads.delete(key))
    return next
  }

  /** A branch of ModelScope has no commit to pin it: the hashes do. */
  #checkLocked(name: HubName, path: string, etag: string): void {
    const locked = this.#lock?.repositories[repositoryOf(name)]
    const hash = locked?.files[path]
    if (locked === undefined || hash === etag) return
    const isPinned = /^[0-9a-f]{40}$/.test(locked.commit)
    if (hash === undefined && (isPinned || !this.#isFrozen)) return
    throw new PromptError('hub-frozen', {
      where: `${showHubName(name)} › ${path}`,
      problem:
        hash === undefined ? `${lockName} does not list this file` : `the file is not the one that ${lockName} lists: its hash is another`,
      fix: 'run `rolecall hub lock CONFIG` to accept it, and commit the file',
    })
  }

  async #file(site: HubSite, name: HubName, commit: string, file: RepoFile): Promise<string> {
    const cached = await site.cache.find(name, commit, file)
    if (cached !== undefined) return cached
    const { settings } = site.client
    if (settings.isOffline) throw notCached(site, name, file.path)
    const address = site.address(name, commit, file.path)
    const target = site.cache.partial(name, commit, file)
    let free: number | undefined
    try {
      const partial = await download({
        client: site.client,
        address,
        where: placeOf(site, name, file.path),
        target,
        file,
        refused: (reply) => hubError(site, name, reply, settings, { file: file.path, target }),
        onBytes: (done) => {
          free ??= freeSpace(dirname(target))
          this.#onProgress({ name: name.id, file: basename(file.path), done, total: file.size, free })
        },
        onWait: (pid) =>
          this.#note({ code: 'hub-waits', where: showHubName(name), text: `waiting for process ${pid}, which downloads ${file.path}` }),
      })
      if (partial !== undefined) return site.cache.keep(name, commit, file, partial)
      return (await site.cache.find(name, commit, file)) ?? (await this.#file(site, name, commit, file))
    } catch (error) {
      if (error instanceof HubUnreachable) throw unreachable(site, name, error, { file: file.path, target })
      throw error
    }
  }

  /** The path of a file that has the start of one on the hub, as long as `isEnough` needs; the whole file if the cache has it. */
  async fetchStart(asked: HubName, file: RepoFile, isEnough: (start: Uint8Array, path: string) => boolean): Promise<string> {
    const name = this.#pinned(asked)
    const site = this.#site(name)
    const { commit } = await this.list(asked)
    const target = site.cache.start(name, commit, file)
    const whole = await site.cache.find(name, commit, file)
    const etag = whole !== undefined && file.etag === '' ? await this.#hashOf(whole, asked, file) : file.etag
    this.#checkLocked(asked, file.path, etag)
    const cached = whole ?? (existsSync(target) ? target : undefined)
    if (cached === undefined) {
      const { settings } = site.client
      if (settings.isOffline) throw notCached(site, name, file.path)
      try {
        const refused = (reply: HubReply) => hubError(site, name, reply, settings, { file: file.path })
        await downloadStart({ client: site.client, address: site.address(name, commit, file.path), target, file, refused }, isEnough)
      } catch (error) {
        if (error instanceof HubUnreachable) throw unreachable(site, name, error, { file: file.path })
        throw error
      }
    }
    this.#record(asked, commit, { ...file, etag })
    return cached ?? target
  }

  /** Records files, and the hashes that the hub lists, without downloading them. */
  async pin(asked: HubName, files: readonly RepoFile[]): Promise<void> {
    const { commit } = await this.list(asked)
    for (const file of files) {
      if (file.etag === '') continue
      this.#checkLocked(asked, file.path, file.etag)
      this.#record(asked, commit, file)
    }
  }

  #record(name: HubName, commit: string, { path, etag }: RepoFile): void {
    const repository = repositoryOf(name)
    const source = this.#sources.get(repository) ?? { repository, commit, files: {} }
    source.files[path] = etag
    this.#sources.set(repository, source)
  }

  /** What has come from a hub so far: repositories, commits, and the hashes of files. */
  get sources(): readonly HubSource[] {
    return [...this.#sources.values()]
  }

  /** How many bytes the files of a source have. */
  sizeOf({ repository, commit, files }: HubSource): number {
    const name = parseHubName(repository)!
    const folder = this.#site(name).cache.snapshot(name, commit)
    return Object.keys(files).reduce((bytes, path) => bytes + (statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0), 0)
  }

  /** The files of the cache that hold these sources. */
  cacheFiles(sources: readonly HubSource[] = this.sources): { cache: string; files: readonly string[] }[] {
    return sources.map(({ repository, commit, files }) => {
      const name = parseHubName(repository)!
      const { cache, client } = this.#site(name)
      const places = Object.keys(files).map((path) => join(cache.snapshot(name, commit), path))
      return {
        cache: client.settings.cache,
        files: [...new Set([...places, ...places.map((place) => blobOf(place, client.settings.cache)), ...cache.records(name, commit)])],
      }
    })
  }

  #site({ site }: HubName): HubSite {
    const opened = this.#opened.get(site) ?? this.#sites[site]()
    this.#opened.set(site, opened)
    return opened
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(({ client }) => client.close()))
  }
}

/** The file that a link leads to, as a path in the cache, which may itself be reached through a link. */
function blobOf(place: string, cache: string): string {
  return join(cache, relative(realpathSync(cache), realpathSync(place)))
}
