import { posix } from 'node:path'

/** Where a file of the repository stands on the site, without ending; undefined where it is not on it. */
export function sitePath(file: string, pages: ReadonlySet<string>): string | undefined {
  if (file === 'docs/README.md') return '/contents'
  if (file === 'docs/README.zh-CN.md') return '/zh/contents'
  if (!pages.has(file)) return undefined
  const isChinese = file.endsWith('.zh-CN.md')
  const name = file.replace(/(\.zh-CN)?\.md$/, '').replace(/^docs\//, '')
  const known = name === 'README' ? 'overview' : name === 'packages/rolecall/embedded-model/README' ? 'embedded-model' : name.toLowerCase()
  return `${isChinese ? '/zh' : ''}/${known}`
}

/** A page as the site has it: links lead to its other pages, those to files that it does not have are plain text, pictures lie at its root. */
export function siteText(file: string, text: string, pages: ReadonlySet<string>): string {
  // The site shows HTML as text: what is generated is marked by comments, and keys are code there.
  return outsideCode(text.replace(/^<!-- .*? -->\n\n?/gm, ''), (prose) =>
    prose
      .replace(/<kbd>(.*?)<\/kbd>/g, '`$1`')
      .replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, mark: string, label: string, link: string) => {
        if (/^(?:https?:|mailto:|#)/.test(link)) return whole
        const [path = '', anchor] = link.split('#')
        const target = posix.join(posix.dirname(file), path)
        if (mark === '!') return `![${label}](/${posix.basename(path)})`
        const place = sitePath(target, pages)
        return place === undefined ? label : `[${label}](${place}${anchor === undefined ? '' : `#${anchor}`})`
      }),
  )
}

/** A page of the API reference: members that are listed in a table have no anchor, so links to them lead to their page. */
export function apiText(text: string, hasAnchor: (link: string) => boolean): string {
  return text.replace(/\]\(([^)\s#]+)#([^)\s]+)\)/g, (whole, page: string) => (hasAnchor(whole.slice(2, -1)) ? whole : `](${page})`))
}

function outsideCode(text: string, change: (prose: string) => string): string {
  // A label of a link may be code: links are changed whole, code of its own is left alone.
  const code = /(^```[\s\S]*?^```$|`[^`\n]*`(?!\]))/gm
  return text
    .split(code)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
