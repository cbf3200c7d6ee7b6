import { z } from 'zod'
import type { HubClient } from './hub-client.ts'
import type { HubName } from './hub-name.ts'

/** How many bytes a hub says that a file has. */
export const fileSize = z.int().nonnegative()

/** A file of a repository, as the hub lists it. */
export type RepoFile = {
  path: string
  size: number
  /** The name of its blob: the SHA-256 of a large file, the Git hash of another. */
  etag: string
}

/** The files of a repository at one commit. */
export type RepoListing = {
  commit: string
  files: readonly RepoFile[]
  /** Only the files in the cache are known; the repository may have more. */
  isPartial?: boolean
  /** The name that the repository has now. */
  movedTo?: string
}

/** The local copy of a hub's files, in the layout of the hub's own client. */
export type HubCache = {
  /** What is known of a revision without a request; undefined if nothing is. */
  listing(name: HubName): RepoListing | undefined
  /** Stores which commit a revision is, and its files. */
  remember(name: HubName, listing: RepoListing): void
  /** The local path of a file; undefined if it is not there, or is another version of it. */
  find(name: HubName, commit: string, file: RepoFile): Promise<string | undefined>
  /** Where the file is written while it is downloaded. */
  partial(name: HubName, commit: string, file: RepoFile): string
  /** Moves a complete file to its place, and returns that. */
  keep(name: HubName, commit: string, file: RepoFile, partial: string): string
  /** Where the start of a file is kept if only that is needed: not where the hub's own client expects a whole file. */
  start(name: HubName, commit: string, file: RepoFile): string
  /** Notes that these files were looked for and do not exist. */
  noteAbsent(name: HubName, commit: string, paths: readonly string[]): void
  /** The folder with a revision's files. */
  snapshot(name: HubName, commit: string): string
  /** The files of the cache, besides those of a snapshot, that another machine needs to use it. */
  records(name: HubName, commit: string): readonly string[]
}

/** A hub: its requests and its cache. */
export type HubSite = {
  title: string
  client: HubClient
  cache: HubCache
  list(name: HubName): Promise<RepoListing>
  /** The address of a file. */
  address(name: HubName, commit: string, path: string): string
  /** The address that people open. */
  page(name: HubName): string
  /** The variables that set its address and its token. */
  variables: { endpoint: string; token: string }
}

/** What was used from a repository: its commit, and the files with their hashes. */
export type HubSource = { repository: string; commit: string; files: Readonly<Record<string, string>> }
