import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { entryPoints } from '../../src/app/node/entry-points.ts'
import { storeys } from '../../testing/storeys.ts'
import { apiDescriptions, apiGroups } from './api-groups.ts'
import { sections } from './pages.ts'
import { siteConfig } from './site-config.ts'
import { sitePath, siteText } from './site-paths.ts'

const docs = new URL('../', import.meta.url)
const listed = sections.flatMap(({ pages }) => pages)

test('the site has every page of docs/', () => {
  const names = readdirSync(docs).filter((name) => name.endsWith('.md') && name !== 'README.md')
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
  const config = siteConfig(pages, ['rolecall', 'rolecall/jinja'], true)
  expect(config).toMatch(/"text": "导入 OpenCompass 的配置",\s+"link": "\/zh\/import"/)
  expect(config).toMatch(/"text": "评测模型（英文）",\s+"link": "\/evaluate"/)
  expect(config).toContain('"link": "/api/rolecall/jinja/"')
})

test('everything that programs import is in a group of the reference', () => {
  const rooms = storeys.flatMap((level) =>
    Object.entries(level).flatMap(([storey, its]) => Object.keys(its).map((room) => `${storey}/${room}/`)),
  )
  const without = rooms.filter((room) => !apiGroups.some(([start]) => start.startsWith(room) || room.startsWith(start)))
  expect(Object.keys(apiDescriptions).sort()).toEqual(Object.keys(entryPoints).sort())
  expect(without).toEqual(['base/pattern/', 'base/go-template/', 'app/cli/'])
})
