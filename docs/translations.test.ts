import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPages } from './page.ts'
import { headingLevels, originalOf, withBlocksOf } from './translations.ts'

const pages = readPages()
const pageOf = (name: string) => pages.find((page) => page.name === name)!

describe('Chinese pages are in step with the English ones', () => {
  for (const page of pages) {
    const original = originalOf(page.name)
    if (original === undefined) continue
    test(`${page.name} has the headings of ${original}`, () => expect(headingLevels(page)).toEqual(headingLevels(pageOf(original))))
    test(`${page.name} has the code of ${original}; if not, run node scripts/ts.mjs docs/code-blocks.ts --write ${original}`, () =>
      expect(page.text).toBe(withBlocksOf(page, pageOf(original))))
  }
})

test('Chinese pages link to Chinese pages where these exist, or say that the page is in English', () => {
  const names = new Set(pages.map(({ name }) => name))
  const links = pages
    .filter(({ name }) => name.endsWith('.zh-CN.md'))
    .flatMap(({ name, text }) =>
      [...text.matchAll(/\[([^\]]*)\]\(([^)\s#]+)\.md(#[^)]*)?\)/g)].map(([whole, label, path]) => ({ name, whole, label, path })),
    )
  const toEnglish = links.filter(({ name, label, path }) => {
    const file = posix.join(posix.dirname(name), path!)
    return !/English|英文版/.test(label!) && names.has(`${file}.zh-CN.md`)
  })
  expect(toEnglish.map(({ name, whole }) => `${name}: ${whole}`)).toEqual([])
})

/** What the viewer and the help say, and other words for it. */
test.each([
  ['示例', /样例/],
  ['参考答案', /标准答案/],
  ['评估器', /评测器/],
  ['思考过程', /推理过程|思考内容/],
])('one thing has one name in Chinese: %s', (_, others) => {
  const lines = pages
    .filter(({ name }) => name.endsWith('.zh-CN.md'))
    .flatMap(({ name, text }) => text.split('\n').map((line) => `${name}: ${line}`))
  expect(lines.length).toBeGreaterThan(1000)
  expect(lines.filter((line) => others.test(line))).toEqual([])
})

describe('comparing a translation', () => {
  const page = (name: string, text: string) => ({ name, path: new URL('file:///x.md'), text })
  const english = page('docs/x.md', '# One\n\n```sh\n# not a heading\nls\n```\n\n## Two\n')

  test('code that differs is replaced by that of the original', () => {
    const chinese = page('docs/x.zh-CN.md', '# 一\n\n```sh\ndir\n```\n\n## 二\n')
    expect(withBlocksOf(chinese, english)).toBe('# 一\n\n```sh\n# not a heading\nls\n```\n\n## 二\n')
    expect(headingLevels(chinese)).toEqual(headingLevels(english))
  })

  test('comments of commands may be translated', () => {
    const chinese = page('docs/x.zh-CN.md', '# 一\n\n```sh\n# 不是标题\nls\n```\n\n## 二\n')
    expect(withBlocksOf(chinese, english)).toBe(chinese.text)
  })

  test('a missing block is an error that names both pages', () => {
    expect(() => withBlocksOf(page('docs/x.zh-CN.md', '# 一\n'), english)).toThrow(
      'docs/x.zh-CN.md has other code blocks () than docs/x.md (sh)',
    )
  })

  test('a missing section shows', () => {
    expect(headingLevels(page('docs/x.zh-CN.md', '# 一\n'))).not.toEqual(headingLevels(english))
  })
})
