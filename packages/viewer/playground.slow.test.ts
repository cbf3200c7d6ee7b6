import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { promptText } from './testing/prompt-texts.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer

  beforeAll(async () => {
    await viewer.start()
    server = await serveViewer({ version: 'test', ...(await openViewed([])) }, { folder: viewer.built })
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  test('the playground renders while typing, shows errors in place, and keeps everything in the link', async () => {
    const page = await viewer.open(`${server.url}#/playground`)
    await eventually(() => promptText(page)).toBe('<s><|im_start|>user\n12+30=?<|im_end|>\n<|im_start|>assistant\n')
    await eventually(async () => page.url()).toContain('?s=')
    const first = page.url()
    const dataset = page.locator('[data-pane="dataset"] .cm-content')
    await dataset.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(
      'infer_cfg:\n  prompt_template:\n    template:\n      round:\n        - { role: HUMAN, prompt: "Q: {question}" }\n',
    )
    await eventually(() => promptText(page)).toContain('Q: 12+30=?')
    await eventually(async () => page.url()).not.toBe(first)
    const link = page.url()
    await page.keyboard.insertText('        - { role: HUMAN, promt: x }\n')
    await eventually(() => page.locator('.problems').textContent()).toContain('line 6 "promt" is not known here → did you mean "prompt"?')
    expect(await page.locator('[data-pane="dataset"] .cm-lintRange-error').textContent()).toBe('promt')
    const model = page.locator('[data-pane="model"] .cm-content')
    await model.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('format: chatml\nma')
    await eventually(() => page.locator('[data-pane="model"] .cm-tooltip-autocomplete li').allTextContents()).toContain(
      'max_seq_leninteger',
    )
    const again = await viewer.open(link)
    await eventually(() => promptText(again)).toContain('Q: 12+30=?')
    await again.getByLabel('start from').selectOption({ label: 'the basic conversation' })
    await eventually(() => promptText(again)).toContain('<|im_start|>system')
    await page.close()
    await again.close()
  })

  test('the embedded model answers in the page: correctly in its own format, not in another', async () => {
    const page = await viewer.open(`${server.url}#/playground`)
    await page.getByRole('button', { name: 'Ask the embedded model' }).click()
    await eventually(() => page.locator('.reply').textContent(), { timeout: 25_000 }).toBe('42')
    await page.getByText('end of turn').waitFor()
    await page.getByLabel('format', { exact: true }).selectOption({ label: 'plain' })
    await eventually(() => promptText(page)).toBe('12+30=?')
    await page.getByRole('button', { name: 'Ask the embedded model' }).click()
    await page.getByText(/end of turn|truncated at the token limit/).waitFor()
    expect(await page.locator('.reply').textContent()).not.toBe('42')
    await page.close()
  }, 60_000)

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})
