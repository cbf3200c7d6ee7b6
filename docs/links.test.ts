import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '../proof/testing/storeys.ts'
import { anchorsOf, readPages } from './page.ts'

const root = new URL('../', import.meta.url)
const readmes = ['core', 'rolecall', 'adapters'].flatMap((name) =>
  readdirSync(new URL(`packages/${name}/src`, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('README.md'))
    .map((path) => `packages/${name}/src/${path.replaceAll('\\', '/')}`),
)
const decisions = readdirSync(new URL('docs/decisions', root))
const others = [
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'packages/core/README.md',
  'packages/adapters/README.md',
  ...readmes,
  ...decisions.map((path) => `docs/decisions/${path}`),
]
const pages = [
  ...readPages(),
  ...others.map((name) => ({ name, path: new URL(name, root), text: readFileSync(new URL(name, root), 'utf8') })),
]

test('every room says what it holds and where to start reading', () => {
  expect([...readmes].sort()).toEqual(rooms.map(({ folder }) => `${folder}/README.md`).sort())
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
