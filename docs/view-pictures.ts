import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { openViewed } from '../src/cli/view/open-viewed.ts'
import { loadConfig } from '../src/node/config/load-config.ts'
import { runEvaluation } from '../src/node/runs/run-evaluation.ts'
import { serveViewer } from '../src/server/viewer/serve-viewer.ts'

// `jiti docs/view-pictures.ts [files]`: runs the quickstart, opens it in the built viewer, and keeps pictures of its pages, or of some.

const folder = mkdtempSync(join(tmpdir(), 'rolecall-pictures-'))
const { folder: run } = await runEvaluation(
  await loadConfig(fileURLToPath(new URL('../quickstart/rolecall.config.yaml', import.meta.url))),
  {
    name: 'quickstart',
    workDir: folder,
    cache: false,
  },
)
const server = await serveViewer({ version: 'docs', ...(await openViewed([run])) })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

type Picture = {
  file: string
  hash: string
  height: number
  dark?: true
  act?: (page: Awaited<ReturnType<typeof browser.newPage>>) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  {
    file: 'view-prompts.png',
    hash: '#/prompts?dataset=3+shots&model=internlm2&row=3',
    height: 660,
    act: (page) => page.locator('.piece.o-field').hover(),
  },
  { file: 'view-side-by-side.png', hash: '#/side-by-side?dataset=sums&row=2&left=internlm2&right=vicuna', height: 460 },
  {
    file: 'view-playground.png',
    hash: '#/playground',
    height: 620,
    async act(page) {
      await page.getByRole('button', { name: 'Ask the embedded model' }).click()
      await page.getByText('it stopped by itself').waitFor({ timeout: 120_000 })
    },
  },
  { file: 'view-runs.png', hash: '#/runs', height: 690 },
  {
    file: 'view-row.png',
    hash: '#/runs?pair=1&row=3&tab=prompt',
    height: 800,
    dark: true,
    act: (page) => page.locator('.with-heat').waitFor(),
  },
]
const wanted = process.argv.slice(2)
for (const { file, hash, height, dark, act } of pictures) {
  if (wanted.length > 0 && !wanted.includes(file)) continue
  const page = await browser.newPage({ viewport: { width: 1160, height }, colorScheme: dark ? 'dark' : 'light' })
  await page.goto(`${server.url}${hash}`)
  await page.waitForTimeout(1500)
  await act?.(page)
  await page.waitForTimeout(500)
  await page.screenshot({ path: fileURLToPath(new URL(file, import.meta.url)) })
  await page.close()
}
await browser.close()
await server.close()
rmSync(folder, { recursive: true, force: true })
