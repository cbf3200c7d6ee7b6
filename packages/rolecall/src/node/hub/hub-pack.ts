import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { PromptError } from '@rolecall/core/internal/errors'
import { huggingFaceSettings, modelScopeSettings } from './hub-settings.ts'
import type { HubSource } from './hub-site.ts'
import { Hub } from './open-hub.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The roots of a pack, and the cache that each is. */
const roots = {
  huggingface: (environment: Environment) => huggingFaceSettings(environment).cache,
  modelscope: (environment: Environment) => modelScopeSettings(environment).cache,
}

const run = promisify(execFile)

/** Writes these sources from the caches of this machine to a tar file, for a machine without a network. */
export async function packHub(sources: readonly HubSource[], file: string, environment: Environment = process.env): Promise<void> {
  const hub = new Hub({ environment })
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-pack-'))
  try {
    const kept = hub.cacheFiles(sources)
    let isFirst = true
    for (const [root, cacheOf] of Object.entries(roots)) {
      const cache = cacheOf(environment)
      const names = kept.filter((one) => one.cache === cache).flatMap((one) => one.files.map((path) => relative(cache, path)))
      if (names.length === 0) continue
      const list = join(folder, 'names')
      writeFileSync(list, names.map((name) => `${name}\n`).join(''))
      await tar([isFirst ? '-cf' : '-rf', file, '-C', cache, `--transform=s,^,${root}/,S`, '--hard-dereference', '-T', list], file)
      isFirst = false
    }
    if (isFirst)
      throw new PromptError('nothing-to-pack', {
        where: file,
        problem: 'the config uses nothing from a hub',
        fix: 'name a model or dataset on a hub in it',
      })
  } finally {
    rmSync(folder, { recursive: true })
    await hub.close()
  }
}

/** Unpacks such a file into the caches of this machine; returns how many files it had. */
export async function unpackHub(file: string, environment: Environment = process.env): Promise<number> {
  const listed = (await tar(['-tf', file], file)).split('\n').filter((name) => name !== '')
  const stranger = listed.find(
    (name) => name.split('/').includes('..') || !/^(?:huggingface|modelscope)\/(?:models|datasets)(?:--|\/)/.test(name),
  )
  if (stranger !== undefined)
    throw new PromptError('bad-pack', {
      where: file,
      problem: `it contains ${JSON.stringify(stranger)}, which is not part of a hub's cache`,
      fix: 'use a file that `rolecall hub pack` wrote',
    })
  const links = (await tar(['-tvf', file], file)).split('\n').filter((line) => /^[^d-]/.test(line))
  const astray = links.find((line) => !/^l.* -> (?:\.\.\/)+blobs\/[0-9a-f]+$/.test(line))
  if (astray !== undefined)
    throw new PromptError('bad-pack', {
      where: file,
      problem: `it contains a link that leads out of its repository: ${JSON.stringify(astray.slice(0, 300))}`,
      fix: 'use a file that `rolecall hub pack` wrote',
    })
  for (const [root, cacheOf] of Object.entries(roots)) {
    if (!listed.some((name) => name.startsWith(`${root}/`))) continue
    const cache = cacheOf(environment)
    mkdirSync(cache, { recursive: true })
    await tar(['-xf', file, '-C', cache, '--strip-components=1', '--no-same-owner', '--wildcards', `${root}/*`], file)
  }
  return listed.filter((name) => !name.endsWith('/')).length
}

async function tar(args: readonly string[], file: string): Promise<string> {
  try {
    return (await run('tar', [...args], { maxBuffer: 2 ** 28 })).stdout
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    throw new PromptError('tar', {
      where: file,
      problem: code === 'ENOENT' ? 'the program tar is not installed' : (stderr?.trim().split('\n')[0] ?? 'tar failed'),
      fix: code === 'ENOENT' ? 'install GNU tar' : 'check the file and the disk',
    })
  }
}
