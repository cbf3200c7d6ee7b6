import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { conversationLines } from '../core/src/prompt/conversation/conversation-lines.ts'
import { tokenize } from '../core/src/prompt/tokenizer/tokenize.ts'
import { viewAll } from '../rolecall/src/cli/render/collect-views.ts'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { loadConfig } from '../rolecall/src/node/config/load-config.ts'
import { shippedTokenizer } from '../rolecall/src/node/models/load-tokenizer.ts'
import { serveViewer, type ViewerServer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { script, writeConfig } from './testing/made-config.ts'
import { promptText, rendered } from './testing/prompt-texts.ts'

vi.setConfig({ testTimeout: 60_000 })

// The prompts page: compares its content with the terminal's output.

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  const configFile = writeConfig(viewer.folder)
  let server: ViewerServer

  beforeAll(async () => {
    await viewer.start()
    server = await serveViewer({ version: 'test', ...(await openViewed([configFile])) }, { folder: viewer.built })
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await viewer.stop()
  }, 30_000)

  test('a selected row shows exactly the bytes that render prints, with and without visible white space', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=sums&model=tiny`)
    await page.getByRole('option', { name: '我想知道' }).click()
    await eventually(() => promptText(page)).toBe(await rendered(configFile, { models: 'tiny', datasets: 'sums', rows: '1' }))
    await page.getByRole('button', { name: 'whitespace' }).click()
    expect(await page.locator('.white, .spaces').count()).toBeGreaterThan(3)
    expect(await promptText(page)).toBe(await rendered(configFile, { models: 'tiny', datasets: 'sums', rows: '1' }))
    await page.getByRole('button', { name: 'whitespace' }).click()
    await page.getByLabel('model', { exact: true }).selectOption('other')
    await eventually(() => promptText(page)).toContain('ASSISTANT')
    await page.getByLabel('format', { exact: true }).selectOption('chatml')
    await eventually(() => promptText(page)).toBe(
      await rendered(configFile, { models: 'other', datasets: 'sums', rows: '1', format: 'chatml' }),
    )
    await page.close()
  })

  test('the source of a span is shown, and highlighted in the template and the row', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=sums&model=tiny`)
    await page.locator('.piece.o-template').hover()
    await eventually(() => page.locator('.source-line').textContent()).toBe(
      'template · sums › infer_cfg.prompt_template.template.begin[0].prompt [0–18]',
    )
    expect(await page.locator('.tree-leaf.active mark').textContent()).toBe('Solve:  two spaces')
    await page.locator('.piece.o-field').hover()
    expect(await page.locator('.tree-leaf.active').textContent()).toBe('question12+30=?')
    expect(await page.locator('.panel.o-template mark').allTextContents()).toEqual(['{question}'])
    await page.locator('.piece.o-example').first().hover()
    expect(await page.locator('.example.active .tree-leaf.active').textContent()).toBe('question2+2=?')
    await page.getByRole('button', { name: "the dataset's template" }).click()
    expect(await page.getByTestId('prompt').getAttribute('class')).toContain('only-template')
    await page.close()
  })

  test('a label shows the text it adds; a chat shows its messages', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=choices&model=tiny`)
    await page.getByRole('tab', { name: 'B' }).click()
    await eventually(() => promptText(page)).toBe(await rendered(configFile, { models: 'tiny', datasets: 'choices', label: 'B' }))
    expect(await page.locator('.piece.o-answer').textContent()).toBe('B')
    await page.getByLabel('for', { exact: true }).selectOption('gen')
    await page.getByLabel('model', { exact: true }).selectOption('api')
    await eventually(() => page.locator('.message .role').allTextContents()).toEqual(['user'])
    expect(await page.locator('.message pre.text').textContent()).toBe('Which is larger? 1 or 2')
    await page.close()
  })

  test('the conversation between the two templates is there to look at, as render --conversation prints it', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=sums&model=tiny`)
    const lines = page.locator('.conversation-lines li')
    await eventually(() => lines.count()).toBe(5)
    expect(await lines.first().isVisible()).toBe(false)
    await page.getByText('the conversation, before the format writes it').click()
    expect(await lines.first().isVisible()).toBe(true)
    const { views } = await viewAll(await loadConfig(configFile), { rows: '0', models: 'tiny', datasets: 'sums' })
    expect(await lines.allTextContents()).toEqual(conversationLines(views[0]!.rendered.conversation))
    expect((await lines.allTextContents())[0]).toBe('{ role: "SYSTEM", fallback_role: "HUMAN", prompt: "Solve:  two spaces" }')
    await page.close()
  })

  test('tokens have the same ids as in the terminal', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=sums&model=tiny&row=1`)
    await page.getByRole('button', { name: 'tokens', exact: true }).click()
    const { views } = await viewAll(await loadConfig(configFile), { models: 'tiny', datasets: 'sums', rows: '1' })
    const [{ rendered: one, markers }] = views as [(typeof views)[number]]
    const { ids } = tokenize(one.prompt as never, shippedTokenizer(), { markers })
    const shown = page.locator('.token.closes')
    await eventually(async () => (await shown.evaluateAll((all) => all.map((token) => token.getAttribute('data-id')))).join(' ')).toBe(
      ids.join(' '),
    )
    // The vocabulary inside a GGUF file of the same model.
    await page.getByLabel('model', { exact: true }).selectOption('file')
    await page.getByText('tokens by tiny-chat.q8_0.gguf').waitFor()
    expect(await shown.evaluateAll((all) => all.map((token) => token.getAttribute('data-id')).join(' '))).toBe(ids.join(' '))
    await page.getByRole('button', { name: 'tokens', exact: true }).click()
    await page.close()
  })

  test('hostile rows stay text: nothing runs, invisible characters are marked, ten megabytes are truncated', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=hostile&model=tiny`)
    await eventually(() => promptText(page)).toContain(script)
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    await page.locator('#row-1').click()
    await eventually(() => promptText(page)).toBe(await rendered(configFile, { models: 'tiny', datasets: 'hostile', rows: '1' }))
    expect(await page.locator('.prompt .unseen').evaluateAll((all) => all.map((one) => one.getAttribute('data-mark')))).toEqual(
      expect.arrayContaining(['␛', 'RLO', 'PDF', 'ZWSP', '␀', '␍']),
    )
    await page.locator('#row-2').click()
    await page.getByText('characters more').waitFor()
    expect((await promptText(page))!.length).toBeLessThan(30_000)
    await page.getByRole('button', { name: 'show 200,000 more' }).click()
    await eventually(async () => (await promptText(page))!.length).toBeGreaterThan(200_000)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'download' }).click()
    expect(statSync(await (await download).path()).size).toBe(
      (await rendered(configFile, { models: 'tiny', datasets: 'hostile', rows: '2' })).length,
    )
    await page.locator('#row-3').click()
    await page.getByText('marker-in-data').first().waitFor()
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    await page.close()
  })

  test('the same row for two models is shown side by side with marked differences', async () => {
    const page = await viewer.open(`${server.url}#/side-by-side?dataset=sums&left=tiny&right=other`)
    const lines = page.locator('.side-line')
    await eventually(() => lines.filter({ hasText: '12+30=?' }).locator('pre.text').allTextContents()).toEqual([
      '<|im_start|>user\n12+30=?<|im_end|>\n',
      'USER: 12+30=? ',
    ])
    const marked = lines.filter({ hasText: '12+30=?' }).locator('mark')
    expect(await marked.allTextContents()).toEqual(['<|im_start|>user\n', '<|im_end|>\n', 'USER', ': ', ' '])
    await page.close()
  })

  test('a chat template is tested in a worker before the page renders it', async () => {
    const template = '{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}'
    const other = join(viewer.folder, 'template.json')
    const dataset = {
      abbr: 'one',
      rows: [{ q: 'Hi' }],
      reader_cfg: { input_columns: ['q'] },
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } }, inferencer: { type: 'GenInferencer' } },
    }
    writeFileSync(other, JSON.stringify({ models: [{ abbr: 'templated', chat_template: template }], datasets: [dataset] }))
    const templated = await serveViewer({ version: 'test', ...(await openViewed([other])) }, { folder: viewer.built })
    try {
      const page = await viewer.open('about:blank')
      const workers: string[] = []
      page.on('worker', (worker) => workers.push(worker.url()))
      await page.goto(`${templated.url}#/prompts`)
      await eventually(() => promptText(page)).toBe('[user]Hi')
      expect(workers.some((url) => url.includes('trial-worker'))).toBe(true)
      await page.close()
      // A worker that never answers is terminated, and the page reports it.
      const stuck = await viewer.open('about:blank')
      await stuck.clock.install()
      await stuck.addInitScript(() => {
        Object.assign(globalThis, {
          Worker: class extends EventTarget {
            postMessage() {}
            terminate() {}
          },
        })
      })
      await stuck.goto(`${templated.url}#/prompts`)
      await eventually(async () => {
        await stuck.clock.fastForward(11_000)
        return stuck.getByText('took more than 10 s, and it was stopped').count()
      }).toBe(1)
      await stuck.close()
    } finally {
      await templated.close()
    }
  })

  test('the pages fit into 360 pixels', async () => {
    const page = await viewer.open(`${server.url}#/prompts?dataset=sums&model=tiny`)
    await page.setViewportSize({ width: 360, height: 740 })
    for (const hash of ['#/prompts?dataset=sums&model=tiny', '#/side-by-side?dataset=sums']) {
      await page.goto(`${server.url}${hash}`)
      await page.locator('pre.text').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth'), hash).toBeLessThanOrEqual(360)
    }
    await page.close()
  })

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})
