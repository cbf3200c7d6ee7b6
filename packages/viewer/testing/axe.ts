import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Found = { violations: { id: string; nodes: { target: string[]; html: string; any: { message: string }[] }[] }[] }

/**
 * The violations that axe finds on each page, as rule, selector, message and HTML. Pages are given by their hash, with a selector for each
 * part that they load: axe would otherwise check incomplete pages.
 */
export async function axeFindings(page: Page, pages: readonly (readonly [hash: string, ...there: string[]])[]): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(readFileSync(axe, 'utf8'))
  const all: string[] = []
  for (const [hash, ...there] of pages) {
    await page.evaluate((to) => {
      location.hash = to
    }, `#/${hash}`)
    for (const selector of there) await page.locator(selector).first().waitFor({ state: 'attached' })
    const found = (await page.evaluate(findings, rules)) as string[]
    all.push(...found.map((one) => `${hash}: ${one}`))
  }
  return all
}

async function findings(runOnly: readonly string[]): Promise<string[]> {
  const { axe: checker } = globalThis as unknown as { axe: { run(what: Document, options: object): Promise<Found> } }
  const { violations } = await checker.run(document, { runOnly })
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, html, any }) => `${id} at ${target.join(' ')}: ${any[0]?.message ?? ''} ${html.slice(0, 200)}`),
  )
}
