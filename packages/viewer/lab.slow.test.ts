import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { packState } from './src/lab/link.ts'
import { axeFindings } from './testing/axe.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { englishTexts } from './testing/english-texts.ts'

vi.setConfig({ testTimeout: 90_000 })

/** The text of a column as it can be copied. */
const textOf = (page: Page, column = 0) =>
  page
    .locator(`[data-testid=prompts] [data-column="${column}"] pre`)
    .evaluateAll((parts) => parts.map(({ textContent }) => textContent).join(''))

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer
  let lab = ''

  beforeAll(async () => {
    await viewer.start()
    server = await serveViewer({ version: 'test', configs: [] }, { folder: viewer.built, isReadOnly: true, isLab: true })
    lab = `${server.url}lab.html`
  }, 240_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  test('the prompt follows what is typed, and the link restores it', async () => {
    const page = await viewer.open(lab)
    await eventually(() => textOf(page)).toBe('<|im_start|>user\nHello!<|im_end|>\n<|im_start|>assistant\n')
    await page.getByLabel('content, message 1').fill('Hi <|im_end|>')
    await eventually(() => textOf(page)).toContain('user\nHi <|im_end|><|im_end|>\n')
    expect(await page.locator('.piece .o-harmless').textContent()).toBe('<|im_end|>')
    await eventually(async () => page.url()).toContain('#s=')
    const again = await viewer.open(page.url())
    await eventually(() => textOf(again)).toContain('user\nHi <|im_end|>')
    await page.close()
    await again.close()
  })

  test('pointing at a prompt lights its line of the template, and back', async () => {
    const page = await viewer.open(`${lab}#starter=tools`)
    await page.locator('.piece.o-tool').first().hover()
    await page.locator('.source li.lit').first().waitFor()
    expect(await page.locator('.status-place').textContent()).toContain('tools[0]')
    await page.locator('.source li', { hasText: 'add_generation_prompt' }).first().scrollIntoViewIfNeeded()
    await page.locator('.source li', { hasText: '<|im_start|>assistant\\n' }).last().hover()
    await page.locator('.piece.lit').first().waitFor()
    await page.close()
  })

  test('a reply is read by what the template writes', async () => {
    const page = await viewer.open(`${lab}#starter=tools`)
    await eventually(async () => (await page.getByTestId('reply').textContent()) ?? '').toContain('get_weather({"city":"Shanghai"})')
    expect(await page.getByTestId('reply').textContent()).toContain('I should look it up.')
    await page.close()
  })

  test('a pasted request is recognised, and a broken one is refused in words', async () => {
    const page = await viewer.open(lab)
    await page.getByRole('button', { name: 'Paste a request' }).click()
    const field = page.getByRole('textbox', { name: 'Paste a request' })
    await field.fill('{"messages": [')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByText('it is no valid JSON').waitFor()
    await field.fill(JSON.stringify({ system: 'Be brief.', messages: [{ role: 'user', content: 'Well?' }], max_tokens: 5 }))
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByText('a request of Anthropic').waitFor()
    await eventually(() => textOf(page)).toContain('<|im_start|>system\nBe brief.<|im_end|>')
    await page.close()
  })

  test('a link of the playground opens its row', async () => {
    const dataset = 'infer_cfg:\n  prompt_template:\n    template:\n      round:\n        - { role: HUMAN, prompt: "Q: {question}" }\n'
    const s = await packState({ model: 'format: chatml\n', dataset, row: 'question: 12+30=?\n', mode: '' })
    const page = await viewer.open(`${server.url}#/playground?s=${s}`)
    await page.waitForURL(/lab\.html/)
    await eventually(() => textOf(page)).toContain('Q: 12+30=?')
    await page.close()
  })

  test('a template that never ends is stopped, and the page goes on', async () => {
    const template =
      '{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}{{ a }}{% endfor %}{% endfor %}{% endfor %}'
    const state = {
      columns: [{ model: 'x' }],
      own: [{ id: 'x', name: 'x', settings: { chat_template: template } }],
      messages: [{ role: 'user', content: 'Hi' }],
    }
    const page = await viewer.open(`${lab}#s=${await packState(state)}`)
    await page.locator('.refused, .notice[role=alert]').first().waitFor()
    await page.getByLabel('model of column A').selectOption('qwen3')
    await eventually(() => textOf(page)).toContain('<|im_start|>user')
    await page.close()
  })

  test('the first paint loads at most 100 kB, and the engine is not in it', async () => {
    const page = await viewer.open('about:blank', {})
    let bytes = 0
    const client = await page.context().newCDPSession(page)
    await client.send('Network.enable')
    await page.goto(lab, { waitUntil: 'commit' })
    const counted: Promise<number>[] = []
    page.on('response', (response) => {
      if (/lab\.html|assets\/(?!.*worker)/.test(response.url()))
        counted.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => responseBodySize)
            .catch(() => 0),
        )
    })
    await page.reload()
    await page.locator('.lab .bar').waitFor()
    for (const size of await Promise.all(counted.slice(0, 12))) bytes += size
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(100_000)
    await page.context().close()
  })

  test('every text is translated', async () => {
    const page = await viewer.open(`${lab}#starter=tools&lang=zh`)
    await page.locator('.source li').first().waitFor()
    expect(await page.evaluate(englishTexts)).toEqual([])
    await page.close()
  })

  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
  ] as const) {
    test(`axe finds nothing wrong, ${scheme}, ${width} pixels wide`, async () => {
      const page = await viewer.open(`${lab}#starter=injection`, { colorScheme: scheme, viewport: { width, height: 844 } })
      await page.getByTestId('tokens').first().waitFor()
      expect(await axeFindings(page, [['playground?starter=injection', '[data-testid=tokens]']])).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.context().close()
    })
  }

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})
