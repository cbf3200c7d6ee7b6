import { type Section, sections } from './pages.ts'
import { sitePath } from './site-paths.ts'

export type SiteContents = {
  /** Files of the repository that are pages. */
  pages: ReadonlySet<string>
  /** Paths of the pages that exist in both languages. */
  translated: readonly string[]
  /** Entry points with an API reference. */
  api: readonly string[]
  hasLab: boolean
  version: string
}

/** The settings of VitePress, as the text of its config file. */
export function siteConfig({ pages, translated, api, hasLab, version }: SiteContents): string {
  // An application beside the pages, which VitePress must not open as one of them.
  const lab = (text: string, link: string) => (hasLab ? [{ text, link, target: '_self' }] : [])
  const apiList = { text: 'API reference', items: api.map((name) => ({ text: name, link: `/api/${name}/` })) }
  const english = {
    nav: [
      { text: 'Tutorials', link: '/tutorial-first-score' },
      { text: 'Guides', link: '/evaluate' },
      { text: 'Reference', link: '/configuration' },
      ...(api.length > 0 ? [{ text: 'API', link: '/api/' }] : []),
      ...lab('Lab', '/lab/'),
    ],
    sidebar: { '/api/': [apiList], '/': sections.map((section) => sidebarOf(section, pages, false)) },
  }
  const chinese = {
    nav: [
      { text: '教程', link: '/zh/tutorial-first-score' },
      { text: '指南', link: zhLink('evaluate', pages) },
      { text: '参考', link: zhLink('templates', pages) },
      ...(api.length > 0 ? [{ text: 'API（英文）', link: '/api/' }] : []),
      ...lab('实验台', '/lab/#lang=zh'),
    ],
    sidebar: { '/zh/': sections.map((section) => sidebarOf(section, pages, true)) },
    outlineTitle: '本页',
    docFooter: { prev: '上一页', next: '下一页' },
    darkModeSwitchLabel: '主题',
    returnToTopLabel: '回到顶部',
    sidebarMenuLabel: '目录',
    langMenuLabel: '语言',
    lightModeSwitchTitle: '切换到浅色模式',
    darkModeSwitchTitle: '切换到深色模式',
  }
  const config = {
    title: 'Rolecall',
    description: 'The exact prompt, for every model.',
    outDir: '../../.site',
    cleanUrls: false,
    lastUpdated: false,
    head: [['link', { rel: 'icon', href: '/icon.svg' }]],
    locales: {
      root: { label: 'English', lang: 'en', themeConfig: english },
      zh: { label: '简体中文', lang: 'zh-CN', link: '/zh/', themeConfig: chinese },
    },
    themeConfig: {
      logo: '/icon.svg',
      search: { provider: 'local', options: { locales: { zh: { translations: searchInChinese } } } },
      outline: [2, 3],
      translated,
      version,
    },
    ignoreDeadLinks: ['^/api/'],
  }
  return `const config = ${JSON.stringify(config, null, 2)}
config.ignoreDeadLinks = config.ignoreDeadLinks.map((text) => new RegExp(text))
// The anchors of GitHub, which our pages are written with.
const slugify = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}\\s_-]/gu, '').replaceAll(' ', '-')
// Our pages have no HTML but line breaks in tables, and braces in them are those of templates: the site must not take either for its own language.
const literal = (md) => {
  for (const rule of ['text', 'code_inline']) {
    const usual = md.renderer.rules[rule]
    md.renderer.rules[rule] = (...args) => usual(...args).replaceAll('{{', '&#123;&#123;').replaceAll('&lt;br&gt;', '<br>')
  }
}
// Words as the search knows them: in Chinese, which has no spaces, every two neighbouring characters are one.
const tokenize = (text) =>
  text.split(/[\\n\\r\\p{Z}\\p{P}]+/u).flatMap((word) =>
    (word.match(/\\p{Script=Han}+|[^\\p{Script=Han}]+/gu) ?? []).flatMap((part) =>
      /\\p{Script=Han}{3}/u.test(part) ? Array.from({ length: part.length - 1 }, (_, at) => part.slice(at, at + 2)) : [part],
    ),
  )
// Words that say nothing about what is looked for.
const processTerm = (term) => (/^(?:an?|and|are|as|at|be|by|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|what|when|why|with|的|了|是|在|和)$/i.test(term) ? null : term.toLowerCase())
// Pages for people come before those made from declarations, and before lists of rules and changes.
config.themeConfig.search.options.miniSearch = {
  options: { tokenize, processTerm },
  // Short words are not guessed: "link" is not "line".
  searchOptions: { fuzzy: (term) => (term.length > 6 ? 0.2 : false), boostDocument: (id) => (id.includes('/api/') ? 0.1 : /\\/(?:fidelity|changelog|documents|opencompass)\\b/.test(id) ? 0.3 : 1) },
}
export default { ...config, markdown: { html: false, config: literal, anchor: { slugify }, headers: { slugify }, toc: { slugify } } }
`
}

/** A page in Chinese, or in English as long as it is not translated. */
function zhLink(page: string, pages: ReadonlySet<string>): string {
  return sitePath(`docs/${page}.zh-CN.md`, pages) ?? `/${page}`
}

function sidebarOf({ title, zh, pages: listed }: Section, pages: ReadonlySet<string>, isChinese: boolean) {
  const items = listed.flatMap(({ page, title: english, zh: chinese }) => {
    const file = page.endsWith('.md') ? page : `docs/${page}.md`
    const own = isChinese ? sitePath(file.replace(/\.md$/, '.zh-CN.md'), pages) : undefined
    const link = own ?? sitePath(file, pages)
    if (link === undefined) return []
    // Pages that are only in English are listed for Chinese readers, too, and marked.
    return [{ text: isChinese ? `${chinese ?? english}${own === undefined ? '（英文）' : ''}` : english, link }]
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
