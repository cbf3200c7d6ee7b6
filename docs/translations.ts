import { type Block, blocksOf, type Page, withCode } from './page.ts'

/** The English page that a Chinese page translates section by section, with the same code; undefined for other pages. */
export function originalOf(name: string): string | undefined {
  return name.endsWith('.zh-CN.md') ? name.replace('.zh-CN.md', '.md') : undefined
}

/** A translation with the code of its original. */
export function withBlocksOf(translation: Page, original: Page): string {
  const [here, there] = [translation, original].map((page) => blocksOf(page).map(({ language }) => language))
  if (`${here}` !== `${there}`)
    throw new Error(`${translation.name} has other code blocks (${here}) than ${original.name} (${there}): add or remove some`)
  const own = blocksOf(translation)
  return withCode(
    translation,
    blocksOf(original).map((block, index) => (differsInComments(own[index]!, block) ? own[index]!.code : block.code)),
  )
}

/** Comments in shell commands and configs may be translated. */
function differsInComments(one: Block, other: Block): boolean {
  const bare = (code: string) => code.replace(/\s*# .*$/gm, '')
  return ['sh', 'bash', 'yaml'].includes(one.language) && bare(one.code) === bare(other.code)
}

/** The levels of a page's headings, in order. */
export function headingLevels({ text }: Page): number[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/^(#+) /gm)].map(([, marks]) => marks!.length)
}
