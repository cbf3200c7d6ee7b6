import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { makeRuns } from './testing/made-runs.ts'

vi.setConfig({ testTimeout: 60_000 })

/** The printable width of A4 with the margins of `print.css`, in pixels. */
const paper = 688

// Layouts that decide whether pages are readable: on paper, on a phone, with long conversations.
describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer
  const keyOf = (name: string) => `${name}/${readdirSync(join(viewer.folder, 'made', 'outputs', name))[0]!}`
  const compared = () => `${server.url}#/compare?first=${keyOf('first')}&second=${keyOf('second')}`

  beforeAll(async () => {
    await viewer.start()
    await makeRuns(join(viewer.folder, 'made'), ['first', 'second', 'formats'])
    server = await serveViewer(
      { version: 'test', ...(await openViewed([join(viewer.folder, 'made', 'outputs')])) },
      { folder: viewer.built },
    )
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  /** Opened in the dark theme, then printed. */
  const printed = async (url: string, there: string): Promise<Page> => {
    const page = await viewer.open(url, { colorScheme: 'dark' })
    await page.locator(there).first().waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: paper, height: 1000 })
    return page
  }

  /** Right edges of visible elements beyond the paper. */
  const cutOff = (page: Page) =>
    page.evaluate((width) => {
      const seen = [...document.querySelectorAll('th, td, .cell, pre, .answer, svg')]
      return seen.map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0 && box.right > width + 1).length
    }, paper)

  test('a run and a comparison are printed completely: no cut columns, with names, on white', async () => {
    const run = await printed(`${server.url}#/runs?run=${keyOf('first')}`, '.section')
    await eventually(() => cutOff(run)).toBe(0)
    // Sections that are collapsed on the screen are printed.
    for (const text of ['numbers by category', 'not decided', 'prompt, tokens']) await run.getByText(text).first().waitFor()
    expect(await run.locator('details.section:not([open])').count()).toBe(0)
    expect(await run.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    await run.context().close()

    const comparison = await printed(compared(), '.interval-plot')
    await eventually(() => cutOff(comparison)).toBe(0)
    expect(await comparison.locator('.compared-table th[scope="row"]').first().innerText()).toContain('numbers')
    await comparison.context().close()
  })

  test('the visible rows are printed with their headings; a single row is printed without the list', async () => {
    const rows = `${server.url}#/runs?run=${keyOf('first')}&model=small&dataset=numbers`
    const list = await printed(rows, '.virtual-line .verdict')
    await eventually(() => cutOff(list)).toBe(0)
    expect(await list.locator('.table-head').innerText()).toContain('verdict')
    await list.context().close()

    const row = await printed(`${rows}&row=7`, '.answer .laid-out')
    expect(await row.locator('.virtual-table').isVisible()).toBe(false)
    expect(await row.getByRole('heading', { name: 'small on numbers' }).isVisible()).toBe(true)
    await row.context().close()
  })

  test('a conversation row is shown turn by turn, and in the list by its messages', async () => {
    const page = await viewer.open(`${server.url}#/runs?run=${keyOf('first')}&model=small&dataset=chats&row=0`)
    await page.locator('.asked-turns .speech').first().waitFor()
    expect(await page.locator('.asked-turns .speech h2').allTextContents()).toEqual(['user', 'the model', 'user'])
    expect(await page.locator('.virtual-line .c-asked').textContent()).toBe('Say one. · one · Say two.')
    expect(await page.locator('.virtual-line .c-answered').textContent()).toBe('one · two')
    expect(await page.locator('.pair-record').textContent()).not.toContain('score NaN')
    await page.close()
  })

  test('a comparison shows the rows of the selected dataset, and returns to all datasets', async () => {
    const page = await viewer.open(`${compared()}&dataset=numbers&model=small`)
    const list = page.locator('.compared-rows')
    await list.waitFor()
    expect((await list.boundingBox())!.y).toBeLessThan(500)
    await page.getByRole('button', { name: 'all datasets' }).click()
    await eventually(() => page.locator('.compared-table tbody tr').count()).toBeGreaterThan(4)
    await page.close()
  })

  test('a model with several formats is listed once per run; a search without results says so', async () => {
    const page = await viewer.open(`${server.url}#/runs`)
    await page.getByText('small in 3 formats').waitFor()
    await page.getByLabel('search runs').fill('zzz')
    await page.getByText('No run has “zzz” in its name, models or datasets.').waitFor()
    await page.close()
  })

  test('on a phone the lines of the run list fit, and names in tables wrap by words, not by letters', async () => {
    const page = await viewer.open(`${server.url}#/runs`, { viewport: { width: 390, height: 800 } })
    const bars = page.locator('.home .bars').first()
    await bars.waitFor()
    const { x, width } = (await bars.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(390)
    await page.goto(compared())
    const name = page.locator('.compared-table th[scope="row"]').first()
    await name.waitFor()
    const box = (await name.boundingBox())!
    expect([box.width >= 100, box.height < 140]).toEqual([true, true])
    await page.context().close()
  })

  test.each([1024, 390])('the list of runs fits %s pixels also if a run is damaged', async (width) => {
    const made = join(viewer.folder, 'made', 'outputs')
    writeFileSync(join(made, keyOf('formats'), 'summary/summary.json'), '{')
    const page = await viewer.open(`${server.url}#/runs`, { viewport: { width, height: 800 } })
    await page.getByText('summary/summary.json unreadable').waitFor()
    const hidden = await page.locator('.table-box').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(hidden).toBe(0)
    const [state, name] = [page.locator('.damage-summary').first(), page.locator('tr:has(.damage-summary) th a').first()]
    expect((await state.boundingBox())!.x).toBeGreaterThan((await name.boundingBox())!.x + (await name.boundingBox())!.width)
    await page.context().close()
  })
})
