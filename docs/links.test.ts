import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { storeys } from '../proof/testing/storeys.ts'
import { anchorsOf, readPages } from './page.ts'

const root = new URL('../', import.meta.url)
const rooms = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('README.md'))
const decisions = readdirSync(new URL('docs/decisions', root))
const others = [
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  ...rooms.map((path) => `src/${path}`),
  ...decisions.map((path) => `docs/decisions/${path}`),
]
const pages = [
  ...readPages(),
  ...others.map((name) => ({ name, path: new URL(name, root), text: readFileSync(new URL(name, root), 'utf8') })),
]

test('every room says what it holds and where to start reading', () => {
  const expected = storeys.flatMap((level) =>
    Object.entries(level).flatMap(([storey, its]) => Object.keys(its).map((room) => `${storey}/${room}/README.md`)),
  )
  expect(rooms.map((path) => path.replaceAll('\\', '/')).sort()).toEqual(expected.sort())
})

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
