import { anchorsOf } from '../../docs/page.ts'

/** A page with what it links to and what can be linked to on it. */
export type LinkedPage = { path: string; links: readonly string[]; anchors: ReadonlySet<string> }

/** Internal links that lead to no page, or to no heading of their page, as `PAGE → LINK`. */
export function deadLinks(pages: readonly LinkedPage[]): string[] {
  const byPath = new Map(pages.map((page) => [pathOf(page.path), page]))
  return pages.flatMap(({ path, links }) => links.filter((link) => !leadsSomewhere(link, path, byPath)).map((link) => `${path} → ${link}`))
}

function leadsSomewhere(link: string, from: string, pages: ReadonlyMap<string, LinkedPage>): boolean {
  if (/^(?!file:)[a-z]+:/i.test(link)) return true
  const { pathname, hash } = new URL(link, new URL(from, 'file:///'))
  const target = pages.get(pathOf(decodeURIComponent(pathname)))
  // What stands behind `#` of the lab is a state, not a heading.
  return target !== undefined && (hash === '' || pathname === '/lab/' || target.anchors.has(decodeURIComponent(hash.slice(1))))
}

function pathOf(path: string): string {
  return path.replace(/\.html$/, '').replace(/\/index$/, '/')
}

/** A page of Markdown, as the site's sources have it: links of its text and of its front matter. */
export function markdownPage(path: string, text: string): LinkedPage {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`(?!\])/g, '')
  const written = [...prose.matchAll(/(?<!!)\[(?:[^[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  const listed = [...prose.matchAll(/^\s+link: (\S+)$/gm)].map(([, link]) => link!)
  return { path, links: [...written, ...listed], anchors: new Set(anchorsOf(text)) }
}

/** A built page. */
export function htmlPage(path: string, html: string): LinkedPage {
  const values = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value]) => unescapeHtml(value!))
  return { path, links: values(/<a\b[^>]*\shref="([^"]*)"/g), anchors: new Set(values(/\sid="([^"]*)"/g)) }
}

function unescapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" }
  return text.replace(/&(amp|quot|lt|gt|#39);/g, (_, name: string) => entities[name]!)
}
