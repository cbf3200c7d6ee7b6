import { type Section, sections } from './pages.ts'
import { sitePath } from './site-paths.ts'

/** The settings of VitePress, as the text of its config file. */
export function siteConfig(
  pages: ReadonlySet<string>,
  api: readonly (readonly [name: string, file: string])[],
  hasPlayground: boolean,
): string {
  const playground = hasPlayground ? [{ text: 'Playground', link: '/playground/index.html', target: '_blank' }] : []
  const apiList = { text: 'API', items: api.map(([name, file]) => ({ text: name, link: `/api/${file.replace(/\/index$/, '')}/` })) }
  const english = {
    nav: [
      { text: 'Tutorials', link: '/tutorial-first-score' },
      { text: 'Reference', link: '/configuration' },
      ...(api.length > 0 ? [{ text: 'API', link: '/api/' }] : []),
      ...playground,
    ],
    sidebar: { '/api/': [apiList], '/': sections.map((section) => sidebarOf(section, pages, false)) },
  }
  const chinese = {
    nav: [{ text: '教程', link: '/zh/tutorial-first-score' }, { text: '参考（英文）', link: '/configuration' }, ...playground],
    sidebar: { '/zh/': sections.map((section) => sidebarOf(section, pages, true)).filter(({ items }) => items.length > 0) },
    outlineTitle: '本页',
    docFooter: { prev: '上一页', next: '下一页' },
    darkModeSwitchLabel: '主题',
    returnToTopLabel: '回到顶部',
    sidebarMenuLabel: '目录',
  }
  const config = {
    title: 'Rolecall',
    description: 'The exact prompt, for every model.',
    outDir: '../../.site',
    cleanUrls: false,
    lastUpdated: false,
    locales: {
      root: { label: 'English', lang: 'en', themeConfig: english },
      zh: { label: '简体中文', lang: 'zh-CN', link: '/zh/', themeConfig: chinese },
    },
    themeConfig: { search: { provider: 'local', options: { locales: { zh: { translations: searchInChinese } } } }, outline: [2, 3] },
    ignoreDeadLinks: ['^/playground', '^/api/'],
  }
  return `const config = ${JSON.stringify(config, null, 2)}
config.ignoreDeadLinks = config.ignoreDeadLinks.map((text) => new RegExp(text))
// The anchors of GitHub, which our pages are written with.
const slugify = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}\\s_-]/gu, '').replaceAll(' ', '-')
// Our pages have no HTML, and braces in them are those of templates: the site must not take either for its own language.
const literal = (md) => {
  for (const rule of ['text', 'code_inline']) {
    const usual = md.renderer.rules[rule]
    md.renderer.rules[rule] = (...args) => usual(...args).replaceAll('{{', '&#123;&#123;')
  }
}
export default { ...config, markdown: { html: false, config: literal, anchor: { slugify }, headers: { slugify }, toc: { slugify } } }
`
}

function sidebarOf({ title, zh, pages: listed }: Section, pages: ReadonlySet<string>, isChinese: boolean) {
  const items = listed.flatMap(({ page, title: english, zh: chinese }) => {
    const file = page.endsWith('.md') ? page : `docs/${page}.md`
    const link = sitePath(isChinese ? file.replace(/\.md$/, '.zh-CN.md') : file, pages)
    return link === undefined ? [] : [{ text: isChinese ? (chinese ?? english) : english, link }]
  })
  return { text: isChinese ? zh : title, items }
}

const searchInChinese = {
  button: { buttonText: '搜索' },
  modal: {
    noResultsText: '没有找到',
    resetButtonTitle: '清除',
    footer: { selectText: '打开', navigateText: '选择', closeText: '关闭' },
  },
}
