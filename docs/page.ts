import { readdirSync, readFileSync } from 'node:fs'

export type Block = { language: string; code: string }

export type Page = { name: string; path: URL; text: string }

const root = new URL('../', import.meta.url)
const fence = /^```(\S+)\n([\s\S]*?)^```$/gm

/** The pages that have code to run: the READMEs and those of this folder. */
export function readPages(): Page[] {
  const pages = readdirSync(new URL('docs', root)).filter((name) => name.endsWith('.md'))
  return ['README.md', 'README.zh-CN.md', ...pages.map((name) => `docs/${name}`)].map(readPage)
}

export function readPage(name: string): Page {
  const path = new URL(name, root)
  return { name, path, text: readFileSync(path, 'utf8') }
}

export function blocksOf({ text }: Pick<Page, 'text'>): Block[] {
  return [...text.matchAll(fence)].map(([, language, code]) => ({ language: language!, code: code! }))
}

/** The page with other code in its blocks, one text each. */
export function withCode({ text }: Page, code: readonly string[]): string {
  let next = 0
  return text.replace(fence, (_, language: string) => `\`\`\`${language}\n${code[next++]}\`\`\``)
}

/** Programs with a framework or a server of their own: proof/testing/adapters runs them. */
export const runsElsewhere = /from '(?:ai|vitest)'|@rolecall\/adapters|\/\/ vLLM, SGLang, llama\.cpp/

export function isProgram({ language, code }: Block): boolean {
  return language === 'ts' && /from 'rolecall(\/[\w-]+)?'/.test(code) && !runsElsewhere.test(code)
}

/** Whether the page has commands or programs that the tests run. */
export function hasCodeToRun(page: Page): boolean {
  return blocksOf(page).some((block) => block.language === 'console' || isProgram(block))
}

/** The anchors that GitHub gives headings; headings of the same name have the same one here. */
export function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
