import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sections } from './pages.ts'
import { sitePath, siteText } from './site-paths.ts'

const docs = new URL('../', import.meta.url)
const listed = sections.flatMap(({ pages }) => pages)

test('the site has every page of docs/, and every Chinese one has a Chinese name', () => {
  const names = readdirSync(docs).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const english = names.filter((name) => !name.endsWith('.zh-CN.md')).map((name) => name.replace('.md', ''))
  expect(
    listed
      .map(({ page }) => page)
      .filter((page) => !page.endsWith('.md'))
      .sort(),
  ).toEqual(english.sort())
  const chinese = names.filter((name) => name.endsWith('.zh-CN.md')).map((name) => name.replace('.zh-CN.md', ''))
  expect(chinese.filter((name) => listed.find(({ page }) => page === name)?.zh === undefined)).toEqual([])
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
