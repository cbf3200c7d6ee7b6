import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
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
  ]
  return found.map((one) => ({ ...one, ...sizeOf(one.folder) }))
}

/** Deletes a repository from the cache, with all its revisions. */
export function removeRepository(text: string, environment: Environment = process.env): CachedRepository {
  const cached = cachedRepositories(environment)
  // Old repositories have a name of one part, such as hf://gpt2, which is known only from the cache.
  const found = cached.find(({ name }) => name === text) ?? cached.find(({ name }) => name === shownRepository(text))
  if (found === undefined)
    throw new PromptError('hub-not-cached', {
      where: text,
      problem: 'the cache has no such repository',
      fix: '`rolecall hub list` shows what it has',
    })
  rmSync(found.folder, { recursive: true })
  return found
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
