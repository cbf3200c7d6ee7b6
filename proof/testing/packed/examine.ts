import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Packed } from './pack.ts'

type Message = { code: string; type: string; path?: string[] }
type Problem = { kind: string; entrypoint?: string; resolutionKind?: string }

/** The problems that publint finds in the packed file. */
export async function publintProblems({ file }: Packed, tools: string): Promise<string[]> {
  const { publint } = (await import(moduleOf(tools, 'publint'))) as {
    publint(options: object): Promise<{ messages: Message[] }>
  }
  const tarball = readFileSync(file)
  const buffer = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength)
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  return messages.filter(({ type }) => type !== 'suggestion').map(({ code, path = [] }) => `${code} (${path.join('.')})`)
}

/**
 * The problems that are-the-types-wrong finds. Importing a module by `require` is intended: Node 20.19 and later support it.
 * Node 10's resolution does not support `exports`, and we do not support subpaths there.
 */
export async function typesProblems({ file }: Packed, tools: string): Promise<string[]> {
  const { checkPackage, createPackageFromTarballData } = (await import(moduleOf(tools, '@arethetypeswrong/core'))) as {
    createPackageFromTarballData(data: Uint8Array): object
    checkPackage(given: object): Promise<{ problems?: Problem[] }>
  }
  const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(file))))
  return problems
    .filter(({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10')
    .map(({ kind, entrypoint = '', resolutionKind = '' }) => `${kind} ${entrypoint} ${resolutionKind}`.trim())
}

function moduleOf(tools: string, name: string): string {
  const { resolve } = createRequire(join(tools, 'package.json'))
  try {
    return pathToFileURL(resolve(name)).href
  } catch {
    // An ESM-only package.
    const folder = join(tools, 'node_modules', name)
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const main = exports['.'] ?? exports
    return pathToFileURL(join(folder, typeof main === 'string' ? main : (main.import?.default ?? main.import ?? main.default))).href
  }
}
