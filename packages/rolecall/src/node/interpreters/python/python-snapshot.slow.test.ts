import { copyFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { hasPython, warnIfMissing } from '../../../../../../proof/testing/on-demand.ts'
import { pythonSnapshot, snapshotFile } from './python-snapshot.ts'

warnIfMissing(hasPython, 'snapshots of Python', 'deno and pyodide')

test.skipIf(!hasPython)(
  'a snapshot is kept, one that is damaged is made anew (skipped where deno or pyodide is missing)',
  async () => {
    const [file, copy] = [snapshotFile(folderWith({})), snapshotFile(folderWith({}))]
    for (const path of [file, copy]) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(file, 'damaged')
    const made = (await pythonSnapshot(120_000, dirname(dirname(file))))!
    expect(made.length).toBeGreaterThan(10_000_000)
    expect(statSync(file).size).toBe(made.length + 32)

    copyFileSync(file, copy)
    utimesSync(copy, 0, 0)
    expect(Buffer.from((await pythonSnapshot(1, dirname(dirname(copy))))!).equals(made)).toBe(true)
    // `shrinkCache` keeps it because of its modification time.
    expect(Date.now() - statSync(copy).mtimeMs).toBeLessThan(60_000)
  },
  120_000,
)

test.skipIf(!hasPython)(
  'where none can be made in time there is none, and nothing is kept (skipped where deno or pyodide is missing)',
  async () => {
    const file = snapshotFile(folderWith({}))
    expect(await pythonSnapshot(1, dirname(dirname(file)))).toBe(undefined)
    expect(() => readFileSync(file)).toThrow('ENOENT')
  },
  60_000,
)
