import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { importPython } from '../../../packages/rolecall/src/node/config/import-python.ts'
import type { ModuleCache } from '../../../packages/rolecall/src/python/interpreter/session.ts'
import { sized } from '../sizes.ts'
import { configTree } from './config-tree.ts'

export type ImportMeasurement = { files: number; seconds: number; filesPerSecond: number; entries: number; peakMegabytes: number }

/** Imports a folder as large as OpenCompass's file by file, like `rolecall import FOLDER`. */
export function measureImport(): ImportMeasurement {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-import-'))
  try {
    const tree = configTree(sized(620, 20))
    for (const [path, text] of tree) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const cache: ModuleCache = new Map()
    let entries = 0
    let peak = 0
    const start = performance.now()
    for (const [index, path] of [...tree.keys()].entries()) {
      const { config } = importPython(join(folder, path), { cache, root: folder, hashes: false })
      entries += config.models.length + config.datasets.length
      if (index % 50 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed)
    }
    const seconds = (performance.now() - start) / 1000
    return {
      files: tree.size,
      seconds: Math.round(seconds * 10) / 10,
      filesPerSecond: Math.round(tree.size / seconds),
      entries,
      peakMegabytes: Math.round(peak / 2 ** 20),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
