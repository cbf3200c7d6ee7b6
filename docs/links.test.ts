import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPages } from './code-blocks.ts'

const contributing = new URL('../CONTRIBUTING.md', import.meta.url)
const pages = [...readPages(), { name: 'CONTRIBUTING.md', path: contributing, text: readFileSync(contributing, 'utf8') }]

for (const { name, path, text } of pages) {
  test(`links of ${name} lead somewhere`, () => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!).filter((link) => !/^https?:/.test(link))
    expect(links.filter((link) => !leadsSomewhere(new URL(link, path)))).toEqual([])
  })
}

function leadsSomewhere(target: URL): boolean {
  const anchor = decodeURIComponent(target.hash.slice(1))
  const file = new URL(target.pathname, target)
  if (!existsSync(file)) return false
  return anchor === '' || anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
}

/** The anchors that GitHub gives headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
