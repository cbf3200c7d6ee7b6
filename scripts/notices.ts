import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

type Package = { name: string; version: string; license?: string; author?: string | { name?: string } }

/**
 * The licences of the packages that the modules belong to, which redistribution requires. `ids` are module paths; modules outside a package
 * are ours.
 */
export function notices(ids: Iterable<string>): string {
  const folders = new Set([...ids].flatMap((id) => packageOf(id) ?? []))
  const parts = [...folders].map(noticeOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  const rule = '-'.repeat(80)
  return `These files contain parts of the packages below, under their licences.\n\n${parts.map(({ text }) => `${rule}\n${text}\n`).join('\n')}`
}

/** Writes the licences of all bundled packages to NOTICES.txt beside the bundle. */
export function noticesPlugin(): Plugin {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      this.emitFile({ type: 'asset', fileName: 'NOTICES.txt', source: notices(ids) })
    },
  }
}

/** The package folder of a module: after the last `node_modules`, a name or a scope and a name. */
function packageOf(id: string): string | undefined {
  // Bundlers mark wrapped modules: "\0…", "…?commonjs".
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '')
  return /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/@]+)[\\/]/.exec(path)?.[1]
}

function noticeOf(folder: string): { name: string; text: string } {
  const {
    name,
    version,
    license = 'no licence is named',
    author,
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  const file = readdirSync(folder).find((found) => /^(licen[cs]e|copying)/i.test(found))
  const by = typeof author === 'string' ? author : author?.name
  const words =
    file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : `By ${by ?? 'its authors'}.`
  return { name, text: `${name} ${version} (${license})\n\n${words}` }
}
