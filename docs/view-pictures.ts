import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { openViewed } from '../packages/rolecall/src/cli/view/open-viewed.ts'
import { loadConfig } from '../packages/rolecall/src/node/config/load-config.ts'
import type { EvaluationOptions } from '../packages/rolecall/src/node/runs/evaluation-options.ts'
import { runEvaluation } from '../packages/rolecall/src/node/runs/run-evaluation.ts'
import { serveViewer } from '../packages/rolecall/src/server/viewer/serve-viewer.ts'
import { builtViewer } from '../packages/viewer/testing/built-viewer.ts'
import { madeChat } from '../packages/viewer/testing/made-chat.ts'

// `jiti docs/view-pictures.ts [files]`: opens the quickstart, runs of it and of the tool calls of the examples, and a conversation in the
// viewer, and keeps pictures of its pages, or of some.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const quickstart = '../packages/rolecall/quickstart/rolecall.config.yaml'
const folder = mkdtempSync(join(tmpdir(), 'rolecall-pictures-'))
const runs = join(folder, 'outputs')

/** A page, what is done on it before the picture is taken, and how high that is; all are of one width. */
type Picture = {
  file: string
  page: string
  query?: Record<string, string>
  /** What is opened: the runs, unless it is the config alone. */
  of?: 'config'
  height: number
  dark?: true
  act?: (page: Page) => Promise<unknown>
}

/** `all` names the run of the whole quickstart. */
const pictures = (all: string): readonly Picture[] => [
  {
    file: 'view-prompts.png',
    of: 'config',
    page: 'prompts',
    query: { dataset: '3 shots', model: 'internlm2', row: '3' },
    height: 720,
    act: (page) => page.locator('.piece.o-field').hover(),
  },
  {
    file: 'view-side-by-side.png',
    of: 'config',
    page: 'side-by-side',
    query: { dataset: 'sums', row: '2', left: 'internlm2', right: 'vicuna', third: 'llama-2' },
    height: 640,
    act: (page) => page.locator('.piece.o-field').first().hover(),
  },
  { file: 'view-runs.png', page: 'runs', height: 420, act: (page) => page.locator('.home .mini-bar').first().waitFor() },
  { file: 'view-run.png', page: 'runs', query: { run: all }, height: 720, act: (page) => page.locator('.interval-plot').first().waitFor() },
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
const isWanted = ({ file }: Picture) => wanted.length === 0 || wanted.includes(file)

async function run(name: string, config: string, options: EvaluationOptions = {}): Promise<string> {
  await runEvaluation(await loadConfig(here(config)), { name, workDir: join(runs, name), cache: false, ...options })
  return `${name}/${readdirSync(join(runs, name))[0]!}`
}

/** The runs that pictures are of, which take minutes; the name of the one of the whole quickstart. */
async function makeRuns(): Promise<string> {
  await run('tool-calls', '../examples/tool-calls.config.yaml')
  const formats = 'internlm2,vicuna_v1.1,llama-2,plain'
  await run('in-four-formats', quickstart, { models: 'internlm2', formats, datasets: 'sums,choices', limit: 12 })
  return run('quickstart', quickstart)
}

async function draw(opened: readonly string[], chosen: readonly Picture[]): Promise<void> {
  const server = await serveViewer({ version: 'docs', ...(await openViewed(opened)) }, { folder: await builtViewer() })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  for (const { file, page: name, query = {}, height, dark, act } of chosen) {
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
}

await draw(
  [here(quickstart)],
  pictures('').filter((one) => one.of === 'config' && isWanted(one)),
)
if (pictures('').some((one) => one.of !== 'config' && isWanted(one))) {
  const all = await makeRuns()
  const chat = join(folder, 'weather.json')
  writeFileSync(chat, JSON.stringify(madeChat))
  await draw(
    [runs, chat],
    pictures(all).filter((one) => one.of !== 'config' && isWanted(one)),
  )
}
rmSync(folder, { recursive: true, force: true })
