import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../src/app/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../src/app/server/viewer/serve-viewer.ts'
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

  // `counts.test.ts` compares all counts with the rows that are chosen; here one link of each kind is opened.
  test('a count of each kind opens as many rows as it says', async () => {
    const page = await viewer.open(`${server.url}#/runs?turned=answers+by+remarks`)
    const links = page.locator('.figures a[href*="show="], .remarks a')
    await eventually(() => links.count()).toBeGreaterThan(20)
    const told = await links.evaluateAll((all) =>
      all.map((link) => ({ href: link.getAttribute('href')!, text: (link.closest('td, dd') ?? link).textContent! })),
    )
    const opened: Record<string, readonly [string, string]> = {}
    const kinds = new Map(
      told.map((one) => [new URLSearchParams(one.href).get('show') ?? [...new URLSearchParams(one.href).keys()].join(), one]),
    )
    for (const { href, text } of kinds.values()) {
      // "5 in 3 rows", "2 of 11 rows", or the number alone.
      const count = (/(\d+) of \d+ /.exec(text) ?? /(\d+) rows?$/.exec(text) ?? /(\d+)$/.exec(text))?.[1]
      await page.goto(`${server.url}${href}`)
      const shown = page.getByTestId('row-count')
      await eventually(() => shown.textContent()).toMatch(/^\d+ of \d+ rows$/)
      await eventually(() => page.locator('.chip[aria-pressed="true"]').count()).toBeGreaterThan(0)
      // Notes on the dataset as a whole have no rows, and the page says so.
      if (await page.getByText('No row has the note').isVisible()) continue
      opened[`${href} ${text}`] = [count ?? '', /^\d+/.exec((await shown.textContent())!)![0]]
    }
    expect(Object.entries(opened).filter(([, [said, found]]) => said !== found)).toEqual([])
    const outcomes = new Set(told.map(({ href }) => /show=([\w-]+)/.exec(href)?.[1]))
    for (const one of ['answered', 'not-found', 'cut', 'refused', 'empty', 'tool-call', 'no-gold', 'not-decided', 'failed'])
      expect(outcomes).toContain(one)
    await page.close()
  })
})
