import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type FidelityRule, fidelityRules } from '../src/config/fidelity.ts'

/** What stands between `<!-- generated: NAME -->` and `<!-- end -->` in the pages of this folder. */
const blocks: Record<string, () => string> = {
  fidelity: () =>
    `${rulesOfKind('promise', 'Where a document promises what the reference fails to do')}\n\n${rulesOfKind('quirk', 'Where the reference renders something else')}`,
}

/** The pages of this folder with their generated blocks as they should be. */
export function generatePages(): { path: URL; current: string; generated: string }[] {
  const pages = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.md'))
  return pages.map((name) => {
    const path = new URL(name, import.meta.url)
    const current = readFileSync(path, 'utf8')
    const generated = current.replace(/<!-- generated: (\S+) -->[\s\S]*?<!-- end -->/g, (_, block: string) => {
      const print = blocks[block]
      if (!print) throw new Error(`${name}: no generated block is called ${block} (there are: ${Object.keys(blocks).join(', ')})`)
      return `<!-- generated: ${block} -->\n\n${print()}\n\n<!-- end -->`
    })
    return { path, current, generated }
  })
}

function rulesOfKind(kind: FidelityRule['kind'], title: string): string {
  const rules = Object.entries<FidelityRule>(fidelityRules).filter(([, rule]) => rule.kind === kind)
  const sections = rules.map(
    ([name, { reference, document, rolecall }]) =>
      `#### ${name}\n\n- The reference: ${reference}\n- The documents: ${document}\n- Rolecall: ${rolecall}`,
  )
  return [`### ${title}`, ...sections].join('\n\n')
}

if (process.argv.includes('--write')) for (const { path, generated } of generatePages()) writeFileSync(path, generated)
