import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { openViewed } from '../src/cli/view/open-viewed.ts'
import { loadConfig } from '../src/node/config/load-config.ts'
import { type EvaluationOptions, runEvaluation } from '../src/node/runs/run-evaluation.ts'
import { serveViewer } from '../src/server/viewer/serve-viewer.ts'
import { builtViewer } from '../viewer/testing/built-viewer.ts'
import { madeChat } from '../viewer/testing/made-chat.ts'

// `jiti docs/view-pictures.ts [files]`: runs the quickstart and the tool calls of the examples, opens them in the viewer, and keeps pictures
// of its pages, or of some.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rolecall-pictures-'))
const runs = join(folder, 'outputs')

async function run(name: string, config: string, options: EvaluationOptions = {}): Promise<string> {
  await runEvaluation(await loadConfig(here(config)), { name, workDir: join(runs, name), cache: false, ...options })
  return `${name}/${readdirSync(join(runs, name))[0]!}`
}

const quickstart = '../quickstart/rolecall.config.yaml'
await run('tool-calls', '../examples/tool-calls.config.yaml')
await run('in-four-formats', quickstart, {
  models: 'internlm2',
  formats: 'internlm2,vicuna_v1.1,llama-2,plain',
  datasets: 'sums,choices',
  limit: 12,
})
const all = await run('quickstart', quickstart)
const chat = join(folder, 'weather.json')
writeFileSync(chat, JSON.stringify(madeChat))

const server = await serveViewer({ version: 'docs', ...(await openViewed([runs, chat])) }, { folder: await builtViewer() })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

/** A page, what is done on it before the picture is taken, and how high that is; all are of one width. */
type Picture = {
  file: string
  page: string
  query?: Record<string, string>
  height: number
  dark?: true
  act?: (page: Page) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  {
    file: 'view-prompts.png',
    page: 'prompts',
    query: { config: all.replace('/', ' · '), dataset: '3 shots', model: 'internlm2', row: '3' },
    height: 640,
    act: (page) => page.locator('.piece.o-field').hover(),
  },
  {
    file: 'view-side-by-side.png',
    page: 'side-by-side',
    query: { config: all.replace('/', ' · '), dataset: 'sums', row: '2', left: 'internlm2', right: 'vicuna', third: 'llama-2' },
    height: 640,
    act: (page) => page.locator('.piece.o-field').first().hover(),
  },
  {
    file: 'view-playground.png',
    page: 'playground',
    height: 620,
    async act(page) {
      await page.getByRole('button', { name: 'Ask the embedded model' }).click()
      await page.getByText('it stopped by itself').waitFor({ timeout: 120_000 })
    },
  },
  { file: 'view-runs.png', page: 'runs', height: 420, act: (page) => page.locator('.home .mini-bar').first().waitFor() },
  { file: 'view-run.png', page: 'runs', query: { run: all }, height: 720, act: (page) => page.locator('.dot-line').first().waitFor() },
  {
    file: 'view-rows.png',
    page: 'runs',
    query: { run: all, model: 'vicuna', dataset: 'sums', row: '3', show: 'wrong' },
    height: 560,
    act: (page) => page.locator('.answers').waitFor(),
  },
  {
    file: 'view-row.png',
    page: 'runs',
    query: { run: all, model: 'internlm2', dataset: 'choices', row: '3', tab: 'prompt' },
    height: 760,
    dark: true,
    act: (page) => page.locator('.with-heat').waitFor(),
  },
  {
    file: 'view-compare.png',
    page: 'compare',
    query: { first: `${all}: internlm2`, second: `${all}: vicuna` },
    height: 620,
    act: (page) => page.locator('.interval-plot').first().waitFor(),
  },
  { file: 'view-conversation.png', page: 'conversations', height: 700, act: (page) => page.locator('.speech').first().waitFor() },
]

const wanted = process.argv.slice(2)
for (const { file, page: name, query = {}, height, dark, act } of pictures) {
  if (wanted.length > 0 && !wanted.includes(file)) continue
  const page = await browser.newPage({ viewport: { width: 1160, height }, locale: 'en-US', colorScheme: dark ? 'dark' : 'light' })
  await page.goto(`${server.url}#/${name}?${new URLSearchParams(query)}`)
  await page.waitForLoadState('networkidle')
  await act?.(page)
  await page.waitForTimeout(500)
  await page.screenshot({ path: here(file) })
  await page.close()
}
await browser.close()
await server.close()
rmSync(folder, { recursive: true, force: true })
