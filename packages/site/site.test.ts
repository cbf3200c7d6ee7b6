import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '../../proof/testing/storeys.ts'
import { entryPoints } from '../../scripts/entry-points.ts'
import { apiDescriptions, apiGroups } from './api-groups.ts'
import { deadLinks, htmlPage, markdownPage } from './dead-links.ts'
import { labPage } from './lab-file.ts'
import { sections } from './pages.ts'
import { siteConfig } from './site-config.ts'
import { listedFiles, siteFiles, translatedPaths } from './site-files.ts'
import { apiText, sitePath, siteText } from './site-paths.ts'

const docs = new URL('../../docs/', import.meta.url)
const listed = sections.flatMap(({ pages }) => pages)

test('the site has every page of docs/', () => {
  const names = readdirSync(docs).filter((name) => name.endsWith('.md') && !name.startsWith('README'))
  const english = names.filter((name) => !name.endsWith('.zh-CN.md')).map((name) => name.replace('.md', ''))
  expect(
    listed
      .map(({ page }) => page)
      .filter((page) => !page.endsWith('.md'))
      .sort(),
  ).toEqual(english.sort())
  expect(listed.filter(({ page }) => page.endsWith('.md') && !existsSync(new URL(`../${page}`, docs)))).toEqual([])
})

test('links lead to pages of the site; files that it does not have are named without a link; code stays as it is', () => {
  const pages = new Set(['docs/evaluate.md', 'docs/import.zh-CN.md', 'README.md'])
  expect(sitePath('docs/import.zh-CN.md', pages)).toBe('/zh/import')
  const text =
    'See [evaluate](evaluate.md#in-ci), [中文](import.zh-CN.md), [start](../README.md), [code](../src/index.ts), ![a](run.svg), `[x](y.md)`\n'
  expect(siteText('docs/x.md', text, pages)).toBe(
    'See [evaluate](/evaluate#in-ci), [中文](/zh/import), [start](/overview), code, ![a](/run.svg), `[x](y.md)`\n',
  )
  const fenced = '```ts\nconst a = [b](evaluate.md)\n```\n'
  expect(siteText('docs/x.md', fenced, pages)).toBe(fenced)
})

test('marks of what is generated are not shown, and keys are code', () => {
  const text = 'Options:\n\n<!-- generated: options -->\n\n| key |\n\n<!-- end -->\n\nPress <kbd>j</kbd>.\n'
  expect(siteText('docs/x.md', text, new Set())).toBe('Options:\n\n| key |\n\nPress `j`.\n')
})

test('Chinese readers are offered every page: in Chinese where there is one, else marked as English', () => {
  const pages = new Set(['docs/evaluate.md', 'docs/import.md', 'docs/import.zh-CN.md'])
  const config = siteConfig({ pages, translated: ['/import'], api: ['rolecall', 'rolecall/jinja'], hasLab: true, version: '1.2.3' })
  expect(config).toMatch(/"text": "导入 OpenCompass 的配置",\s+"link": "\/zh\/import"/)
  expect(config).toMatch(/"text": "评测模型（英文）",\s+"link": "\/evaluate"/)
  expect(config).toContain('"link": "/api/rolecall/jinja/"')
})

test('everything that programs import is in a group of the reference', () => {
  const without = rooms
    .map(({ storey, room }) => `${storey}/${room}/`)
    .filter((room) => !apiGroups.some(([start]) => start.startsWith(room) || room.startsWith(start)))
  expect(Object.keys(apiDescriptions).sort()).toEqual(Object.keys(entryPoints).sort())
  expect(without).toEqual([
    'core/base/schema/',
    'core/base/pattern/',
    'core/base/go-template/',
    'rolecall/compat/own-python/',
    'rolecall/compat/results/',
    'rolecall/compat/promptfoo/',
    'rolecall/compat/inspect/',
    'rolecall/compat/publish/',
    'rolecall/cli/',
  ])
})

