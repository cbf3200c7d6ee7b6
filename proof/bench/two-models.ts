import { rmSync } from 'node:fs'
import { sized } from './sizes.ts'
import { benchFolder, main, measure, startServer, writeConfig, writeRows } from './whole-runs.ts'

/** Wall-clock seconds of runs without their start-up: a model at 25 ms per request, one at 50 ms, and both in one run. */
export type OverlapMeasurement = { rows: number; quick: number; slow: number; both: number; ofSlower: number; ofSum: number }

/** How far two models on different servers overlap: 1 of the slower one is perfect, 1 of the sum is no overlap at all. */
export async function measureOverlap(rows = sized(4000, 20)): Promise<OverlapMeasurement> {
  const folder = benchFolder()
  const [quickServer, slowServer] = [await startServer(folder, 25), await startServer(folder, 50)]
  try {
    await writeRows(folder, rows)
    const timed = async (...urls: string[]) => {
      const args = [main, 'run', writeConfig(folder, rows, ...urls), '--no-cache']
      const start = await measure(folder, rows, [...args, '--limit', '1'])
      return (await measure(folder, rows, args)).seconds - start.seconds
    }
    const [quick, slow] = [await timed(quickServer.url), await timed(slowServer.url)]
    const both = await timed(quickServer.url, slowServer.url)
    return { rows, quick, slow, both, ofSlower: both / slow, ofSum: both / (quick + slow) }
  } finally {
    quickServer.stop()
    slowServer.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
