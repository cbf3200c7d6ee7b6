import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { makeOutcomes } from './testing/made-outcomes.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer

  beforeAll(async () => {
    await viewer.start()
    const run = await makeOutcomes(viewer.folder)
    server = await serveViewer({ version: 'test', ...(await openViewed([run])) }, { folder: viewer.built })
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  // `counts.test.ts` compares all counts with the rows that are chosen; here every link of the page is opened.
  test('every count opens as many rows as it says', { timeout: 240_000 }, async () => {
    const page = await viewer.open(`${server.url}#/runs?turned=answers+by+remarks`)
    const links = page.locator('.figures a[href*="show="], .remarks a')
    await eventually(() => links.count()).toBeGreaterThan(20)
    const told = await links.evaluateAll((all) =>
      all.map((link) => ({ href: link.getAttribute('href')!, text: (link.closest('td, dd') ?? link).textContent })),
    )
    const shown = page.getByTestId('row-count')
    for (const { href, text } of new Map(told.map((one) => [`${one.href} ${one.text}`, one])).values()) {
      // "5 in 3 rows", "2 of 11 rows", or the number alone.
      const count = (/(\d+) of \d+ /.exec(text) ?? /(\d+) rows?$/.exec(text) ?? /(\d+)$/.exec(text))?.[1]
      await page.goto(`${server.url}${href}`)
      const show = new URLSearchParams(href.split('?')[1]).get('show') ?? 'all'
      await page.locator(`.chip.v-${show}[aria-pressed="true"]`).waitFor()
      const opened = async () => /^\d+(?= of \d+ rows$)/.exec((await shown.textContent())!)?.[0]
      await eventually(async () => `${href} ${text}: ${await opened()}`).toBe(`${href} ${text}: ${count}`)
    }
    const outcomes = new Set(told.map(({ href }) => /show=([\w-]+)/.exec(href)?.[1]))
    for (const one of ['answered', 'not-found', 'cut', 'refused', 'empty', 'tool-call', 'no-gold', 'not-decided', 'failed'])
      expect(outcomes).toContain(one)
    await page.close()
  })
})
