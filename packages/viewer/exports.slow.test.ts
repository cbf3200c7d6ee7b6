import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import type { RunEnvironment } from '../rolecall/src/evaluation/run/run-pairs.ts'
import { loadConfig } from '../rolecall/src/node/config/load-config.ts'
import { nodeEnvironment } from '../rolecall/src/node/runs/node-environment.ts'
import { runEvaluation } from '../rolecall/src/node/runs/run-evaluation.ts'
import { exportSite } from '../rolecall/src/server/viewer/export-site.ts'
import { closeViewed } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { focusedOn } from './testing/by-keyboard.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { writeConfig } from './testing/made-config.ts'
import { promptText, rendered } from './testing/prompt-texts.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  const configFile = writeConfig(viewer.folder)

  beforeAll(() => viewer.start(), 120_000)

  afterAll(() => viewer.stop(), 30_000)

  test('an exported site works on any file server, under any base path', { timeout: 180_000 }, async () => {
    const conversation = join(viewer.folder, 'chat.json')
    const messages = [
      { role: 'user', content: 'plot it' },
      { role: 'assistant', content: 'Yes.', tool_calls: [{ id: 'c1', type: 'code_interpreter', code_interpreter: { input: 'plot(1)' } }] },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'done' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
    ]
    const reply = { text: 'Yes.', finish: 'stop', tokens: { prompt: 3, reused: 0, reply: 1 } }
    const prompt = { kind: 'completion', bos: 'none', parts: [{ control: '<|im_start|>' }, { text: 'plot it' }] }
    writeFileSync(
      conversation,
      JSON.stringify({ version: 1, model: 'm', format: 'chatml', tools: [], interpreter: true, messages, steps: [{ prompt, reply }] }),
    )
    const { folder: run } = await runEvaluation(await loadConfig(configFile), {
      models: 'tiny',
      datasets: 'sums',
      workDir: join(viewer.folder, 'made'),
      cache: false,
    })
    const site = join(viewer.folder, 'site')
    const viewed = { version: 'test', ...(await openViewed([run, configFile, conversation])) }
    await exportSite(viewed, site, { viewer: viewer.built, limit: 50 })
    await closeViewed(viewed)
    const files = await fileServer(site, '/reports/today/')
    try {
      const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/reports/today/`
      const page = await viewer.open(`${url}#/prompts?config=1&dataset=sums&row=1`)
      await eventually(() => promptText(page)).toBe(await rendered(configFile, { models: 'tiny', datasets: 'sums', rows: '1' }))
      await page.goto(`${url}#/runs?pair=0`)
      await page.getByLabel('search rows').fill('我想')
      await eventually(() => page.getByTestId('row-count').textContent()).toBe('1 of 6 rows')
      await page.locator('#record-0').click()
      await page.getByRole('tab', { name: 'Prompt' }).click()
      await page.getByText('the prompt that was sent, to the byte').waitFor()
      await page.goto(`${url}#/conversations`)
      await page.getByText('plot(1)').waitFor()
      await page.getByText(/^image .*a\.png \(not loaded\)$/).waitFor()
      await page.close()
      // Browsers have no clipboard on plain HTTP.
      const plain = await viewer.open('about:blank')
      await plain.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
        addEventListener('copy', () => {
          document.title = (document.activeElement as HTMLTextAreaElement).value
        })
      })
      await plain.goto(`${url}#/prompts?config=1&dataset=sums&row=1`)
      const copy = plain.getByRole('button', { name: 'copy', exact: true })
      await copy.focus()
      await plain.keyboard.press('Enter')
      await plain.getByRole('button', { name: 'copied' }).waitFor()
      expect((await plain.title()).replaceAll(/\s/g, '')).toBe((await promptText(plain))!.replaceAll(/\s/g, ''))
      expect(await focusedOn(plain)).toMatch(/^button cop/)
      await plain.close()
    } finally {
      files.close()
      files.closeAllConnections()
    }
    await expect(exportSite({ version: 'test', configs: [] }, viewer.folder, { viewer: viewer.built })).rejects.toThrow(/other files/)
  })

  test('a single-file report opens from disk without requests; a folder explains that it needs a server', async () => {
    const hostile = '</script><script>window.attacked = true</script><!-- <script>'
    const configFile = join(viewer.folder, 'run.json')
    writeFileSync(
      configFile,
      JSON.stringify({
        models: [{ abbr: 'm', type: 'openai', path: 'm', format: 'chatml' }],
        datasets: [
          {
            abbr: 'said',
            rows: [{ question: hostile, answer: 'x' }],
            reader_cfg: { input_columns: ['question'], output_column: 'answer' },
            infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
          },
        ],
      }),
    )
    const reply = { text: hostile, finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
    const openModel: RunEnvironment['openModel'] = async () => ({ name: 'm', generate: async () => reply })
    const environment = { ...nodeEnvironment(viewer.folder), openModel }
    const options = { workDir: join(viewer.folder, 'outputs'), cache: false as const, environment }
    const { folder: run } = await runEvaluation(await loadConfig(configFile), options)
    const viewed = { version: 'test', ...(await openViewed([run])) }
    const file = join(viewer.folder, 'report.html')
    const { bytes, leftOut, rows } = await exportSite(viewed, file, { viewer: viewer.built })
    expect([bytes, leftOut, rows]).toEqual([statSync(file).size, [], 1])
    const page = await viewer.open(`file://${file}#/prompts`)
    await eventually(() => page.locator('.prompt .piece.o-field').textContent()).toBe(hostile)
    await page.getByText('This is a single-file report').waitFor()
    expect(await page.getByRole('link', { name: 'Lab', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'tokens', exact: true }).click()
    await eventually(() => page.locator('.token').count()).toBeGreaterThan(5)
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.locator('#content').getByText('said').first().waitFor()
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    const folder = join(viewer.folder, 'site')
    await exportSite(viewed, folder, { viewer: viewer.built })
    await closeViewed(viewed)
    await page.goto(`file://${join(folder, 'index.html')}`)
    await page.getByText('exported for a file server').waitFor()
    await page.close()
    writeFileSync(join(viewer.folder, 'mine.html'), '<p>mine')
    await expect(exportSite(viewed, join(viewer.folder, 'mine.html'), { viewer: viewer.built })).rejects.toThrow(/not a report/)
  })

  test('the licences of bundled packages are next to the bundle', () => {
    const text = readFileSync(join(viewer.built, 'NOTICES.txt'), 'utf8')
    for (const name of ['preact', 'zod', 'yaml', '@codemirror/state', '@huggingface/tokenizers'])
      expect(text).toMatch(new RegExp(`^${name} \\d.*\\(.+\\)$`, 'm'))
  })

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})

async function fileServer(folder: string, base: string): Promise<Server> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' }
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname
    const file = join(folder, path === base ? 'index.html' : path.slice(base.length))
    if (!path.startsWith(base) || !existsSync(file)) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}
