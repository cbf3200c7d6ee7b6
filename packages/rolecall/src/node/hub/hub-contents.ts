import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { type HubName, parseHubName, showHubName } from './hub-name.ts'
import { huggingFaceSettings, modelScopeSettings } from './hub-settings.ts'

/** A repository in a cache. */
export type CachedRepository = { name: string; folder: string; bytes: number; files: number }

type Environment = Readonly<Record<string, string | undefined>>

/** The repositories in the caches of this machine, including what other programs downloaded. */
export function cachedRepositories(environment: Environment = process.env): CachedRepository[] {
  const { cache } = huggingFaceSettings(environment)
  const scope = modelScopeSettings(environment).cache
  const found = [
    ...foldersIn(cache).flatMap((entry) => {
      const [, kind, id] = /^(models|datasets)--(.+)$/.exec(entry) ?? []
      return kind === undefined ? [] : [{ name: nameOf('huggingface', kind, id!), folder: join(cache, entry) }]
    }),
    ...['models', 'datasets'].flatMap((kind) =>
      foldersIn(join(scope, kind)).flatMap((entry) =>
        entry.includes('--') ? [{ name: nameOf('modelscope', kind, entry), folder: join(scope, kind, entry) }] : [],
      ),
    ),
    ...['models', 'datasets'].flatMap((kind) => [join(scope, kind), join(scope, 'hub', kind)].flatMap((root) => olderIn(root, kind))),
  ]
  return found.map((one) => ({ ...one, ...sizeOf(one.folder) }))
}

/** How many bytes the cache has of a repository; undefined if none. */
export function cachedSize(text: string, environment: Environment = process.env): number | undefined {
  const name = parseHubName(text)
  const folder = name && join(huggingFaceSettings(environment).cache, `${name.kind}--${name.id.replaceAll('/', '--')}`, 'blobs')
  return folder !== undefined && existsSync(folder) ? sizeOf(folder).bytes : undefined
}

/** Deletes a repository from the cache, with all its revisions. */
export function removeRepository(text: string, environment: Environment = process.env): CachedRepository {
  const cached = cachedRepositories(environment)
  // Old repositories have a name of one part, such as hf://gpt2, which is known only from the cache.
  const wanted = cached.some(({ name }) => name === text) ? text : shownRepository(text)
  const found = cached.filter(({ name }) => name === wanted)
  if (found.length === 0)
    throw new PromptError('hub-not-cached', {
      where: text,
      problem: 'the cache has no such repository',
      fix: '`rolecall hub list` shows what it has',
    })
  for (const { folder } of found) rmSync(folder, { recursive: true })
  const sum = (of: (one: CachedRepository) => number) => found.reduce((total, one) => total + of(one), 0)
  return { ...found[0]!, bytes: sum(({ bytes }) => bytes), files: sum(({ files }) => files) }
}

/** `ORG/NAME` of ModelScope 1.x, where a dot is `___`. */
function olderIn(root: string, kind: string): { name: string; folder: string }[] {
  return foldersIn(root).flatMap((org) => {
    if (org.includes('--') || org.startsWith('.')) return []
    return foldersIn(join(root, org)).map((entry) => ({
      name: showHubName({ site: 'modelscope', kind: kind as HubName['kind'], id: `${org}/${entry.replaceAll('___', '.')}` }),
      folder: join(root, org, entry),
    }))
  })
}

function shownRepository(text: string): string | undefined {
  const asked = parseHubName(text)
  return asked && showHubName({ site: asked.site, kind: asked.kind, id: asked.id })
}

function nameOf(site: HubName['site'], kind: string, id: string): string {
  return showHubName({ site, kind: kind as HubName['kind'], id: id.replace('--', '/') })
}

function foldersIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .flatMap((one) => (one.isDirectory() ? [one.name] : []))
        .sort()
    : []
}

function sizeOf(folder: string): { bytes: number; files: number } {
  let [bytes, files] = [0, 0]
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    bytes += lstatSync(join(entry.parentPath, entry.name)).size
    files++
  }
  return { bytes, files }
}
