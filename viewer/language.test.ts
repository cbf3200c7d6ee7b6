import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../src/server/viewer/serve-viewer.ts'
import { chromiumPath, inChromium, TriedViewer } from './testing/chromium.ts'

vi.setConfig({ testTimeout: 60_000 })

const config = `
models: [{ abbr: one, format: chatml }, { abbr: two, format: internlm2 }]
datasets:
  - abbr: sums
    rows: [{ question: 1+1=? }, { question: 2+2=? }]
    infer_cfg: { prompt_template: { template: { round: [{ role: HUMAN, prompt: "{question}" }] } } }
`

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer

  beforeAll(async () => {
    const file = join(viewer.folder, 'rolecall.config.yaml')
    writeFileSync(file, config)
    await viewer.start()
    server = await serveViewer({ version: 'test', ...(await openViewed([file])) }, { folder: viewer.built })
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  test('the language is that of the browser; the switch changes it, keeps it, and puts it into links', async () => {
    const page = await viewer.open(`${server.url}#/prompts`, { locale: 'zh-CN' })
    await page.getByRole('link', { name: '提示词' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN')
    expect(await page.title()).toBe('提示词 · Rolecall')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('link', { name: 'Side by side' }).click()
    await page.getByLabel('left: model').waitFor()
    expect(page.url()).toMatch(/#\/side-by-side\?lang=en$/)
    await page.goto('about:blank')
    await page.goto(`${server.url}#/prompts`)
    await page.getByRole('link', { name: 'Prompts' }).waitFor()
    await page.goto('about:blank')
    await page.goto(`${server.url}#/prompts?lang=zh`)
    await page.getByRole('link', { name: '提示词' }).waitFor()
    await page.context().close()
  })

  test('no text of these pages is left in English', async () => {
    const page = await viewer.open(`${server.url}#/prompts?lang=zh`)
    for (const [path, there] of [
      ['prompts', '.account'],
      ['side-by-side', '.side-line'],
      ['playground', '.account'],
    ] as const) {
      await page.goto(`${server.url}#/${path}?lang=zh`)
      await page.locator(there).first().waitFor()
      const left = await page.evaluate(englishTexts)
      expect(left, path).toEqual([])
    }
    await page.context().close()
  })

  test('no page asked anybody else, and nothing went wrong in them', () => {
    expect(viewer.wrong).toEqual([])
  })
})

/** Texts and names of a page with several English words, outside of code and data. */
function englishTexts(): string[] {
  const isData = (element: Element | null) =>
    element?.closest('pre, code, q, select, .prompt, .tree, .editor, .virtual-list, .stop, .wordmark, .language')
  const found: string[] = []
  const walker = document.createTreeWalker(document.querySelector('#app')!, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (!isData(node.parentElement)) found.push(node.textContent ?? '')
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    for (const name of ['aria-label', 'title', 'placeholder'])
      if (!isData(element.parentElement)) found.push(element.getAttribute(name) ?? '')
  }
  for (const option of document.querySelectorAll('select > option')) found.push(option.textContent ?? '')
  return found.filter((text) => /[a-z]{3,} [a-z]{2,}/.test(text) && !/[\u4e00-\u9fff]/.test(text))
}
