import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deadLinks, htmlPage } from './dead-links.ts'

/** What readers look for, and the page or section that must come first. */
const searches: readonly (readonly [language: 'root' | 'zh', words: string, first: string])[] = [
  ['root', 'temperature', '/evaluate.html#temperature-sampling-and-seeds'],
  ['root', 'resume', '/long-runs.html'],
  ['root', 'perplexity', '/servers.html#perplexity'],
  ['root', 'fallback_role', '/meta-templates.html'],
  ['root', 'confidence interval', '/scoring.html#confidence-intervals'],
  ['root', 'proxy', '/tutorial-proxy.html'],
  ['root', 'share a link', '/lab.html'],
  ['zh', '困惑度', '/zh/servers.html#困惑度'],
  ['zh', '温度', '/zh/evaluate.html#温度采样与种子'],
  ['zh', '断点续跑', '/zh/long-runs.html'],
  ['zh', '元模板', '/zh/meta-templates.html'],
  ['zh', '反向代理', '/zh/tutorial-proxy.html'],
]

/** Checks the built site: every internal link of every page, and what common searches find. Reports what it checked; throws if something is wrong. */
export async function checkSite(folder: string, sources: string, toolsFolder: string): Promise<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  // The lab is an application, and the pages of the playground only lead there.
  const pages = files.filter((file) => file.endsWith('.html') && !/^(?:lab\/(?!index)|lab-offline|(?:zh\/)?playground)/.test(file))
  const linked = pages.map((file) => htmlPage(`/${file}`, readFileSync(join(folder, file), 'utf8')))
  const problems = [...deadLinks(linked).map((link) => `dead link: ${link}`), ...(await wrongSearches(folder, files, sources, toolsFolder))]
  if (problems.length > 0) throw new Error(`the site has ${problems.length} problems:\n${problems.join('\n')}`)
  const links = linked.reduce((sum, page) => sum + page.links.length, 0)
  return `checked ${links} links of ${pages.length} pages and ${searches.length} searches`
}

/** Searches whose first result is another page, asked as the site's search box asks. */
async function wrongSearches(folder: string, files: readonly string[], sources: string, toolsFolder: string): Promise<string[]> {
  const load = async (file: string) => (await import(pathToFileURL(file).href)).default
  const MiniSearch = await load(join(toolsFolder, 'node_modules/minisearch/dist/es/index.js'))
  const { options, searchOptions } = (await load(join(sources, '.vitepress/config.mjs'))).themeConfig.search.options.miniSearch
  const found = searches.map(async ([language, words, first]) => {
    const index = files.find((file) => file.includes(`@localSearchIndex${language}.`))!
    const search = MiniSearch.loadJSON(await load(join(folder, index)), { ...searchBoxOptions, ...options })
    const ids: string[] = search.search(words, { ...searchBoxOptions.searchOptions, ...searchOptions }).map(({ id }: { id: string }) => id)
    return ids[0]?.startsWith(first) ? [] : [`search "${words}": ${ids.slice(0, 5).join(', ') || 'nothing'} instead of ${first}`]
  })
  return (await Promise.all(found)).flat()
}

/** How VitePress's search box asks. */
const searchBoxOptions = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
}
