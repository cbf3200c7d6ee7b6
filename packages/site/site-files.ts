import { existsSync, readFileSync } from 'node:fs'
import { triedVersions } from '../../docs/tried-versions.ts'
import { sections } from './pages.ts'
import { sitePath, siteText } from './site-paths.ts'

/** A Markdown file of the site, before VitePress renders it: where it stands, without ending, and its text. */
export type SiteFile = { path: string; text: string }

const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')

/** The files of the repository that are pages of the site, in both languages. */
export function listedFiles(): Set<string> {
  const listed = sections.flatMap((section) => section.pages.map(({ page }) => (page.endsWith('.md') ? page : `docs/${page}.md`)))
  return new Set(listed.flatMap((file) => [file, file.replace(/\.md$/, '.zh-CN.md')]).filter((file) => existsSync(new URL(file, root))))
}

/** Every page of the site except the API reference and the lab. */
export function siteFiles(): SiteFile[] {
  const pages = listedFiles()
  const tried = triedVersions()
  const written = [...pages, 'docs/README.md', 'docs/README.zh-CN.md'].map((file) => {
    // A translation has the code of its original, which is what ran.
    const version = tried[file] ?? tried[file.replace('.zh-CN.md', '.md')] ?? 'none'
    return { path: sitePath(file, pages)!, text: `---\ntried: ${version}\n---\n\n${siteText(file, read(file), pages)}` }
  })
  return [
    { path: '/index', text: read('packages/site/home.md') },
    { path: '/zh/index', text: read('packages/site/home.zh-CN.md') },
    ...written,
  ]
}

/** The pages that exist in both languages, by their path in the English half. */
export function translatedPaths(paths: readonly string[]): string[] {
  return paths.filter((path) => paths.includes(`/zh${path}`))
}
