import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { axeFindings } from './testing/axe.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { englishTexts } from './testing/english-texts.ts'
import { madeChat } from './testing/made-chat.ts'

vi.setConfig({ testTimeout: 60_000 })

const config = `
models:
  - { abbr: one, format: chatml }
  - { abbr: two, format: internlm2 }
datasets:
  - abbr: sums
    rows: [{ question: 1+1=? }, { question: 2+2=? }]
    infer_cfg: { prompt_template: { template: { round: [{ role: HUMAN, prompt: "{question}" }] } } }
  - abbr: hebrew
    rows: [{ question: שלום }]
    infer_cfg: { prompt_template: { template: { round: [{ role: HUMAN, prompt: "{question}42" }] } } }
  - abbr: choices
    rows: [{ question: Which? }]
    infer_cfg:
      prompt_template:
        template:
          A: { round: [{ role: HUMAN, prompt: "Say: {question}" }, { role: BOT, prompt: A }] }
          B: { round: [{ role: HUMAN, prompt: "Say: {question}" }, { role: BOT, prompt: B }] }
      inferencer: { type: PPLInferencer }
`

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  let server: ViewerServer

  beforeAll(async () => {
    const file = join(viewer.folder, 'rolecall.config.yaml')
    writeFileSync(file, config)
    const chats = ['other.json', 'chat.json'].map((name) => join(viewer.folder, name))
    for (const chat of chats) writeFileSync(chat, JSON.stringify(madeChat))
    await viewer.start()
    server = await serveViewer({ version: 'test', ...(await openViewed([file, ...chats])) }, { folder: viewer.built })
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  test("the language defaults to the browser's; the switch changes it, stores it, and adds it to links", async () => {
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
    await page.close()
  })

  test('every text of these pages is translated', async () => {
    const page = await viewer.open(`${server.url}#/prompts?lang=zh`)
    for (const [path, there] of [
      ['prompts', '.account'],
      ['side-by-side', '.side-line'],
      ['conversations', '.speech'],
    ] as const) {
      await page.goto(`${server.url}#/${path}?lang=zh`)
      await page.locator(there).first().waitFor()
      const left = await page.evaluate(englishTexts)
      expect(left, path).toEqual([])
    }
    await page.close()
  })

  test('a link contains the whole selection by name; reload and Back restore it', async () => {
    const page = await viewer.open(`${server.url}#/prompts`)
    await page.getByLabel('dataset', { exact: true }).selectOption('choices')
    await page.getByLabel('model', { exact: true }).selectOption('two')
    await page.getByLabel('format', { exact: true }).selectOption('chatml')
    await page.getByRole('tab', { name: 'B' }).click()
    await page.getByRole('button', { name: 'whitespace' }).click()
    await page.getByRole('button', { name: "the dataset's template" }).click()
    await page.locator('.piece.o-template').first().click()
    const { hash } = new URL(page.url())
    expect(Object.fromEntries(new URLSearchParams(hash.split('?')[1]))).toEqual({
      dataset: 'choices',
      model: 'two',
      format: 'chatml',
      label: 'B',
      show: 'whitespace',
      only: 'template',
      piece: expect.stringMatching(/^\d+$/),
    })
    const check = async (shown: Page) => {
      await shown.locator('.only-template .piece.active').waitFor()
      expect(await shown.getByRole('tab', { selected: true }).textContent()).toBe('B')
      expect(await shown.getByRole('button', { name: 'whitespace' }).getAttribute('aria-pressed')).toBe('true')
    }
    await page.reload()
    await check(page)
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.locator('.speech').first().waitFor()
    await page.goBack()
    await check(page)
    const other = await viewer.open(`${server.url}${hash}`)
    await check(other)
    await other.close()
    await page.close()
  })

  test('a conversation shows its roles: separate reasoning, formatted JSON, marked errors, earlier turns as text', async () => {
    const page = await viewer.open(`${server.url}#/conversations`)
    await page.getByLabel('conversation').selectOption('chat.json')
    await page.getByRole('heading', { name: 'chat.json' }).waitFor()
    expect(page.url()).toMatch(/conversation=chat\.json$/)
    const turns = page.locator('.speech')
    expect(await turns.nth(2).locator('.reasoning pre').textContent()).toBe('I have a tool for that.')
    expect(await turns.nth(2).locator('.call .laid-out').textContent()).toBe('{\n  "city": "Atlantis"\n}')
    expect(await page.locator('.speech.failed h2').allTextContents()).toEqual(['tool get_weather answers c1✗ error'])
    expect(await turns.nth(3).locator('.laid-out').textContent()).toBe('{\n  "error": "there is no city Atlantis"\n}')
    await turns.nth(4).getByText('prompt and output').click()
    const pieces = turns.nth(4).locator('.piece')
    expect(await pieces.allTextContents()).toEqual([
      '<|im_start|>',
      'user\n',
      'What is the weather in Atlantis?',
      'Let me look.<|call|>',
      'tool\n',
      '{"error": "there is no city Atlantis"}',
    ])
    expect(await pieces.nth(3).getAttribute('class')).toContain('o-answer')
    expect(await page.locator('.legend li').allTextContents()).toEqual([
      'Absystem',
      'Abuser',
      'Abthe model',
      'Abtool',
      "Abthe model's format",
    ])
    await page.goto(`${server.url}#/conversations?conversation=gone.json`)
    await page.getByText('The link refers to the conversation gone.json').waitFor()
    await page.close()
  })

  test('trained tokens equal those of rolecall tokens --mask: a prompt with its answer, and their count', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=choices&show=text`)
    await page.getByRole('button', { name: 'loss mask' }).click()
    const trained = page.locator('.prompt .token.trained')
    await eventually(async () => (await trained.allTextContents()).join('')).toBe('A<|im_end|>')
    expect(page.url()).toContain('show=trained')
    expect(await page.locator('.trained-note').textContent()).toMatch(/^2 of 17 tokens would be trained/)
    await page.goto(`${server.url}#/prompts?dataset=sums&show=trained&model=two`)
    // The row has no answer: the reason is shown.
    await eventually(() => page.locator('.trained-note').textContent()).toMatch(
      /cannot be determined: the generation prompt has "<\|im_start\|>assistant/,
    )
    await page.close()
  })

  test('a damaged link reports what is missing, and shows a default', async () => {
    const page = await viewer.open(`${server.url}#/prompts?config=gone&dataset=old&model=nobody&format=odd&row=-1&label=Q`)
    await page.locator('.account').waitFor()
    expect(await page.locator('.not-here li').allTextContents()).toEqual([
      'The link refers to the config gone, which does not exist here: something else is shown.',
      'The link refers to the dataset old, which does not exist here: something else is shown.',
      'The link refers to the model nobody, which does not exist here: something else is shown.',
      'The link refers to the format odd, which does not exist here: something else is shown.',
      'The link refers to the row -1, which does not exist here: something else is shown.',
      'The link refers to the label Q, which does not exist here: something else is shown.',
    ])
    await page.goto(`${server.url}#/nowhere`)
    await page.getByText('The link refers to the page nowhere').waitFor()
    await page.goto(`${server.url}#/prompts?%E0%A4%A&row=%`)
    await page.locator('.account').waitFor()
    await page.goto(`${server.url}#/playground?s=broken`)
    await page.getByText('The link is damaged').waitFor()
    await page.waitForURL(/lab\.html/)
    await page.close()
  })

  test('the first page is compressed and does not load the lab', async () => {
    const page = await viewer.open('about:blank', {})
    const loaded: string[] = []
    page.on('response', (response) => {
      if (response.url().includes('/assets/'))
        loaded.push(`${response.url().replace(/.*assets.(\w+)-.*(js|css)$/, '$1.$2')} ${response.headers()['content-encoding']}`)
    })
    await page.goto(`${server.url}#/prompts`)
    await page.locator('.account').waitFor()
    expect(loaded.filter((one) => /^index/.test(one)).sort()).toEqual(['index.css br', 'index.js br'])
    expect(loaded.filter((one) => /^(lab|config|document)/.test(one))).toEqual([])
    await page.close()
  })

  test('right-to-left text does not move its neighbours', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=hebrew`)
    const [field, after] = [page.locator('.prompt .piece.o-field'), page.locator('.prompt .piece.o-template')]
    await after.waitFor()
    const [word, number] = [(await field.boundingBox())!, (await after.boundingBox())!]
    expect(number.x).toBeGreaterThanOrEqual(word.x + word.width - 1)
    await page.close()
  })

  test('? shows the keys, and Esc hides them', async () => {
    const page = await viewer.open(`${server.url}#/prompts`)
    await page.locator('.account').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('next row, previous row').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    await page.close()
  })

  test('three formats side by side, with tokens, the start of generation and sources', async () => {
    const page = await viewer.open(`${server.url}#/side-by-side?dataset=sums`)
    await page.getByRole('button', { name: 'add a column' }).click()
    await eventually(() => page.locator('.side-line').filter({ hasText: '1+1=?' }).locator('pre.text').allTextContents()).toEqual([
      '<|im_start|>user\n1+1=?<|im_end|>\n',
      '<|im_start|>user\n1+1=?<|im_end|>\n',
      '1+1=?',
    ])
    expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('thirdFormat')).toBe('plain')
    await page.locator('.piece.o-field').first().hover()
    await eventually(() => page.locator('.piece.o-field.active').count()).toBe(3)
    expect(await page.locator('.source-line').textContent()).toBe('row · question')
    expect(await page.locator('.side-sources .tree-leaf.active').textContent()).toBe('question1+1=?')
    expect(await page.locator('.cut-label').count()).toBe(3)
    await page.getByRole('button', { name: 'tokens', exact: true }).click()
    await eventually(() => page.locator('.side-line .token').count()).toBeGreaterThan(10)
    await page.getByRole('button', { name: 'remove the column of two' }).click()
    await eventually(() => page.locator('.side-line').filter({ hasText: '1+1=?' }).locator('pre.text').count()).toBe(2)
    await page.close()
  })

  test('a character of the prompt links to its template code, code to its text, and lint findings are shown in place', async () => {
    const file = join(viewer.folder, 'template.json')
    const template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ '<bot>' }}"
    const dataset = { rows: [{ q: 'Hi' }], infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } } } }
    writeFileSync(file, JSON.stringify({ models: [{ abbr: 't', chat_template: template }], datasets: [dataset] }))
    const templated = await serveViewer({ version: 'test', ...(await openViewed([file])) }, { folder: viewer.built })
    try {
      const page = await viewer.open(`${templated.url}#/prompts`)
      await page.locator('.prompt .piece.o-field').hover()
      await eventually(() => page.locator('.template-source .lit').allTextContents()).toEqual(['{{ m.content }}'])
      await page.locator('.template-source').getByText("'<bot>'").hover()
      await eventually(() => page.locator('.prompt .piece.active').allTextContents()).toEqual(['<bot>'])
      await page.getByRole('button', { name: 'lint the template' }).click()
      await page.locator('.finding').first().waitFor()
      expect(await page.locator('.template-source .found').count()).toBeGreaterThan(0)
      await page.close()
    } finally {
      await templated.close()
    }
  })

  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    test(`axe finds nothing wrong with the pages, ${scheme}, ${width} pixels wide`, { timeout: 240_000 }, async () => {
      const page = await viewer.open(`${server.url}#/prompts`, { colorScheme: scheme, viewport: { width, height: 800 } })
      expect(await axeFindings(page, accessible)).toEqual([])
      await page.close()
    })
  }

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})

/** Pages, with a selector that appears when they are rendered. */
const accessible = [
  ['prompts?dataset=choices&show=tokens', '.account', '.token'],
  ['side-by-side?dataset=sums', '.side-line .account'],
  ['conversations', '.speech .call'],
] as const
