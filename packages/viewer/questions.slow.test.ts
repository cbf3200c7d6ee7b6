import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { axeFindings } from './testing/axe.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { englishTexts } from './testing/english-texts.ts'
import { makeRuns } from './testing/made-runs.ts'

vi.setConfig({ testTimeout: 90_000 })

// What people ask of a run, from the list of runs on: each answer takes at most three clicks, where typing a filter or a number counts as one.

/** Counts what a person does. */
class Asked {
  actions = 0
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.actions++
    await target.click()
  }

  async openGrid(run: string): Promise<void> {
    await this.click(this.page.locator('.home tbody tr').filter({ hasText: run }).getByRole('link', { name: 'Grid' }))
    await this.page.locator('.virtual-line .reading').first().waitFor()
  }

  async filter(line: string, rows: string): Promise<void> {
    this.actions++
    await this.page.getByLabel('search rows').fill(line)
    await eventually(() => this.page.getByTestId('row-count').textContent()).toBe(rows)
  }
}

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer

  const ask = async () => {
    const page = await viewer.open(`${server.url}#/runs`, {
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.locator('.home .to-grid').first().waitFor()
    return new Asked(page)
  }

  beforeAll(async () => {
    await viewer.start()
    await makeRuns(join(viewer.folder, 'made'), ['first', 'formats'])
    const viewed = await openViewed([join(viewer.folder, 'made', 'outputs')])
    server = await serveViewer({ version: 'test', ...viewed }, { folder: viewer.built })
  }, 180_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  test('which rows does A get right and B wrong: one filter, completed while typing and kept in the link', async () => {
    const asked = await ask()
    const { page } = asked
    await asked.openGrid('first')
    expect(await page.locator('.column-title').allTextContents()).toEqual(['A small', 'B large'])
    await asked.filter('small:wrong B:right', '4 of 16 rows')
    expect(asked.actions).toBeLessThanOrEqual(3)
    expect(await page.locator('.virtual-line .c-number').allTextContents()).toEqual(['4', '5', '7', '8'])
    expect(new URL(page.url().replace('#/', '')).searchParams.get('q')).toBe('small:wrong B:right')
    // A term is proposed with the number of rows that it would leave; Tab takes it.
    await page.getByLabel('search rows').pressSequentially(' cat')
    await eventually(() => page.getByRole('option').first().textContent()).toBe('category=productsa column of the row2 rows')
    await page.keyboard.press('Tab')
    await eventually(() => page.getByTestId('row-count').textContent()).toBe('2 of 16 rows')
    // The shown rows are exported, with the answers of both.
    const csv = await page.evaluate(async () => {
      const link = [...document.querySelectorAll<HTMLAnchorElement>('.downloads a')].find(({ textContent }) => textContent.includes('CSV'))!
      return (await fetch(link.href)).text()
    })
    expect(
      csv
        .trim()
        .split('\n')
        .map((line) => line.split(',').slice(0, 6).join()),
    ).toEqual(['dataset,row,expected,excluded,A small: verdict,A small: extracted', 'numbers,4,42,,wrong,43', 'numbers,5,81,,wrong,82'])
    await page.context().close()
  })

  test('the prompt of row 7 with its ids', async () => {
    const asked = await ask()
    const { page } = asked
    await asked.openGrid('first')
    asked.actions++
    await page.keyboard.press('g')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Row 7' }).waitFor()
    await asked.click(page.getByRole('tab', { name: 'Prompt' }))
    expect(asked.actions).toBeLessThanOrEqual(3)
    await page.getByText('the prompt that was sent, to the byte').waitFor()
    expect(await page.getByTestId('prompt').textContent()).toContain('How many legs has a spider?')
    await page.context().close()
  })

  test('why did a row get nothing: a sentence says which step took what, and what it was compared with', async () => {
    const asked = await ask()
    const { page } = asked
    await asked.openGrid('first')
    await asked.click(page.locator('.virtual-line').filter({ hasText: 'What is 6 * 7?' }))
    expect(asked.actions).toBeLessThanOrEqual(3)
    await eventually(() => page.locator('.scoring').allTextContents()).toEqual([
      'final_number took 43 from the reply; expected 42; AccEvaluator: wrong.',
      'final_number took 42 from the reply; expected 42; AccEvaluator: right.',
    ])
    await page.context().close()
  })

  test('which replies were cut, and in which does a word occur', async () => {
    const asked = await ask()
    const { page } = asked
    await asked.openGrid('first')
    await asked.filter('cut', '1 of 16 rows')
    expect(asked.actions).toBeLessThanOrEqual(3)
    await page.getByLabel('search rows').fill('')
    await asked.filter('reply~"the product is"', '2 of 16 rows')
    await asked.filter('q~"the product is"', '0 of 16 rows')
    await page.getByText('No row matches').waitFor()
    await page.context().close()
  })

  test('does the format matter, and where: a column for each format, and the rows they disagree on', async () => {
    const asked = await ask()
    const { page } = asked
    await asked.openGrid('formats')
    expect((await page.locator('.column-about').allTextContents()).sort()).toEqual(['chatml', 'internlm2', 'plain'])
    await asked.click(page.getByRole('button', { name: /^disagree/ }))
    expect(asked.actions).toBeLessThanOrEqual(3)
    await eventually(() => page.locator('.virtual-line .c-number').allTextContents()).toEqual(['4', '5', '6', '7', '8'])
    // Charts of these rows: a category is a term, and so is a range of tokens that the pointer is dragged over.
    await page.keyboard.press('c')
    await page.getByRole('region', { name: 'score by category' }).getByRole('button', { name: 'products' }).click()
    await eventually(() => page.getByTestId('row-count').textContent()).toBe('3 of 12 rows')
    const tokens = page.getByRole('region', { name: 'score by tokens' }).getByRole('button')
    await tokens.first().hover()
    await page.mouse.down()
    await tokens.last().hover()
    await page.mouse.up()
    await eventually(() => page.getByLabel('search rows').inputValue()).toMatch(/^disagree category=products tokens=\d+\.\.\d+$/)
    expect(await page.getByTestId('row-count').textContent()).toBe('3 of 12 rows')
    await page.context().close()
  })

  test('a row is shared by its link', async () => {
    const asked = await ask()
    const { page } = asked
    await asked.openGrid('first')
    await asked.click(page.locator('.virtual-line').filter({ hasText: 'spider' }))
    await asked.click(page.getByRole('button', { name: 'copy link' }))
    expect(asked.actions).toBeLessThanOrEqual(3)
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const again = await viewer.open(link)
    await again.getByRole('heading', { name: 'Row 7' }).waitFor()
    await again.close()
    await page.context().close()
  })

  test('a row with a wrong expected answer is excluded: scores are without it, here and in comparisons, until it counts again', async () => {
    const asked = await ask()
    const { page } = asked
    await asked.openGrid('first')
    await page.goto(`${page.url()}&data=numbers`)
    const score = () => page.locator('.column-score b').first().textContent()
    await eventually(score).toBe('33.3')
    await asked.click(page.locator('.virtual-line').filter({ hasText: 'What is 6 * 7?' }))
    await asked.click(page.getByRole('button', { name: 'exclude' }))
    expect(asked.actions).toBeLessThanOrEqual(3)
    await eventually(score).toBe('37.5')
    await page.getByText('1 row excluded: scores, intervals and tests are without it').waitFor()
    await page.locator('.virtual-line.is-excluded').waitFor()
    // The key does the same.
    await page.locator('#content').focus()
    await page.keyboard.press('x')
    await eventually(score).toBe('33.3')
    await page.context().close()
  })

  test('the header has 40 pixels, and the list begins above 130; on a phone a row is a sheet over the list', async () => {
    const { page } = await ask()
    await page.goto(`${server.url}#/grid?run=1&data=numbers`)
    await page.locator('.virtual-line .reading').first().waitFor()
    expect((await page.locator('header.top').boundingBox())!.height).toBeLessThanOrEqual(40)
    expect((await page.locator('.virtual-line').first().boundingBox())!.y).toBeLessThanOrEqual(130)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('.virtual-line').nth(2).click()
    await page.locator('.pair-record .scoring').first().waitFor()
    const sheet = (await page.locator('.pair-record').boundingBox())!
    expect(Math.round((100 * sheet.height) / 844)).toBe(76)
    expect(Math.round(sheet.y + sheet.height)).toBe(844)
    await page.context().close()
  })

  test('axe finds nothing wrong with the grid, and every text is translated', { timeout: 240_000 }, async () => {
    const page = await viewer.open(`${server.url}#/runs`, { viewport: { width: 1440, height: 900 } })
    const pages = [
      ['grid?run=1&charts=1', '.virtual-line .reading', '.chart-strip button'],
      ['grid?run=1&row=4&of=numbers', '.scoring'],
      ['grid?run=1&row=4&of=numbers&tab=diff', '.both mark'],
      ['grid?run=0&q=A:wrong+nobody:right', '.not-understood'],
    ] as const
    expect(await axeFindings(page, pages)).toEqual([])
    for (const [hash, ...there] of pages.slice(0, 1)) {
      await page.goto(`${server.url}#/${hash}&lang=zh`)
      for (const selector of there) await page.locator(selector).first().waitFor({ state: 'attached' })
      expect(await page.evaluate(englishTexts), hash).toEqual([])
    }
    await page.context().close()
  })

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})
