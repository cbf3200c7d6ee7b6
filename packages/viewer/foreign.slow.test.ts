import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../proof/testing/folder-with.ts'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { serveViewer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'

vi.setConfig({ testTimeout: 300_000 })

const shared = fileURLToPath(new URL('../../../shared/foreign-results', import.meta.url))

const workDir = {
  '20261117_170816/results/m/d.json': JSON.stringify({
    accuracy: 50,
    details: { type: 'GEN', 0: { prompt: 'Q?', origin_prediction: 'A', predictions: 'A', references: 'A' } },
  }),
}

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()

  // Stubs end with each test.
  const before = process.env.ROLECALL_CACHE

  beforeAll(() => {
    process.env.ROLECALL_CACHE = folderWith({})
    return viewer.start()
  }, 120_000)

  afterAll(() => {
    if (before === undefined) delete process.env.ROLECALL_CACHE
    else process.env.ROLECALL_CACHE = before
    return viewer.stop()
  }, 30_000)

  /** Opens the list, each run and a row of each pair of the first; returns how many runs there were. */
  async function openEveryPage(folder: string): Promise<number> {
    const viewed = await openViewed([folder])
    const runs = viewed.runs ?? []
    const served = await serveViewer({ version: 'test', ...viewed }, { folder: viewer.built })
    const page = await viewer.open(served.url)
    const failed = page.locator('.guarded, [role=alert]')
    // An address that changes before the page has started is not noticed.
    await page.locator('h1').first().waitFor()
    await page.waitForTimeout(200)
    try {
      for (const [number, { run }] of runs.entries()) {
        const key = encodeURIComponent(`${run.info.name}/${run.folder.split('/').at(-1)}`)
        await page.goto(`${served.url}#/runs?run=${key}`)
        // The whole text is shown if there is no table.
        const hasFigures = page.locator('.summary .figures').first().waitFor()
        await hasFigures.catch(async () => expect.fail(`${run.info.name}: ${await page.locator('body').innerText()}`))
        expect(await failed.allTextContents(), run.info.name).toEqual([])
        // The rows of a harness look alike.
        for (const { model, format, dataset } of number === 0 ? run.info.pairs : []) {
          const named = new URLSearchParams({ model, ...(format === undefined ? {} : { format }), dataset, row: '0' })
          await page.goto(`${served.url}#/runs?run=${key}&${named}`)
          await page.locator('.record-head h2').waitFor()
          expect(await failed.allTextContents(), `${run.info.name} ${named}`).toEqual([])
        }
      }
      await page.goto(`${served.url}#/runs`)
      await page.locator('h1').first().waitFor()
      expect(await failed.allTextContents()).toEqual([])
    } finally {
      await page.close()
      await served.close()
    }
    return runs.length
  }

  test('a work dir of OpenCompass beside others: the list shows every run with its harness and time', async () => {
    const tree = folderWith({ 'a/20261117_170816/results/m/d.json': workDir['20261117_170816/results/m/d.json'], ...workDir })
    const served = await serveViewer({ version: 'test', ...(await openViewed([tree])) }, { folder: viewer.built })
    const page = await viewer.open(served.url)
    const rows = page.locator('table.home tbody tr, .home tr')
    await eventually(
      async () => (await rows.allTextContents()).filter((text) => /opencompass/.test(text) && /2026/.test(text)).length,
    ).toBe(2)
    await page.close()
    await served.close()
    expect(await openEveryPage(tree)).toBe(2)
  })

  test.skipIf(!existsSync(shared))(
    'every page of every folder of ../shared/foreign-results shows something (skipped without it)',
    async () => {
      const folders = readdirSync(shared, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      const runs = new Map<string, number>()
      for (const { name } of folders) runs.set(name, await openEveryPage(join(shared, name)))
      expect(Object.fromEntries(runs)).toMatchObject({
        inspect: 15,
        'lm-eval': 25,
        promptfoo: 9,
        opencompass: 8,
        aisbench: 2,
        evalscope: 6,
      })
      expect(viewer.wrong).toEqual([])
    },
  )
})