test('every internal link of the site leads to a page and a heading that exist', () => {
  const files = siteFiles()
  const translated = translatedPaths(files.map(({ path }) => path))
  // Menus, as one more page. The API reference and the lab are written by other programs; the build checks their links.
  const config = siteConfig({ pages: listedFiles(), translated, api: [], hasLab: false, version: '1.2.3' })
  const menus = { path: '/menus', links: [...config.matchAll(/"link": "([^"]+)"/g)].map(([, link]) => link!), anchors: new Set<string>() }
  const lab = { path: '/lab/', links: [], anchors: new Set<string>() }
  const pages = [lab, ...files.map(({ path, text }) => markdownPage(path, text))]
  expect(pages.reduce((sum, { links }) => sum + links.length, menus.links.length)).toBeGreaterThan(400)
  expect(deadLinks([...pages, menus])).toEqual([])
})

test('a link to a page or heading that is missing is dead; code, pictures and other sites are not checked', () => {
  const text = '[a](/b#two) [b](/c) [c](/b#three) [d](https://x.org) ![e](/e.svg) `[f](/f)`\n'
  expect(deadLinks([markdownPage('/a', text), markdownPage('/b', '# One\n\n## Two\n')])).toEqual(['/a → /c', '/a → /b#three'])
  const html = '<a class="x" href="/zh/b.html#二">b</a> <a href="b.html">b</a> <a href="/">home</a> <a href="/zh/c.html">c</a>'
  const others = [htmlPage('/zh/b.html', '<h2 id="二">'), htmlPage('/index.html', '')]
  expect(deadLinks([htmlPage('/zh/a.html', html), ...others])).toEqual(['/zh/a.html → /zh/c.html'])
})

test('links of the API reference to members without a heading lead to their page', () => {
  const text = 'From [`A.x`](A.md#x), see [y](A.md#y), [A](A.md) and [it](https://x.org/#z)\n'
  expect(apiText(text, (link) => link !== 'A.md#x')).toBe('From [`A.x`](A.md), see [y](A.md#y), [A](A.md) and [it](https://x.org/#z)\n')
})

test('the switch of languages knows which pages exist in both', () => {
  const paths = siteFiles().map(({ path }) => path)
  expect(translatedPaths(paths)).toContain('/index')
  expect(translatedPaths(paths)).toContain('/tutorial-first-score')
  expect(translatedPaths(['/a', '/b', '/zh/b', '/zh/c'])).toEqual(['/b'])
})

test('both home pages offer the same command, which is in the README', () => {
  const commandOf = (path: string) => /^command: (.+)$/m.exec(siteFiles().find((file) => file.path === path)!.text)?.[1]
  expect(readFileSync(new URL('../README.md', docs), 'utf8')).toContain(commandOf('/index'))
  expect(commandOf('/zh/index')).toBe(commandOf('/index'))
})

test('a page says with which version its commands last ran, and so does its translation', () => {
  const textOf = (path: string) => siteFiles().find((file) => file.path === path)!.text
  expect(textOf('/tutorial-first-score')).toMatch(/^---\ntried: \d+\.\d+\.\d+\n---\n\n# /)
  expect(textOf('/zh/tutorial-first-score')).toMatch(/^---\ntried: \d+\.\d+\.\d+\n---\n\n# /)
  expect(textOf('/clusters')).toMatch(/^---\ntried: none\n---\n\n# /)
})

test('the lab as one file has its policy, and nothing of its templates can end a script', () => {
  const page = labPage('console.log("</script>")', 'p { color: red }', [['lab/models/a.jinja', '</script><b>']])
  expect(page).toContain("default-src 'none'; script-src 'sha256-")
  expect(page.match(/<\/script>/g)).toHaveLength(2)
  expect(page).toContain('data-file="lab/models/a.jinja">"\\u003c/script>\\u003cb>"')
})
