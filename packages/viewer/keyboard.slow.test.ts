import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { focusedOn, tabTo } from './testing/by-keyboard.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { makeRuns } from './testing/made-runs.ts'

vi.setConfig({ testTimeout: 60_000 })

// Complete workflows in the viewer without a mouse: nothing here clicks, and only keys move the focus.

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer

  beforeAll(async () => {
    await viewer.start()
    await makeRuns(join(viewer.folder, 'made'))
    const viewed = await openViewed([join(viewer.folder, 'made', 'outputs')])
    server = await serveViewer({ version: 'test', ...viewed }, { folder: viewer.built })
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  const count = (page: Page) => page.getByTestId('row-count').textContent()
  const numberOf = (page: Page) => page.locator('.pair-record h2').first().textContent()

  /** Whether the selected row is within the table, below its heading. */
  const isSelectedInSight = (page: Page) =>
    page.evaluate(() => {
      const [line, grid, head] = ['[aria-selected="true"].virtual-line', '[role="grid"]', '.table-head'].map((selector) =>
        document.querySelector(selector)?.getBoundingClientRect(),
      )
      return line !== undefined && line.top >= head!.bottom - 1 && line.bottom <= grid!.bottom + 1
    })

  test('keyboard only: from all runs to a run, its rows, one row and its tabs, and back', async () => {
    const page = await viewer.open(`${server.url}#/runs`, { viewport: { width: 1280, height: 620 } })
    const runs = page.locator('.home tbody tr')
    await eventually(() => runs.count()).toBe(2)
    // The skip link leads to the content, not to another page.
    await page.keyboard.press('Tab')
    expect(await focusedOn(page)).toBe('a skip to content')
    await page.keyboard.press('Enter')
    expect(await focusedOn(page)).toBe('main')
    expect(await page.locator('.not-here').count()).toBe(0)
    await page.keyboard.press('/')
    await page.keyboard.type('first')
    await eventually(() => runs.count()).toBe(1)
    await tabTo(page, page.getByRole('link', { name: 'first' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'first' }).waitFor()
    await eventually(() => focusedOn(page)).toBe('main')

    await tabTo(page, page.locator('summary').filter({ hasText: 'Datasets' }))
    await page.keyboard.press('Enter')
    const dot = page.getByRole('region', { name: 'Datasets (4)' }).getByRole('row', { name: 'numbers' }).getByRole('link').first()
    await dot.waitFor()
    await tabTo(page, dot)
    await page.keyboard.press('Enter')
    await eventually(() => count(page)).toBe('10 of 10 rows')
    await eventually(() => focusedOn(page)).toBe('main')

    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await eventually(() => numberOf(page)).toBe('Row 1')
    await tabTo(page, page.getByRole('button', { name: 'wrong 4' }))
    await page.keyboard.press('Space')
    await eventually(() => count(page)).toBe('4 of 10 rows')
    await page.keyboard.press('/')
    await page.keyboard.type('is 9')
    await eventually(() => count(page)).toBe('1 of 10 rows')
    // Escape clears the field, and leaves it if it is empty.
    await page.keyboard.press('Escape')
    await eventually(() => count(page)).toBe('4 of 10 rows')
    await page.keyboard.press('Enter')
    expect(await focusedOn(page)).toMatch(/^grid/)
    await page.keyboard.press('End')
    await eventually(() => numberOf(page)).toBe('Row 8')
    await eventually(() => isSelectedInSight(page)).toBe(true)
    await page.keyboard.press('k')
    await eventually(() => numberOf(page)).toBe('Row 7')

    await page.keyboard.press('Enter')
    expect(await focusedOn(page)).toBe('tab Answer')
    await page.keyboard.press('ArrowRight')
    await page.locator('#row-panel .prompt').waitFor()
    expect(await focusedOn(page)).toBe('tab Prompt')
    // White space is shown, and the same rows stay selected.
    await page.keyboard.press('w')
    await page.locator('.prompt .spaces, .prompt .white').first().waitFor()
    expect(await count(page)).toBe('4 of 10 rows')

    // While the help is open, the dialog handles keys.
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    expect(await numberOf(page)).toBe('Row 7')
    expect(await focusedOn(page)).toBe('tab Prompt')
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('.pair-record').count()).toBe(0)
    expect(await focusedOn(page)).toMatch(/^grid/)

    await page.goBack()
    await eventually(() => numberOf(page)).toBe('Row 7')
    await tabTo(page, page.getByRole('navigation', { name: 'where you are' }).getByRole('link').first(), { back: true })
    await page.keyboard.press('Enter')
    await eventually(() => runs.count()).toBe(2)
    await page.close()
  })

  test('keyboard only: selects two runs and compares them row by row', async () => {
    const page = await viewer.open(`${server.url}#/runs`)
    await eventually(() => page.locator('.home tbody tr').count()).toBe(2)
    for (const box of await page.getByRole('checkbox').all()) {
      await tabTo(page, box)
      await page.keyboard.press('Space')
    }
    await tabTo(page, page.getByRole('button', { name: 'Compare' }), { back: true })
    await page.keyboard.press('Enter')
    await page.locator('.compared-table').waitFor()
    await eventually(() => focusedOn(page)).toBe('main')
    await tabTo(page, page.locator('.compared-table').getByRole('button', { name: 'numbers' }).first())
    await page.keyboard.press('Enter')
    const better = page.getByRole('button', { name: 'better 5' })
    await tabTo(page, better)
    await page.keyboard.press('Enter')
    await eventually(() => better.getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('j')
    await eventually(() => numberOf(page)).toBe('Row 4')
    await tabTo(page, page.getByRole('grid'))
    await page.keyboard.press('ArrowDown')
    await eventually(() => numberOf(page)).toBe('Row 5')
    await page.keyboard.press('Enter')
    expect(await focusedOn(page)).toMatch(/^button/)
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('.pair-record').count()).toBe(0)
    expect(await focusedOn(page)).toMatch(/^grid/)
    await page.close()
  })

  test('keyboard only: compares two models of one run', async () => {
    const page = await viewer.open(`${server.url}#/runs?run=1`)
    await tabTo(page, page.locator('summary').filter({ hasText: 'Models compared' }))
    await page.keyboard.press('Enter')
    const line = page.locator('.compared-table').getByRole('link', { name: 'numbers' })
    await line.waitFor()
    await tabTo(page, line)
    await page.keyboard.press('Enter')
    await page.getByText('small → large').first().waitFor()
    expect(await page.locator('.compared-table tbody tr').first().textContent()).toContain('4 rows better, 0 worse')
    expect(await page.getByLabel('first', { exact: true }).inputValue()).toMatch(/^first\/.*: small$/)
    await page.keyboard.press('j')
    await eventually(() => numberOf(page)).toBe('Row 0')
    await page.close()
  })

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})
